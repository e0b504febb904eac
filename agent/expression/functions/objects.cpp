// Functions of objects.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <algorithm>
#include <array>

namespace postrider::agent::expressions {

namespace {

// Copies of what `pick` makes of each member.
template<class Pick>
fallible<operand> list_of(call const& call, Pick const& pick) {
    auto const object = call.object(0);
    if (!object) return object.error();
    json::array result;
    result.reserve((*object)->size());
    for (auto const& member : **object) {
        if (!call.budget.spend_bytes(member.key().size())) return call.budget.failure();
        auto item = pick(member);
        if (!item) return item.error();
        result.push_back(std::move(*item));
    }
    return json::value(std::move(result));
}

fallible<operand> keys(call const& call) {
    return list_of(call, [](json::key_value_pair const& member) -> fallible<json::value> {
        return json::value(member.key());
    });
}

fallible<operand> values(call const& call) {
    return list_of(call, [&](json::key_value_pair const& member) {
        return copy(member.value(), call.budget);
    });
}

fallible<operand> entries(call const& call) {
    return list_of(call, [&](json::key_value_pair const& member) -> fallible<json::value> {
        auto value = copy(member.value(), call.budget);
        if (!value) return value.error();
        return json::object{{"key", member.key()}, {"value", std::move(*value)}};
    });
}

fallible<operand> from_entries(call const& call) {
    auto const array = call.array(0);
    if (!array) return array.error();
    json::object result;
    for (auto const& item : **array) {
        auto const* entry = item.if_object();
        auto const* key = entry ? entry->if_contains("key") : nullptr;
        auto const* value = entry ? entry->if_contains("value") : nullptr;
        if (!key || !key->is_string() || !value)
            return failure{"an item is no object with a key, which is a string, and a value"};
        auto own = copy(*value, call.budget);
        if (!own) return own.error();
        result.insert_or_assign(key->get_string(), std::move(*own));
    }
    return json::value(std::move(result));
}

// What stands further to the right counts.
fallible<operand> merge(call const& call) {
    json::object result;
    for (std::size_t i = 0; i < call.count(); ++i) {
        auto const object = call.object(i);
        if (!object) return object.error();
        for (auto const& member : **object) {
            if (!call.budget.spend_bytes(member.key().size())) return call.budget.failure();
            auto own = copy(member.value(), call.budget);
            if (!own) return own.error();
            result.insert_or_assign(member.key(), std::move(*own));
        }
    }
    return json::value(std::move(result));
}

// The members that are named, or all others.
template<bool Named>
fallible<operand> selected_members(call const& call) {
    auto const object = call.object(0);
    auto const names = call.array(1);
    if (!object) return object.error();
    if (!names) return names.error();
    json::object result;
    for (auto const& member : **object) {
        if (!call.budget.spend((*names)->size())) return call.budget.failure();
        bool const named = std::ranges::any_of(**names, [&](json::value const& name) {
            return name.is_string() && name.get_string() == member.key();
        });
        if (named != Named) continue;
        auto own = copy(member.value(), call.budget);
        if (!own) return own.error();
        result.emplace(member.key(), std::move(*own));
    }
    return json::value(std::move(result));
}

constexpr std::array objects_functions{
    function{"entries", 1, 1, entries, R"doc(the members as objects with `key` and `value`
{"a": 1}.entries() → [{"key": "a", "value": 1}])doc"},
    function{"fromEntries", 1, 1, from_entries, R"doc(an object made of such entries
[{"key": "a", "value": 1}].fromEntries() → {"a": 1})doc"},
    function{"keys", 1, 1, keys, R"doc(the names of the members
{"a": 1, "b": 2}.keys() → ["a", "b"])doc"},
    function{
        "merge",
        2,
        any_number,
        merge,
        R"doc(an object with the members of all objects; the last value of a name wins
{"a": 1, "b": 1}.merge({"b": 2}) → {"a": 1, "b": 2})doc"},
    function{"omit", 2, 2, selected_members<false>, R"doc(the object without the named members
{"a": 1, "b": 2}.omit(["b"]) → {"a": 1})doc"},
    function{"pick", 2, 2, selected_members<true>, R"doc(the object with the named members only
{"a": 1, "b": 2}.pick(["b", "c"]) → {"b": 2})doc"},
    function{"values", 1, 1, values, R"doc(the values of the members
{"a": 1, "b": 2}.values() → [1, 2])doc"},
};

} // namespace

function_family const objects_family{"Objects", objects_functions};

} // namespace postrider::agent::expressions
