#include "agent/expression/evaluator.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

namespace postrider::agent::expressions {

namespace {

using items = std::span<json::value const* const>;

// An object stands for its keys.
fallible<json::value> keys_of(json::object const& object, budget& budget) {
    json::array keys;
    for (auto const& member : object) {
        if (!budget.spend_bytes(member.key().size())) return budget.failure();
        keys.emplace_back(member.key());
    }
    return json::value(std::move(keys));
}

} // namespace

fallible<operand> evaluator::macro(node const& at, operand range) {
    if (auto const* object = range->if_object()) {
        auto keys = keys_of(*object, budget_);
        if (!keys) return keys.error();
        range = std::move(*keys);
    }
    auto const* array = range->if_array();
    if (!array)
        return failure{fmt::format(
            "this needs an array or an object in front, not a value of type {}", type_name(*range)
        )};
    if (locals_.size() <= at.slot) locals_.resize(at.slot + 1);
    if (!budget_.spend_bytes(array->size())) return budget_.failure();
    std::vector<json::value const*> pointers;
    pointers.reserve(array->size());
    for (auto const& item : *array) pointers.push_back(&item);
    switch (at.which) {
    case macro_kind::all:
    case macro_kind::exists:
        return quantified(at, pointers);
    case macro_kind::exists_one:
        return counted(at, pointers);
    case macro_kind::filter:
        return filtered(at, pointers);
    case macro_kind::map:
        return mapped(at, pointers);
    default:
        return sorted(at, pointers);
    }
}

fallible<operand> evaluator::body(node const& at, std::size_t index, json::value const& item) {
    locals_[at.slot] = &item;
    return evaluate(at.operands[index]);
}

fallible<bool> evaluator::test(node const& at, json::value const& item) {
    auto const value = body(at, 1, item);
    if (!value) return value.error();
    if (auto const* flag = (*value)->if_bool()) return *flag;
    return failure{
        fmt::format("the condition must be true or false, not of type {}", type_name(**value))};
}

// Like && and ||: an item that decides makes up for errors with others.
fallible<operand> evaluator::quantified(node const& at, items all) {
    bool const deciding = at.which == macro_kind::exists;
    std::optional<failure> wrong;
    for (auto const* item : all) {
        auto const holds = test(at, *item);
        if (holds && *holds == deciding) return json::value(deciding);
        if (holds) continue;
        if (holds.error().what == failure::kind::limit) return holds.error();
        if (!wrong) wrong = holds.error();
    }
    if (wrong) return *wrong;
    return json::value(!deciding);
}

fallible<operand> evaluator::counted(node const& at, items all) {
    std::size_t count = 0;
    for (auto const* item : all) {
        auto const holds = test(at, *item);
        if (!holds) return holds.error();
        count += *holds ? 1 : 0;
    }
    return json::value(count == 1);
}

fallible<operand> evaluator::filtered(node const& at, items all) {
    json::array made;
    for (auto const* item : all) {
        auto const holds = test(at, *item);
        if (!holds) return holds.error();
        if (!*holds) continue;
        auto own = copy(*item, budget_);
        if (!own) return own.error();
        made.push_back(std::move(*own));
    }
    return json::value(std::move(made));
}

// With three arguments, the first of the bodies chooses.
fallible<operand> evaluator::mapped(node const& at, items all) {
    json::array made;
    bool const chooses = at.operands.size() > 2;
    for (auto const* item : all) {
        if (chooses) {
            auto const holds = test(at, *item);
            if (!holds) return holds.error();
            if (!*holds) continue;
        }
        auto value = body(at, at.operands.size() - 1, *item);
        if (!value) return value;
        auto own = take(std::move(*value), budget_);
        if (!own) return own.error();
        made.push_back(std::move(*own));
    }
    return json::value(std::move(made));
}

fallible<operand> evaluator::sorted(node const& at, items all) {
    std::vector<json::value> keys;
    for (auto const* item : all) {
        auto key = body(at, 1, *item);
        if (!key) return key;
        auto own = take(std::move(*key), budget_);
        if (!own) return own.error();
        keys.push_back(std::move(*own));
    }
    std::vector<json::value const*> pointers;
    for (auto const& key : keys) pointers.push_back(&key);
    auto const order = sorted_order(pointers, budget_);
    if (!order) return order.error();
    json::array made;
    for (auto index : *order) {
        auto own = copy(*all[index], budget_);
        if (!own) return own.error();
        made.push_back(std::move(*own));
    }
    return json::value(std::move(made));
}

} // namespace postrider::agent::expressions
