// minLength, maxLength, pattern and format: rules for strings.
#include "agent/json_schema/definition.hpp"
#include "agent/json_schema/formats.hpp"
#include "agent/json_schema/values.hpp"
#include "base/utf8.hpp"

namespace postrider::agent::json_schema {

namespace {

std::uint64_t characters(std::string_view text) {
    return base::count_characters(text);
}

// A rule for the text of a string, with what to say when it does not hold.
template<class Holds, class Message>
rule for_text(Holds holds, Message message, std::size_t work = 1) {
    return [=](trial const& t) {
        auto const* string = t.value().if_string();
        if (!string) return true;
        if (!t.during.spend(work * work_of(text_of(*string)))) return false;
        auto const text = text_of(*string);
        return holds(text) || t.refuse([&] { return message(text); });
    };
}

std::string length(std::string_view bound, std::uint64_t limit, std::string_view text) {
    return "must have " + std::string(bound) + counted(limit, "character", "characters") +
           ", not " + std::to_string(characters(text));
}

rule min_length(definition const& d) {
    auto const least = d.count();
    return for_text(
        [=](auto text) { return characters(text) >= least; },
        [=](auto text) { return length("at least ", least, text); }
    );
}

rule max_length(definition const& d) {
    auto const most = d.count();
    return for_text(
        [=](auto text) { return characters(text) <= most; },
        [=](auto text) { return length("at most ", most, text); }
    );
}

rule matching(definition const& d) {
    auto const text = d.text();
    auto expression = d.pattern(text);
    if (!expression) return {};
    return for_text(
        [=](auto subject) { return expression->found_in(subject); },
        [message = "must match the pattern " + cut(text, 200)](auto) { return message; }
    );
}

rule formatted(definition const& d) {
    auto const* named_format = find_format(d.text());
    if (!named_format || !d.options().assert_formats) return {};
    auto const message = [named_format](auto) {
        return "must be " + std::string(named_format->description);
    };
    return for_text(named_format->fits, message, named_format->work);
}

} // namespace

std::span<word const> string_words() {
    static constexpr word words[] = {
        {"minLength", min_length},
        {"maxLength", max_length},
        {"pattern", matching},
        {"format", formatted},
    };
    return words;
}

} // namespace postrider::agent::json_schema
