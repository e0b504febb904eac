// Regular expressions: RE2 instead of JavaScript's, and the methods of texts that take one.
#include "agent/flow/n8n/expression/converter.hpp"

#include <fmt/format.h>

#include <array>

namespace postrider::agent::flow::n8n {

namespace {

// The pattern as RE2 has it, or nothing: it looks around, or back.
std::optional<std::string> pattern_of(term const& value, bool without_groups) {
    std::string result;
    std::string flags;
    for (char flag : value.flags)
        if (flag == 'i' || flag == 's' || flag == 'm') flags += flag;
    if (!flags.empty()) result = "(?" + flags + ")";
    auto const& source = value.text;
    bool in_class = false;
    for (std::size_t i = 0; i < source.size(); ++i) {
        auto const rest = std::string_view(source).substr(i);
        if (rest.starts_with('\\')) {
            if (rest.size() > 5 && rest[1] == 'u' && rest[2] != '{') {
                result += "\\x{" + std::string(rest.substr(2, 4)) + "}";
                i += 5;
            } else {
                result += rest.substr(0, 2);
                ++i;
            }
        } else if (!in_class && rest.starts_with("[^]")) {
            result += "(?s:.)";
            i += 2;
        } else if (!in_class && rest.starts_with("(?<") && !rest.starts_with("(?<=") && !rest.starts_with("(?<!")) {
            result += without_groups ? "(?:" : "(?P<";
            i += 2;
            if (without_groups) i = source.find('>', i);
            if (i == source.npos) return std::nullopt;
        } else if (!in_class && rest.starts_with("(?") && !rest.starts_with("(?:")) {
            return std::nullopt;
        } else if (!in_class && rest.starts_with('(') && !rest.starts_with("(?") && without_groups) {
            result += "(?:";
        } else {
            if (rest.front() == '[') in_class = true;
            if (rest.front() == ']') in_class = false;
            result += rest.front();
        }
    }
    return result;
}

bool has_flag(term const& pattern, char flag) {
    return pattern.flags.find(flag) != pattern.flags.npos;
}

std::string literal_of(std::string const& pattern) {
    bool const raw = pattern.find_first_of("\n\r") == pattern.npos;
    if (raw && pattern.find('"') == pattern.npos) return "r\"" + pattern + "\"";
    if (raw && pattern.find('\'') == pattern.npos) return "r'" + pattern + "'";
    return text_literal(pattern);
}

std::optional<std::string> literal_for(
    converter& in, term const& pattern, bool without_groups = false
) {
    if (!pattern.is(shape::pattern)) {
        in.refuse("the pattern is computed");
        return std::nullopt;
    }
    auto const converted = pattern_of(pattern, without_groups);
    if (!converted) in.refuse("the pattern looks ahead or behind, which patterns here cannot");
    return converted ? std::optional(literal_of(*converted)) : std::nullopt;
}

// $1 is \1, $& is \0.
std::string rewrite_of(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const next = i + 1 < text.size() ? text[i + 1] : '\0';
        if (text[i] == '$' && next >= '0' && next <= '9')
            result += '\\', result += next, ++i;
        else if (text[i] == '$' && next == '&')
            result += "\\0", ++i;
        else if (text[i] == '$' && next == '$')
            result += '$', ++i;
        else if (text[i] == '\\')
            result += "\\\\";
        else
            result += text[i];
    }
    return result;
}

term replaced_by_pattern(
    converter& in, term const& of, term const& pattern, script::node const& with, bool all
) {
    auto const literal = literal_for(in, pattern);
    auto const text = in.constant_text(with);
    auto const rewrite =
        text ? term_of(text_literal(rewrite_of(*text)), shape::text) : in.value_of(with);
    if (!literal || in.refusal()) return {};
    return term_of(
        fmt::format(
            "regex.replace({}, {}, {}{})", of.text, *literal, rewrite.text, all ? "" : ", 1"
        ),
        shape::text
    );
}

template<bool All>
term replaced(converter& in, term const& of, script::node const& call) {
    auto const& with = *argument(call, 1);
    if (with.is(script::node_kind::arrow))
        return in.refuse("replace() with a function has no counterpart");
    auto const from = in.value_of(*argument(call, 0));
    if (from.is(shape::pattern))
        return replaced_by_pattern(in, of, from, with, All || has_flag(from, 'g'));
    auto const to = in.value_of(with);
    return calling(
        of, "replace", from.text + ", " + as_text(to).text + (All ? "" : ", 1"), shape::text
    );
}

term matched(converter& in, term const& of, script::node const& call) {
    auto const pattern = in.value_of(*argument(call, 0));
    bool const all = has_flag(pattern, 'g');
    auto const literal = literal_for(in, pattern, all);
    if (!literal) return {};
    if (!all) return calling(of, "captures", *literal);
    return term_of("regex.extractAll(" + of.text + ", " + *literal + ")", shape::list);
}

// pattern.test(text)
term tested(converter& in, term const& pattern, script::node const& call) {
    auto const literal = literal_for(in, pattern);
    auto const text = in.value_of(*argument(call, 0));
    return literal ? calling(text, "matches", *literal, shape::boolean) : term();
}

term executed(converter& in, term const& pattern, script::node const& call) {
    auto const literal = literal_for(in, pattern);
    auto const text = in.value_of(*argument(call, 0));
    return literal ? calling(text, "captures", *literal) : term();
}

term split_text(converter& in, term const& of, script::node const& call) {
    auto const separator = in.value_of(*argument(call, 0));
    term parts;
    if (separator.is(shape::pattern)) {
        auto const literal = literal_for(in, separator);
        if (!literal) return {};
        // A character that no text has: information separator one.
        parts = term_of(
            "regex.replace(" + of.text + ", " + *literal + R"(, "\x1f").split("\x1f"))", shape::list
        );
    } else {
        parts = calling(of, "split", separator.text, shape::list);
    }
    auto const* most = argument(call, 1);
    if (!most) return parts;
    auto const count = in.value_of(*most);
    auto const position = in.local_name("n");
    return calling(
        parts,
        "filter",
        position + ", " + in.local_name("part") + ", " + position + " < " +
            within(count, binding::sum),
        shape::list
    );
}

constexpr std::array pattern_methods_here{
    method{"replace", 2, 2, replaced<false>},
    method{"replaceAll", 2, 2, replaced<true>},
    method{"match", 1, 1, matched},
    method{"test", 1, 1, tested},
    method{"exec", 1, 1, executed},
    method{"split", 1, 2, split_text},
};

} // namespace

std::span<method const> pattern_methods() {
    return pattern_methods_here;
}

} // namespace postrider::agent::flow::n8n
