#pragma once
// JSON Schema: compiled once, held against many values.
//
//     auto compiled = json_schema::compile(document);
//     if (!compiled) return compiled.error();   // the problems of the schema, each with its place
//     auto violations = compiled->check(value); // the violations of the value, each with its place
//
// Draft 2020-12 without $vocabulary; draft 7 (and 6) where $schema or the options say so, and its
// older spellings (a list in "items", "additionalItems", "dependencies", "definitions") everywhere.
// References stay within the document: "#", JSON Pointers, $anchor and embedded $id; one that leads
// out of it is a problem. $dynamicRef is read as $ref. Unknown keywords are ignored.
//
// Numbers are compared exactly across int64, uint64 and double; 1.0 is an integer; multipleOf
// judges decimals, of a double the first 15 digits. Lengths count code points. Patterns run on RE2,
// in linear time: what it lacks (look-around, back references) is a problem.
//
// A foreign schema may have keywords that cannot be used. With `skips_unusable` each of them is skipped
// instead of a problem, and the rest holds. Such a schema accepts at least what it would with them: what
// "not", "oneOf", "if", "maxContains" or "unevaluated…" would refuse because of a skipped keyword, it accepts.
//
// Whatever the schema and the value are, compile() and check() end and do not overflow the stack.
#include "base/json/json.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::json_schema {

enum class draft { v7, v2020_12 };

// Why a schema cannot be used.
struct problem {
    std::string path; // JSON Pointer into the document
    std::string message;
    bool operator==(problem const&) const = default;
};
using problems = std::vector<problem>;

// What a value breaks.
struct violation {
    std::string path;      // JSON Pointer into the value; "" is the value itself
    std::string keyword;   // JSON Pointer into the schema's document
    std::string_view code; // the keyword's name; "false" for the schema false; "limit", see check()
    std::string
        message; // for a person or a model: "must be an integer, not a string"; at most 500 bytes
};

struct compile_options {
    json_schema::draft draft = json_schema::draft::v2020_12; // where $schema says nothing
    bool assert_formats = false; // "format" is a rule, not only a hint; unknown formats are ignored
    bool skips_unusable = false; // keywords, and null ones like those that are not there
    std::string at = {};         // JSON Pointer of the schema in the document
};

struct check_limits {
    std::size_t violations = 20;
    std::size_t depth = 128;      // of the value
    std::size_t work = 2'000'000; // keywords applied and items looked at, roughly
};

struct node;

// Immutable; copies share what was compiled; usable from several threads at once.
class schema {
public:
    // Empty: the value fits. Otherwise the first violations, at most limits.violations but at least
    // one. A value that is too deep, that leads through more than 1,000 schemas one within another,
    // or that takes too much work has one violation, with the code "limit".
    std::vector<violation> check(boost::json::value const& value, check_limits const& limits = {})
        const;

    // The first 20 keywords that were skipped. Null is not among them.
    problems const& skipped() const noexcept { return skipped_; }

private:
    schema(std::shared_ptr<node const> root, problems skipped)
        : root_(std::move(root)),
          skipped_(std::move(skipped)) {}
    friend class compiler;

    std::shared_ptr<node const> root_;
    problems skipped_;
};

// The document is not needed afterwards. A schema that would apply itself to a value without end is
// a problem. So are a document deeper than 128 levels, more than 50,000 schemas, more than 200
// patterns, and paths and base URIs of more than 8 MiB together. The first 20 problems are listed.
boost::system::result<schema, problems> compile(
    boost::json::value const& document, compile_options const& options = {}
);

// "/days must be an integer, not a string", a line for each; a long path is cut. `whole` names the
// value itself: "the arguments".
std::string to_text(std::span<violation const> violations, std::string_view whole);
std::string to_text(std::span<problem const> problems);

// Found by result::value().
[[noreturn]] void throw_exception_from_error(
    problems const& problems, boost::source_location const& where
);

} // namespace postrider::agent::json_schema
