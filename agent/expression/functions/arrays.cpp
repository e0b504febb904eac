// Functions of arrays, and those that arrays, objects and texts share.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/values.hpp"
#include "agent/language/unicode.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace postrider::agent::expressions {

namespace {

fallible<operand> size(call const& call) {
    auto const& value = call[0];
    std::size_t count = 0;
    if (auto const* text = value.if_string())
        count = code_points(view(*text));
    else if (auto const* array = value.if_array())
        count = array->size();
    else if (auto const* object = value.if_object())
        count = object->size();
    else
        return call.unfit(0, "a string, an array or an object");
    return json::value(static_cast<std::int64_t>(count));
}

template<bool First>
fallible<operand> end_of(call const& call) {
    auto const array = call.array(0);
    if (!array) return array.error();
    if ((*array)->empty()) return json::value(nullptr);
    auto result = copy(First ? (*array)->front() : (*array)->back(), call.budget);
    if (!result) return result.error();
    return std::move(*result);
}

// Copies of the items from `begin` to `end`, in front of them those of `result`.
fallible<operand> with_items(
    json::array result, json::value const* begin, json::value const* end, budget& budget
) {
    result.reserve(result.size() + static_cast<std::size_t>(end - begin));
    for (; begin != end; ++begin) {
        auto item = copy(*begin, budget);
        if (!item) return item.error();
        result.push_back(std::move(*item));
    }
    return json::value(std::move(result));
}

// A position between items; a negative one counts from the end.
fallible<std::size_t> item_position(call const& call, std::size_t index, std::size_t size) {
    auto const item_position = call.number(index);
    auto const from_end = item_position ? *item_position + static_cast<double>(size) : 0;
    if (item_position && *item_position < 0 && from_end >= 0 &&
        std::trunc(*item_position) == *item_position)
        return static_cast<std::size_t>(from_end);
    return call.whole(index, size);
}

// Of so many items or code points: where the slice begins and ends.
fallible<std::pair<std::size_t, std::size_t>> slice_bounds(call const& call, std::size_t size) {
    auto const begin = item_position(call, 1, size);
    if (!begin) return begin.error();
    auto const end = call.count() > 2 ? item_position(call, 2, size) : size;
    if (!end) return end.error();
    if (*end < *begin) return failure{"slice() must not end before it begins"};
    return std::pair{*begin, *end};
}

fallible<operand> slice(call const& call) {
    if (auto const* text = call[0].if_string()) {
        auto const bounds = slice_bounds(call, code_points(view(*text)));
        if (!bounds) return bounds.error();
        auto const begin = offset_of(view(*text), bounds->first);
        auto const end = offset_of(view(*text), bounds->second);
        return text_operand(view(*text).substr(begin, end - begin));
    }
    auto const array = call.array(0);
    if (!array) return array.error();
    auto const bounds = slice_bounds(call, (*array)->size());
    if (!bounds) return bounds.error();
    auto const* const items = (*array)->data();
    return with_items({}, items + bounds->first, items + bounds->second, call.budget);
}

fallible<operand> reverse(call const& call) {
    if (auto const* text = call[0].if_string()) return text_operand(reversed(view(*text)));
    auto const array = call.array(0);
    if (!array) return array.error();
    auto result = copy(call[0], call.budget);
    if (!result) return result.error();
    std::ranges::reverse(result->get_array());
    return std::move(*result);
}

std::optional<failure> append_flat(
    json::array& result, json::array const& array, std::size_t levels, budget& budget
) {
    for (auto const& item : array) {
        auto const* inner = levels > 0 ? item.if_array() : nullptr;
        if (inner) {
            if (!budget.spend()) return budget.failure();
            if (auto wrong = append_flat(result, *inner, levels - 1, budget)) return wrong;
            continue;
        }
        auto own = copy(item, budget);
        if (!own) return own.error();
        result.push_back(std::move(*own));
    }
    return std::nullopt;
}

fallible<operand> flatten(call const& call) {
    auto const array = call.array(0);
    auto const levels =
        call.count() > 1 ? call.whole(1, call.budget.limits().depth) : std::size_t{1};
    if (!array) return array.error();
    if (!levels) return levels.error();
    json::array result;
    if (auto wrong = append_flat(result, **array, *levels, call.budget)) return std::move(*wrong);
    return json::value(std::move(result));
}

// Parts of so many items; the last one has what is left.
fallible<operand> chunk(call const& call) {
    auto const array = call.array(0);
    auto const size = call.whole(1, call.budget.limits().steps);
    if (!array) return array.error();
    if (!size) return size.error();
    if (*size == 0) return failure{"chunk() needs at least 1 item in each part"};
    json::array result;
    for (std::size_t begin = 0; begin < (*array)->size(); begin += *size) {
        auto const* const items = (*array)->data();
        auto const end = std::min(begin + *size, (*array)->size());
        auto part = with_items({}, items + begin, items + end, call.budget);
        if (!part) return part;
        result.push_back(std::move(*part->owned()));
    }
    return json::value(std::move(result));
}

fallible<operand> distinct(call const& call) {
    auto const array = call.array(0);
    if (!array) return array.error();
    json::array result;
    for (auto const& item : **array) {
        bool is_repeated = false;
        for (auto const& other : result) {
            auto const same = equal(item, other, call.budget);
            if (!same) return same.error();
            if ((is_repeated = *same)) break;
        }
        if (is_repeated) continue;
        auto copied = copy(item, call.budget);
        if (!copied) return copied.error();
        result.push_back(std::move(*copied));
    }
    return json::value(std::move(result));
}

fallible<operand> join(call const& call) {
    auto const array = call.array(0);
    if (!array) return array.error();
    auto const separator = call.count() > 1 ? call.text(1) : std::string_view();
    if (!separator) return separator.error();
    bounded_text result{call.budget};
    for (std::size_t i = 0; i < (*array)->size(); ++i)
        if ((i > 0 && !result.append(*separator)) || !append_text(result, (**array)[i])) break;
    return std::move(result).finish();
}

// The numbers from 0 on, so many.
fallible<operand> range(call const& call) {
    auto const count = call.whole(0, call.budget.limits().steps);
    if (!count) return count.error();
    if (!call.budget.spend(*count)) return call.budget.failure();
    json::array result;
    result.reserve(*count);
    for (std::size_t i = 0; i < *count; ++i) result.emplace_back(static_cast<std::int64_t>(i));
    return json::value(std::move(result));
}

fallible<operand> sort(call const& call) {
    auto const array = call.array(0);
    if (!array) return array.error();
    std::vector<json::value const*> keys;
    for (auto const& item : **array) keys.push_back(&item);
    auto const order = sorted_order(keys, call.budget);
    if (!order) return order.error();
    json::array result;
    for (auto index : *order) {
        auto item = copy(*keys[index], call.budget);
        if (!item) return item.error();
        result.push_back(std::move(*item));
    }
    return json::value(std::move(result));
}

constexpr std::array arrays_functions{
    function{"chunk", 2, 2, chunk, R"doc(arrays of a given size; the last one may be shorter
[1, 2, 3].chunk(2) → [[1, 2], [3]])doc"},
    function{"distinct", 1, 1, distinct, R"doc(the items without duplicates
[1, 2, 1].distinct() → [1, 2])doc"},
    function{"first", 1, 1, end_of<true>, R"doc(the first item, or `null` if there is none
$json.tags.first() → "new")doc"},
    function{
        "flatten",
        1,
        2,
        flatten,
        R"doc(the array with the items of nested arrays, opened one level deep or a given number of levels
[1, [2, [3]]].flatten() → [1, 2, [3]])doc"},
    function{"join", 1, 2, join, R"doc(the items as one text, with an optional separator
$json.tags.join(", ") → "new, paid")doc"},
    function{"last", 1, 1, end_of<false>, R"doc(the last item, or `null` if there is none
[].last() → null)doc"},
    function{"lists.range", 1, 1, range, R"doc(the same as `range`
lists.range(2) → [0, 1])doc"},
    function{"range", 1, 1, range, R"doc(a given number of whole numbers, from 0 up
range(3) → [0, 1, 2])doc"},
    function{
        "reverse", 1, 1, reverse, R"doc(the items, or the code points of a text, in reverse order
[1, 2].reverse() → [2, 1])doc"},
    function{"size", 1, 1, size, R"doc(the number of code points, items or members
"größe".size() → 5
size($json) → 6)doc"},
    function{
        "slice",
        2,
        3,
        slice,
        R"doc(the items, or the code points of a text, from a position to the end, or to just before a second position; negative positions count from the end
[1, 2, 3, 4].slice(1, 3) → [2, 3]
[1, 2, 3, 4].slice(-2) → [3, 4]
"größe".slice(-2) → "ße")doc"},
    function{"sort", 1, 1, sort, R"doc(the numbers or strings in ascending order
[3, 1, 2].sort() → [1, 2, 3])doc"},
};

} // namespace

function_family const arrays_family{"Arrays", arrays_functions};

} // namespace postrider::agent::expressions
