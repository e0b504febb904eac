// Functions of arrays, and those that arrays, objects and texts share.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/unicode.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

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

// A position between items; a negative one counts from the end.
fallible<std::size_t> position(call const& given, std::size_t index, std::size_t size) {
    auto const position = given.number(index);
    auto const from_end = position ? *position + static_cast<double>(size) : 0;
    if (position && *position < 0 && from_end >= 0 && std::trunc(*position) == *position)
        return static_cast<std::size_t>(from_end);
    return given.whole(index, size);
}

fallible<operand> slice(call const& given) {
    auto const array = given.array(0);
    if (!array) return array.error();
    auto const begin = position(given, 1, (*array)->size());
    if (!begin) return begin.error();
    auto const end = given.count() > 2 ? position(given, 2, (*array)->size()) : (*array)->size();
    if (!end) return end.error();
    if (*end < *begin) return failure{"slice() must not end before it begins"};
    auto const* const items = (*array)->data();
    return with_items({}, items + *begin, items + *end, given.budget);
}

fallible<operand> reverse(call const& given) {
    if (auto const* text = given[0].if_string()) return text_operand(reversed(view(*text)));
    auto const array = given.array(0);
    if (!array) return array.error();
    auto made = copy(given[0], given.budget);
    if (!made) return made.error();
    std::ranges::reverse(made->get_array());
    return std::move(*made);
}

std::optional<failure> append_flat(
    json::array& made, json::array const& from, std::size_t levels, budget& budget
) {
    for (auto const& item : from) {
        auto const* inner = levels > 0 ? item.if_array() : nullptr;
        if (inner) {
            if (!budget.spend()) return budget.failure();
            if (auto wrong = append_flat(made, *inner, levels - 1, budget)) return wrong;
            continue;
        }
        auto own = copy(item, budget);
        if (!own) return own.error();
        made.push_back(std::move(*own));
    }
    return std::nullopt;
}

fallible<operand> flatten(call const& given) {
    auto const array = given.array(0);
    auto const levels =
        given.count() > 1 ? given.whole(1, given.budget.limits().depth) : std::size_t{1};
    if (!array) return array.error();
    if (!levels) return levels.error();
    json::array made;
    if (auto wrong = append_flat(made, **array, *levels, given.budget)) return std::move(*wrong);
    return json::value(std::move(made));
}

// Parts of so many items; the last one has what is left.
fallible<operand> chunk(call const& given) {
    auto const array = given.array(0);
    auto const size = given.whole(1, given.budget.limits().steps);
    if (!array) return array.error();
    if (!size) return size.error();
    if (*size == 0) return failure{"chunk() needs at least 1 item in each part"};
    json::array made;
    for (std::size_t begin = 0; begin < (*array)->size(); begin += *size) {
        auto const* const items = (*array)->data();
        auto const end = std::min(begin + *size, (*array)->size());
        auto part = with_items({}, items + begin, items + end, given.budget);
        if (!part) return part;
        made.push_back(std::move(*part->made()));
    }
    return json::value(std::move(made));
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

constexpr std::array functions{
    function{"chunk", 2, 2, chunk, R"doc(parts of so many items
[1, 2, 3].chunk(2) → [[1, 2], [3]])doc"},
    function{"distinct", 1, 1, distinct, R"doc(without repetitions
[1, 2, 1].distinct() → [1, 2])doc"},
    function{"first", 1, 1, end_of<true>, R"doc(the first item, `null` without one
$json.tags.first() → "new")doc"},
    function{"flatten", 1, 2, flatten, R"doc(arrays within it opened, one level or so many
[1, [2, [3]]].flatten() → [1, 2, [3]])doc"},
    function{"join", 1, 2, join, R"doc(the items as text, with a text between
$json.tags.join(", ") → "new, paid")doc"},
    function{"last", 1, 1, end_of<false>, R"doc(the last one
[].last() → null)doc"},
    function{"lists.range", 1, 1, range, R"doc(as `range`
lists.range(2) → [0, 1])doc"},
    function{"range", 1, 1, range, R"doc(so many numbers from 0 on
range(3) → [0, 1, 2])doc"},
    function{"reverse", 1, 1, reverse, R"doc(the other way round, texts too
[1, 2].reverse() → [2, 1])doc"},
    function{"size", 1, 1, size, R"doc(how many code points, items or members
"größe".size() → 5
size($json) → 6)doc"},
    function{
        "slice",
        2,
        3,
        slice,
        R"doc(from a position on, up to before another; negative ones count from the end
[1, 2, 3, 4].slice(1, 3) → [2, 3]
[1, 2, 3, 4].slice(-2) → [3, 4])doc"},
    function{"sort", 1, 1, sort, R"doc(numbers or strings in order
[3, 1, 2].sort() → [1, 2, 3])doc"},
};

} // namespace

function_family const arrays_family{"Arrays", functions};

} // namespace postrider::agent::expressions
