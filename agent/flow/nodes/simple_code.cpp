#include "agent/flow/nodes/simple_code.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string>

namespace postrider::agent::flow {

namespace {

constexpr std::size_t longest_simple_code = 2000;

// What is called in code that an expression can say as well.
constexpr std::array<std::string_view, 18> simple_calls{
    "trim",
    "toUpperCase",
    "toLowerCase",
    "includes",
    "startsWith",
    "endsWith",
    "split",
    "join",
    "replaceAll",
    "String",
    "Number",
    "strip",
    "upper",
    "lower",
    "startswith",
    "endswith",
    "len",
    "str"};

// Members and operators, without assignments, functions, loops, and calls of what is not known.
bool is_simple(std::string expression) {
    static re2::RE2 const literal(R"re("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')re");
    static re2::RE2 const other(
        R"re(=>|;|`|\bfunction\b|\bnew\b|\bawait\b|\blambda\b|\bfor\b|\bimport\b|(?:^|[^=!<>])=(?:[^=]|$))re"
    );
    static re2::RE2 const called(R"re(([A-Za-z_$][A-Za-z0-9_$]*)\s*\()re");
    re2::RE2::GlobalReplace(&expression, literal, "0");
    if (re2::RE2::PartialMatch(expression, other)) return false;
    re2::StringPiece rest(expression);
    std::string name;
    while (re2::RE2::FindAndConsume(&rest, called, &name))
        if (std::ranges::find(simple_calls, name) == simple_calls.end()) return false;
    return true;
}

// The code as a whole, and the part of it that computes.
bool matches_simply(std::string_view code, re2::RE2 const& pattern) {
    std::string expression;
    return re2::RE2::FullMatch(re2::StringPiece(code.data(), code.size()), pattern, &expression) &&
           is_simple(std::move(expression));
}

} // namespace

std::string_view simpler_type_than(std::string_view language, std::string_view code) {
    static re2::RE2 const filtered(
        R"re((?s)\s*return\s+(?:\$input|\$input\.all\(\)|items)\.filter\(\s*\(?\w+\)?\s*=>\s*(.+)\)\s*;?\s*)re"
    );
    static re2::RE2 const mapped(
        R"re((?s)\s*return\s+(?:\$input|\$input\.all\(\)|items)\.map\(\s*\(?\w+\)?\s*=>\s*\((.+)\)\s*\)\s*;?\s*)re"
    );
    static re2::RE2 const returned(R"re((?s)\s*return\s+([^;]*\$json\b.*?)\s*;?\s*)re");
    static re2::RE2 const returned_in_python(R"re((?s)\s*return\s+(.*\bitem\b.*?)\s*)re");
    static re2::RE2 const filtered_in_python(
        R"re((?s)\s*return\s+\[\s*\w+\s+for\s+\w+\s+in\s+items\s+if\s+(.+)\]\s*)re"
    );
    static re2::RE2 const mapped_in_python(
        R"re((?s)\s*return\s+\[\s*(\{.+\})\s+for\s+\w+\s+in\s+items\s*\]\s*)re"
    );
    if (code.size() > longest_simple_code) return {};
    bool const is_python = language == "python";
    if (matches_simply(code, is_python ? filtered_in_python : filtered)) return "items.filter";
    if (matches_simply(code, is_python ? mapped_in_python : mapped)) return "set";
    if (matches_simply(code, is_python ? returned_in_python : returned)) return "set";
    return {};
}

} // namespace postrider::agent::flow
