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

// Words for the person who takes the workflow over: {{your api key}}.
bool is_hint(std::string_view text) {
    auto const fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ' || c == '-';
    };
    return text.find(' ') != text.npos && text.size() < 60 && std::ranges::all_of(text, fits);
}

conversion value_to_fill_in(std::string_view words) {
    std::string name;
    for (char c : words) name += c == ' ' || c == '-' ? '_' : c;
    conversion result{.source = "$vars." + name};
    result.variables.push_back(name);
    return result;
}

} // namespace

void throw_exception_from_error(unconverted const& reason, boost::source_location const&) {
    throw std::runtime_error(reason.reason);
}

convertible<conversion> convert(
    std::string_view source, surroundings const& around, conversion_budget& budget
) {
    if (source.size() > longest_source) return because(source, "it is too long");
    converter in(around, budget);
    if (!in.spend(source.size() / bytes_of_step)) return because(source, *in.refusal());
    auto tree = script::parse(source);
    if (!tree) {
        // The members of an object alone, as people write them for JSON.
        if (is_hint(without_blanks(source))) return value_to_fill_in(without_blanks(source));
        bool const has_name = without_blanks(source).starts_with('"');
        auto members = script::parse(has_name ? "{" + std::string(source) + "}" : "");
        if (!members) return because(source, tree.error().reason);
        tree = std::move(members);
    }
    auto const value = in.value_of(**tree);
    if (in.refusal()) return because(source, *in.refusal());
    if (value.is(shape::type) || value.is(shape::node) || value.is(shape::pattern) ||
        value.is(shape::files))
        return because(source, "it is no value");
    auto result = in.result(value);
    auto const parsed = expression::parse(result.source, from_ai::allowed);
    if (!parsed) return because(source, parsed.error().reason);
    return result;
}

bool is_template(std::string_view text) noexcept {
    return text.starts_with('=');
}

// A `\{{` is a text, and the first }} ends an expression, whatever it stands in: as n8n reads it.
std::vector<piece> pieces_of(std::string_view text) {
    if (!is_template(text)) return {{std::string(text), false}};
    std::vector<piece> pieces;
    std::string plain;
    auto const close = [&] {
        if (!plain.empty()) pieces.push_back({std::exchange(plain, {}), false});
    };
    std::size_t at = 1;
    for (std::size_t end = 0;;) {
        auto const open = text.find("{{", at);
        if (open == text.npos) break;
        if (end < open + 2) end = text.find("}}", open + 2);
        if (end == text.npos) break;
        if (open > at && text[open - 1] == '\\') {
            plain += text.substr(at, open - 1 - at);
            plain += "{{";
            at = open + 2;
            continue;
        }
        plain += text.substr(at, open - at);
        close();
        pieces.push_back({std::string(text.substr(open + 2, end - open - 2)), true});
        at = end + 2;
    }
    plain += text.substr(at);
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
