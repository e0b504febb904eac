// Functions of arrays, and those that arrays, objects and texts share.
#include "agent/expression/functions.hpp"
#include "agent/expression/unicode.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <algorithm>
#include <array>

namespace postrider::agent::expressions {

namespace {

fallible<operand> size(call const& given) {
    auto const& value = given[0];
    std::size_t count = 0;
    if (auto const* text = value.if_string())
        count = code_points(view(*text));
    else if (auto const* array = value.if_array())
        count = array->size();
    else if (auto const* object = value.if_object())
        count = object->size();
    else
        return given.unfit(0, "a string, an array or an object");
    return json::value(static_cast<std::int64_t>(count));
}

fallible<operand> or_value(call const& given) {
    return given.arguments[given[0].is_null() ? 1 : 0];
}

template<bool First>
fallible<operand> end_of(call const& given) {
    auto const array = given.array(0);
    if (!array) return array.error();
    if ((*array)->empty()) return json::value(nullptr);
    auto made = copy(First ? (*array)->front() : (*array)->back(), given.budget);
    if (!made) return made.error();
    return std::move(*made);
}

// Copies of the items from `begin` to `end`, in front of them those of `made`.
fallible<operand> with_items(
    json::array made, json::value const* begin, json::value const* end, budget& budget
) {
    made.reserve(made.size() + static_cast<std::size_t>(end - begin));
    for (; begin != end; ++begin) {
        auto item = copy(*begin, budget);
        if (!item) return item.error();
        made.push_back(std::move(*item));
    }
    return json::value(std::move(made));
}

fallible<operand> slice(call const& given) {
    auto const array = given.array(0);
    if (!array) return array.error();
    auto const begin = given.whole(1, (*array)->size());
    if (!begin) return begin.error();
    auto const end = given.count() > 2 ? given.whole(2, (*array)->size()) : (*array)->size();
    if (!end) return end.error();
    if (*end < *begin) return failure{"slice() must not end before it begins"};
    auto const* const items = (*array)->data();
    return with_items({}, items + *begin, items + *end, given.budget);
}

fallible<operand> reverse(call const& given) {
    auto const array = given.array(0);
    if (!array) return array.error();
    auto made = copy(given[0], given.budget);
    if (!made) return made.error();
    std::ranges::reverse(made->get_array());
    return std::move(*made);
}

fallible<operand> flatten(call const& given) {
    auto const array = given.array(0);
    if (!array) return array.error();
    operand made{json::value(json::array_kind)};
    for (auto const& item : **array) {
        auto const* inner = item.if_array();
        auto const* begin = inner ? inner->data() : &item;
        auto more = with_items(
            std::move(made.made()->get_array()),
            begin,
            begin + (inner ? inner->size() : 1),
            given.budget
        );
        if (!more) return more;
        made = std::move(*more);
    }
    return made;
}

fallible<operand> distinct(call const& given) {
    auto const array = given.array(0);
    if (!array) return array.error();
    json::array made;
    for (auto const& item : **array) {
        bool known = false;
        for (auto const& other : made) {
            auto const same = equal(item, other, given.budget);
            if (!same) return same.error();
            if ((known = *same)) break;
        }
        if (known) continue;
        auto one = copy(item, given.budget);
        if (!one) return one.error();
        made.push_back(std::move(*one));
    }
    return json::value(std::move(made));
}

fallible<operand> join(call const& given) {
    auto const array = given.array(0);
    if (!array) return array.error();
    auto const separator = given.count() > 1 ? given.text(1) : std::string_view();
    if (!separator) return separator.error();
    bounded_text made{given.budget};
    for (std::size_t i = 0; i < (*array)->size(); ++i)
        if ((i > 0 && !made.append(*separator)) || !append_text(made, (**array)[i])) break;
    return std::move(made).finish();
}

// The numbers from 0 on, so many.
fallible<operand> range(call const& given) {
    auto const count = given.whole(0, given.budget.limits().steps);
    if (!count) return count.error();
    if (!given.budget.spend(*count)) return given.budget.failure();
    json::array made;
    made.reserve(*count);
    for (std::size_t i = 0; i < *count; ++i) made.emplace_back(static_cast<std::int64_t>(i));
    return json::value(std::move(made));
}

fallible<operand> sort(call const& given) {
    auto const array = given.array(0);
    if (!array) return array.error();
    std::vector<json::value const*> keys;
    for (auto const& item : **array) keys.push_back(&item);
    auto const order = sorted_order(keys, given.budget);
    if (!order) return order.error();
    json::array made;
    for (auto index : *order) {
        auto item = copy(*keys[index], given.budget);
        if (!item) return item.error();
        made.push_back(std::move(*item));
    }
    return json::value(std::move(made));
}

constexpr std::array<function, 11> functions{{
    {"distinct", 1, 1, distinct},
    {"first", 1, 1, end_of<true>},
    {"flatten", 1, 1, flatten},
    {"join", 1, 2, join},
    {"last", 1, 1, end_of<false>},
    {"orValue", 2, 2, or_value},
    {"range", 1, 1, range},
    {"reverse", 1, 1, reverse},
    {"size", 1, 1, size},
    {"slice", 2, 3, slice},
    {"sort", 1, 1, sort},
}};

} // namespace

std::span<function const> array_functions() noexcept {
    return functions;
}

} // namespace postrider::agent::expressions
