#include "base/json/ordered.hpp"

#include "base/json/text.hpp"

#include <algorithm>
#include <vector>

namespace postrider::base {

namespace {

void append_ordered(std::string& text, boost::json::value const& value);

void append_ordered(std::string& text, boost::json::object const& object) {
    std::vector<boost::json::key_value_pair const*> members;
    for (auto const& member : object) members.push_back(&member);
    std::ranges::sort(members, {}, [](auto const* member) { return member->key(); });
    text += '{';
    for (auto const* member : members) {
        append_json(text, std::string_view(member->key()), nul::escaped);
        text += ':';
        append_ordered(text, member->value());
        text += ',';
    }
    text += '}';
}

void append_ordered(std::string& text, boost::json::value const& value) {
    if (auto const* object = value.if_object()) return append_ordered(text, *object);
    auto const* array = value.if_array();
    if (!array) return append_json(text, value, nul::escaped);
    text += '[';
    for (auto const& item : *array) {
        append_ordered(text, item);
        text += ',';
    }
    text += ']';
}

} // namespace

std::string ordered_json(boost::json::value const& value) {
    std::string text;
    append_ordered(text, value);
    return text;
}

} // namespace postrider::base
