#include "agent/json_schema/values.hpp"

#include "agent/json_schema/number.hpp"
#include "base/json/pointer.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace postrider::agent::json_schema {

namespace json = boost::json;

bool deeper_than(json::value const& value, std::size_t levels) {
    if (auto const* array = value.if_array())
        return levels == 0 || std::ranges::any_of(*array, [&](auto const& item) {
                   return deeper_than(item, levels - 1);
               });
    if (auto const* object = value.if_object())
        return levels == 0 || std::ranges::any_of(*object, [&](auto const& member) {
                   return deeper_than(member.value(), levels - 1);
               });
    return false;
}

std::size_t work_of(std::string_view text) {
    return 1 + text.size() / 64;
}

std::size_t work_of(json::value const& value) {
    if (auto const* text = value.if_string()) return work_of(text_of(*text));
    std::size_t sum = 1;
    if (auto const* array = value.if_array())
        for (auto const& item : *array) sum += work_of(item);
    if (auto const* object = value.if_object())
        for (auto const& member : *object)
            sum += work_of(text_of(member.key())) + work_of(member.value());
    return sum;
}

bool same(json::value const& a, json::value const& b) {
    if (a.is_number() && b.is_number()) return std::is_eq(compare(a, b));
    if (a.kind() != b.kind()) return false;
    if (auto const* left = a.if_array()) return std::ranges::equal(*left, b.get_array(), same);
    if (auto const* left = a.if_object()) {
        auto const& right = b.get_object();
        return left->size() == right.size() && std::ranges::all_of(*left, [&](auto const& member) {
                   auto const* other = right.if_contains(member.key());
                   return other && same(member.value(), *other);
               });
    }
    return a == b;
}

std::size_t hash_of(json::value const& value) {
    auto const kind = static_cast<std::size_t>(value.kind()) + 1;
    if (value.is_number()) return hash_of_number(value);
    if (auto const* text = value.if_string())
        return std::hash<std::string_view>{}({text->data(), text->size()});
    if (auto const* flag = value.if_bool()) return *flag ? 1 : 2;
    std::size_t sum = kind;
    if (auto const* array = value.if_array())
        for (auto const& item : *array) sum = sum * 31 + hash_of(item);
    if (auto const* object = value.if_object())
        for (auto const& member : *object)
            sum += std::hash<std::string_view>{}(text_of(member.key())) ^
                   (hash_of(member.value()) * 31);
    return sum;
}

} // namespace postrider::agent::json_schema
