#include "agent/expression/macros.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::expressions {

namespace {

using kind = macro_kind;

constexpr std::array table{
    macro{
        "all",
        kind::all,
        1,
        2,
        1,
        1,
        R"doc(whether the condition holds for every item; one `false` decides, even if other items fail
$json.items.all(i, i.price > 5) → false
[5, 6].all(i, x, x == i + 5) → true)doc"},
    macro{
        "exists",
        kind::exists,
        1,
        2,
        1,
        1,
        R"doc(whether the condition holds for at least one item; one `true` decides, even if other items fail
$json.items.exists(i, i.price > 5) → true
{"a": 1}.exists(k, v, k == "a" && v == 1) → true)doc"},
    macro{
        "exists_one",
        kind::exists_one,
        1,
        2,
        1,
        1,
        R"doc(whether the condition holds for exactly one item
[1, 2, 2].exists_one(i, i == 2) → false)doc"},
    macro{"existsOne", kind::exists_one, 1, 2, 1, 1, R"doc(the same as `exists_one`
[1, 2, 2].existsOne(i, x, i == 0 && x == 1) → true)doc"},
    macro{"filter", kind::filter, 1, 2, 1, 1, R"doc(the items that meet the condition
[1, 2, 3].filter(i, i % 2 == 1) → [1, 3]
["a", "b"].filter(i, x, i > 0) → ["b"])doc"},
    macro{
        "find",
        kind::find,
        1,
        2,
        1,
        1,
        R"doc(the first item that meets the condition, or `null` if none does
$json.items.find(i, i.price > 5).title → "Cake")doc"},
    macro{"groupBy", kind::group_by, 1, 1, 1, 1, R"doc(an object that lists the items under each key
[1, 2, 3].groupBy(i, i % 2 == 0 ? "even" : "odd") → {"odd": [1, 3], "even": [2]})doc"},
    macro{
        "map",
        kind::map,
        1,
        1,
        1,
        2,
        R"doc(the result for each item; with a condition in front, only for the items that meet it
$json.items.map(i, i.price * i.count) → [7, 12]
{"a": 1, "b": 2}.map(k, k) → ["a", "b"]
[1, 2, 3].map(i, i > 1, i * 10) → [20, 30])doc"},
    macro{
        "optFlatMap",
        kind::flat_map_optional,
        1,
        1,
        1,
        1,
        R"doc(as `optMap`, for an expression that returns an optional
$json.?nickname.optFlatMap(n, optional.none()).hasValue() → false)doc"},
    macro{
        "optMap",
        kind::map_optional,
        1,
        1,
        1,
        1,
        R"doc(an optional with the result for the value, or none if there is no value
$json.?name.optMap(n, n + "!").orValue("?") → "Ada!")doc"},
    macro{
        "reduce",
        kind::reduce,
        2,
        2,
        2,
        2,
        R"doc(one value, built up item by item: each result is the input for the next item; the third argument is the start
[1, 2, 3].reduce(sum, x, 0, sum + x) → 6)doc"},
    macro{"sortBy", kind::sort_by, 1, 1, 1, 1, R"doc(the items sorted by a key
$json.items.sortBy(i, i.title).map(i, i.title) → ["Cake", "Tea"])doc"},
    macro{"transformList", kind::map, 2, 2, 1, 2, R"doc(as `map`, with two names
["a", "b"].transformList(i, x, string(i) + x) → ["0a", "1b"]
{"a": 1}.transformList(k, v, k + string(v)) → ["a1"])doc"},
    macro{
        "transformMapEntry",
        kind::map_entries,
        2,
        2,
        1,
        2,
        R"doc(one object with the members of the objects made for each item
$json.items.transformMapEntry(i, x, {x.title: x.price}) → {"Tea": 3.5, "Cake": 12})doc"},
    macro{
        "transformMap",
        kind::map_members,
        2,
        2,
        1,
        2,
        R"doc(the object with new values; with a condition in front, only the members that meet it
{"a": 1, "b": 2}.transformMap(k, v, v > 1, v * 10) → {"b": 20})doc"},
};

} // namespace

std::span<macro const> macros() noexcept {
    return table;
}

macro const* find_macro(std::string_view name) noexcept {
    auto const place = std::ranges::find(table, name, &macro::name);
    return place == table.end() ? nullptr : &*place;
}

} // namespace postrider::agent::expressions
