#include "agent/flow/n8n/expression/conversion.hpp"

#include "agent/expression/expression.hpp"
#include "agent/flow/n8n/expression/converter.hpp"
#include "agent/flow/n8n/javascript/parser.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <stdexcept>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::size_t longest_source = 60'000; // bytes of an expression of n8n's
constexpr std::size_t longest_shown = 200;

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    auto const begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    auto const end = text.find_last_not_of(blanks);
    return text.substr(0, end == text.npos ? 0 : end + 1);
}

unconverted because(std::string_view source, std::string reason) {
    return {base::shortened(std::string(without_blanks(source)), longest_shown), std::move(reason)};
}

convertible<conversion> converted(
    std::string_view source, surroundings const& around, bool is_condition
) {
    if (source.size() > longest_source) return because(source, "it is too long");
    auto const tree = script::parse(source);
    if (!tree) return because(source, tree.error().reason);
    converter in(around);
    auto const value = is_condition ? in.condition_of(**tree) : in.value_of(**tree);
    if (in.refusal()) return because(source, *in.refusal());
    if (value.is(shape::type) || value.is(shape::node) || value.is(shape::pattern))
        return because(source, "it is no value");
    auto result = in.result(value);
    auto const parsed = expression::parse(result.source, from_ai::allowed);
    if (!parsed) return because(source, parsed.error().reason);
    return result;
}

} // namespace

void throw_exception_from_error(unconverted const& reason, boost::source_location const&) {
    throw std::runtime_error(reason.reason);
}

convertible<conversion> convert(std::string_view source, surroundings const& around) {
    return converted(source, around, false);
}

convertible<conversion> convert_condition(std::string_view source, surroundings const& around) {
    return converted(source, around, true);
}

bool is_template(std::string_view text) noexcept {
    return text.starts_with('=');
}

// A `\{{` is a text, and the first }} ends an expression, whatever it stands in: as n8n reads it.
std::vector<piece> pieces_of(std::string_view text) {
    if (!is_template(text)) return {{std::string(text), false}};
    text.remove_prefix(1);
    std::vector<piece> pieces;
    std::string plain;
    auto const close = [&] {
        if (!plain.empty()) pieces.push_back({std::exchange(plain, {}), false});
    };
    while (!text.empty()) {
        auto const open = text.find("{{");
        auto const end = open == text.npos ? open : text.find("}}", open + 2);
        if (end == text.npos) break;
        if (open > 0 && text[open - 1] == '\\') {
            plain += std::string(text.substr(0, open - 1)) + "{{";
            text.remove_prefix(open + 2);
            continue;
        }
        plain += text.substr(0, open);
        close();
        pieces.push_back({std::string(text.substr(open + 2, end - open - 2)), true});
        text.remove_prefix(end + 2);
    }
    plain += text;
    close();
    return pieces;
}

std::string escaped_text(std::string_view text) {
    std::string result;
    for (auto at = text.find("{{"); at != text.npos; at = text.find("{{")) {
        result += std::string(text.substr(0, at)) + R"({{ "{{" }})";
        text.remove_prefix(at + 2);
    }
    return result + std::string(text);
}

} // namespace postrider::agent::flow::n8n
