#include "agent/json_schema/wording.hpp"

#include "agent/json_schema/json_schema.hpp"
#include "base/utf8.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <stdexcept>

namespace postrider::agent::json_schema {

namespace json = boost::json;

namespace {

constexpr std::size_t longest_value = 60;
constexpr std::size_t most_listed = 12;
constexpr std::size_t longest_path = 200;

template<class Line>
std::string lines(auto const& entries, Line line) {
    std::string text;
    for (auto const& each : entries) text += (text.empty() ? "" : "\n") + line(each);
    return text;
}

} // namespace

std::string cut(std::string text, std::size_t bytes) {
    static constexpr std::string_view mark = "…";
    if (text.size() <= bytes) return text;
    text.resize(base::cut_at_character(text, bytes - mark.size()).size());
    return text.append(mark);
}

std::string quote(std::string_view text) {
    return json::serialize(
        json::string(cut(std::string(text.substr(0, 4 * longest_value)), longest_value))
    );
}

std::string shown(json::value const& value) {
    if (auto const* text = value.if_string()) return quote({text->data(), text->size()});
    if (auto const* number = value.if_double()) return fmt::format("{}", *number);
    if (value.is_array() || value.is_object()) return std::string(kind_of(value));
    return json::serialize(value);
}

std::string listed(std::span<std::string const> words) {
    std::string text;
    for (auto const& each : words.first(std::min(words.size(), most_listed)))
        text += (text.empty() ? "" : ", ") + each;
    if (words.size() > most_listed) text += fmt::format(" and {} more", words.size() - most_listed);
    return text;
}

std::string_view kind_called(std::string_view type) {
    if (type == "string") return "a string";
    if (type == "integer") return "an integer";
    if (type == "number") return "a number";
    if (type == "boolean") return "a boolean";
    if (type == "array") return "an array";
    if (type == "object") return "an object";
    return "null";
}

std::string_view kind_of(json::value const& value) {
    switch (value.kind()) {
    case json::kind::string:
        return "a string";
    case json::kind::bool_:
        return "a boolean";
    case json::kind::array:
        return "an array";
    case json::kind::object:
        return "an object";
    case json::kind::null:
        return "null";
    default:
        return "a number";
    }
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
    return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

std::string to_text(std::span<violation const> violations, std::string_view whole) {
    return lines(violations, [&](violation const& each) {
        auto const subject = each.path.empty() ? std::string(whole) : cut(each.path, longest_path);
        return subject + " " + each.message;
    });
}

std::string to_text(std::span<problem const> list) {
    return lines(list, [](problem const& each) {
        return (each.path.empty() ? "the schema" : cut(each.path, longest_path)) + ": " +
               each.message;
    });
}

void throw_exception_from_error(problems const& list, boost::source_location const&) {
    throw std::runtime_error("JSON Schema: " + to_text(list));
}

} // namespace postrider::agent::json_schema
