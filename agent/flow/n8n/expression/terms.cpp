// Texts of our language for parts of an expression.
#include "agent/flow/n8n/expression/converter.hpp"

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

// What JavaScript takes for false, and does not here.
constexpr std::string_view false_values = "[null, false, 0, \"\"]";

} // namespace

std::string text_literal(std::string_view text) {
    std::string result = "\"";
    for (char c : text) {
        constexpr std::string_view plain = "\n\r\t\\\"", letters = "nrt\\\"";
        if (auto const escape = plain.find(c); escape != plain.npos) {
            result += '\\';
            result += letters[escape];
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            constexpr std::string_view digits = "0123456789abcdef";
            result += "\\x";
            result += digits[static_cast<unsigned char>(c) >> 4];
            result += digits[static_cast<unsigned char>(c) & 15];
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string within(term const& value, binding least) {
    return value.binding < least ? "(" + value.text + ")" : value.text;
}

shape kind_of_items(term const& list) {
    if (list.is(shape::items)) return shape::item;
    return list.is(shape::list) && !list.renamed.empty() ? shape::object : shape::unknown;
}

term term_of(std::string text, shape of) {
    return {.text = std::move(text), .shape = of};
}

term constant_of_text(std::string_view text) {
    return {
        .text = text_literal(text),
        .shape = shape::text,
        .simple = true,
        .constant = true,
        .value = std::string(text)};
}

term calling(term const& value, std::string_view function, std::string arguments, shape of) {
    return term_of(
        within(value) + "." + std::string(function) + "(" + std::move(arguments) + ")", of
    );
}

term falsehood_of(term const& value) {
    switch (value.shape) {
    case shape::boolean:
        if (value.text.starts_with("!(") && value.binding == binding::sign)
            return term_of(value.text.substr(1), shape::boolean);
        return {.text = "!" + within(value), .shape = shape::boolean, .binding = binding::sign};
    case shape::text:
    case shape::number:
        return {
            .text = within(value, binding::sum) + (value.is(shape::text) ? " == \"\"" : " == 0"),
            .shape = shape::boolean,
            .binding = binding::relation};
    case shape::unknown:
        return {
            .text = within(value, binding::sum) + " in " + std::string(false_values),
            .shape = shape::boolean,
            .binding = binding::relation};
    default:
        return {
            .text = within(value, binding::sum) + " == null",
            .shape = shape::boolean,
            .binding = binding::relation};
    }
}

term truth_of(term const& value) {
    switch (value.shape) {
    case shape::boolean:
        return value;
    case shape::unknown:
        return {
            .text = "!(" + falsehood_of(value).text + ")",
            .shape = shape::boolean,
            .binding = binding::sign};
    default: {
        auto result = falsehood_of(value);
        auto const equals = result.text.rfind(" == ");
        result.text.replace(equals, 4, " != ");
        return result;
    }
    }
}

term joined_conditions(term const& left, term const& right, bool both) {
    auto const rank = both ? binding::both : binding::either;
    return {
        .text = within(left, rank) + (both ? " && " : " || ") + within(right, rank),
        .shape = shape::boolean,
        .binding = rank};
}

term as_text(term const& value) {
    return value.is(shape::text) ? value : term_of("string(" + value.text + ")", shape::text);
}

term as_number(term const& value) {
    if (value.is(shape::number)) return value;
    if (value.is(shape::instant))
        return calling(as_instant(value), "unixMillis", {}, shape::number);
    return term_of("double(" + value.text + ")", shape::number);
}

term as_instant(term const& value) {
    if (value.is(shape::instant)) return value;
    if (value.is(shape::number))
        return term_of("timestamp(" + within(value, binding::product) + " / 1000)", shape::instant);
    return term_of("timestamp(" + value.text + ")", shape::instant);
}

term sum_of(term const& left, term const& right) {
    bool const text = left.is(shape::text) || right.is(shape::text);
    auto const head = text ? as_text(left) : left;
    auto const tail = text ? as_text(right) : right;
    bool const number = head.is(shape::number) && tail.is(shape::number);
    return {
        .text = within(head, binding::sum) + " + " + within(tail, binding::product),
        .shape = text     ? shape::text
                 : number ? shape::number
                          : shape::unknown,
        .binding = binding::sum};
}

bool is_word_of_ours(std::string_view name) noexcept {
    auto const letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    auto const fits = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
    constexpr std::string_view reserved[]{"in", "true", "false", "null"};
    return !name.empty() && letter(name.front()) && std::ranges::all_of(name, fits) &&
           std::ranges::find(reserved, name) == std::end(reserved);
}

term optional_member(term const& base, std::string_view name) {
    auto const question = base.optional ? "" : "?";
    auto text = is_word_of_ours(name) ? within(base) + "." + question + std::string(name)
                                      : within(base) + "[" + question + text_literal(name) + "]";
    return {.text = std::move(text), .optional = true, .simple = base.simple};
}

script::node const* argument(script::node const& call, std::size_t index) {
    auto const at = index + (call.is(script::node_kind::creation) ? 0 : 1);
    return at < call.size() ? &call[at] : nullptr;
}

} // namespace postrider::agent::flow::n8n
