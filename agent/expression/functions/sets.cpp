// Arrays taken as sets: what is in both, or in one of them.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>

#include <array>

namespace postrider::agent::expressions {

namespace {

struct two_sets {
    json::array const& first;
    json::array const& second;
};

fallible<two_sets> sets_of(call const& call) {
    auto const first = call.array(0);
    auto const second = call.array(1);
    if (!first) return first.error();
    if (!second) return second.error();
    return two_sets{**first, **second};
}

fallible<bool> has(json::array const& set, json::value const& needle, budget& budget) {
    for (auto const& item : set)
        if (auto same = equal(item, needle, budget); !same || *same) return same;
    return false;
}

// Whether one of the items is in the other set (Wanted), or one is not.
template<bool Wanted>
fallible<bool> any(json::array const& items, json::array const& set, budget& budget) {
    for (auto const& item : items) {
        auto const contained = has(set, item, budget);
        if (!contained) return contained.error();
        if (*contained == Wanted) return true;
    }
    return false;
}

fallible<operand> contains_items(call const& call) {
    auto const sets = sets_of(call);
    if (!sets) return sets.error();
    auto const missing = any<false>(sets->second, sets->first, call.budget);
    if (!missing) return missing.error();
    return json::value(!*missing);
}

fallible<operand> equivalent(call const& call) {
    auto const sets = sets_of(call);
    if (!sets) return sets.error();
    auto const missing = any<false>(sets->second, sets->first, call.budget);
    if (!missing) return missing.error();
    auto const surplus = any<false>(sets->first, sets->second, call.budget);
    if (!surplus) return surplus.error();
    return json::value(!*missing && !*surplus);
}

fallible<operand> intersects(call const& call) {
    auto const sets = sets_of(call);
    if (!sets) return sets.error();
    auto const common = any<true>(sets->first, sets->second, call.budget);
    if (!common) return common.error();
    return json::value(*common);
}

// The items of the first array that are in the second one too, or are not.
template<bool Common>
fallible<operand> selected_items(call const& call) {
    auto const sets = sets_of(call);
    if (!sets) return sets.error();
    json::array result;
    for (auto const& item : sets->first) {
        auto const contained = has(sets->second, item, call.budget);
        if (!contained) return contained.error();
        if (*contained != Common) continue;
        auto own = copy(item, call.budget);
        if (!own) return own.error();
        result.push_back(std::move(*own));
    }
    return json::value(std::move(result));
}

constexpr std::array sets_functions{
    function{
        "difference",
        2,
        2,
        selected_items<false>,
        R"doc(the items that the other array does not contain
[1, 2, 3].difference([2]) → [1, 3])doc"},
    function{
        "intersection",
        2,
        2,
        selected_items<true>,
        R"doc(the items that the other array contains too
[1, 2, 3].intersection([2, 4]) → [2])doc"},
    function{
        "sets.contains",
        2,
        2,
        contains_items,
        R"doc(whether the first array contains all items of the second
sets.contains([1, 2, 3], [2, 3]) → true)doc"},
    function{
        "sets.equivalent",
        2,
        2,
        equivalent,
        R"doc(whether each array contains all items of the other
sets.equivalent([1, 2], [2, 1, 1]) → true)doc"},
    function{"sets.intersects", 2, 2, intersects, R"doc(whether the arrays have an item in common
sets.intersects([1, 2], [3]) → false)doc"},
};

} // namespace

function_family const sets_family{"Sets", sets_functions};

} // namespace postrider::agent::expressions
