// What macros do with the items of an array, the members of an object, or an optional's value.
#include "agent/expression/evaluator.hpp"
#include "agent/expression/time_values.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

namespace postrider::agent::expressions {

namespace {

fallible<json::array> keys_of(json::object const& object, budget& budget) {
    json::array keys;
    keys.reserve(object.size());
    for (auto const& member : object) {
        if (!budget.spend_bytes(member.key().size())) return budget.failure();
        keys.emplace_back(member.key());
    }
    return keys;
}

json::array indices_of(json::array const& array) {
    json::array indices;
    indices.reserve(array.size());
    for (std::size_t i = 0; i < array.size(); ++i)
        indices.emplace_back(static_cast<std::int64_t>(i));
    return indices;
}

} // namespace

// With one variable the items of an array and the keys of an object; with two the index or the key
// first.
fallible<operand> evaluator::macro(node const& at, operand range) {
    if (at.macro == macro_kind::map_optional || at.macro == macro_kind::flat_map_optional)
        return mapped_optional(at, std::move(range));
    auto const* array = range->if_array();
    auto const* object = range->if_object();
    if (!array && !object)
        return failure{fmt::format(
            "this needs an array or an object in front, not a value of type {}", type_name(*range)
        )};
    auto const size = array ? array->size() : object->size();
    bool const named = at.variables == 2;
    if (!budget_.spend_bytes(size * (named ? 2 : 1))) return budget_.failure();
    fallible<json::array> firsts{json::array()};
    if (object)
        firsts = keys_of(*object, budget_);
    else if (named)
        firsts = indices_of(*array);
    if (!firsts) return firsts.error();
    std::vector<element> items;
    items.reserve(size);
    if (array)
        for (std::size_t i = 0; i < size; ++i) {
            auto const* item = &(*array)[i];
            items.push_back({named ? &(*firsts)[i] : item, item, item});
        }
    else
        for (std::size_t i = 0; auto const& member : *object) {
            auto const* key = &(*firsts)[i++];
            items.push_back({key, &member.value(), named ? &member.value() : key});
        }
    set_local(at.slot + at.variables - 1, {});
    return macro_of(at, items);
}

fallible<operand> evaluator::macro_of(node const& at, elements items) {
    switch (at.macro) {
    case macro_kind::all:
    case macro_kind::exists:
        return quantified(at, items);
    case macro_kind::exists_one:
        return counted(at, items);
    case macro_kind::filter:
        return filtered(at, items);
    case macro_kind::find:
        return found(at, items);
    case macro_kind::group_by:
        return grouped(at, items);
    case macro_kind::map_entries:
        return mapped_entries(at, items);
    case macro_kind::map_members:
        return mapped_members(at, items);
    case macro_kind::reduce:
        return reduced(at, items);
    case macro_kind::sort_by:
        return sorted(at, items);
    default:
        return mapped(at, items);
    }
}

fallible<operand> evaluator::body(node const& at, std::size_t index, element const& round) {
    set_local(at.slot, {round.first});
    if (at.variables == 2) set_local(at.slot + 1, {round.second});
    return evaluate(at.operands[index]);
}

fallible<bool> evaluator::test(node const& at, element const& round) {
    auto const value = body(at, 1, round);
    if (!value) return value.error();
    if (auto const* flag = (*value)->if_bool()) return *flag;
    return failure{
        fmt::format("the condition must be true or false, not of type {}", type_name(**value))};
}

fallible<bool> evaluator::chosen(node const& at, element const& round) {
    return at.operands.size() > 2 ? test(at, round) : fallible<bool>(true);
}

// Like && and ||: an item that decides makes up for errors with others.
fallible<operand> evaluator::quantified(node const& at, elements items) {
    bool const deciding = at.macro == macro_kind::exists;
    std::optional<failure> wrong;
    for (auto const& round : items) {
        auto const holds = test(at, round);
        if (holds && *holds == deciding) return json::value(deciding);
        if (holds) continue;
        if (holds.error().kind == failure_kind::limit) return holds.error();
        if (!wrong) wrong = holds.error();
    }
    if (wrong) return *wrong;
    return json::value(!deciding);
}

fallible<operand> evaluator::counted(node const& at, elements items) {
    std::size_t count = 0;
    for (auto const& round : items) {
        auto const holds = test(at, round);
        if (!holds) return holds.error();
        count += *holds ? 1 : 0;
    }
    return json::value(count == 1);
}

fallible<operand> evaluator::filtered(node const& at, elements items) {
    json::array result;
    for (auto const& round : items) {
        auto const holds = test(at, round);
        if (!holds) return holds.error();
        if (!*holds) continue;
        auto own = copy(*round.item, budget_);
        if (!own) return own.error();
        result.push_back(std::move(*own));
    }
    return json::value(std::move(result));
}

fallible<operand> evaluator::found(node const& at, elements items) {
    for (auto const& round : items) {
        auto const holds = test(at, round);
        if (!holds) return holds.error();
        if (*holds) return own(operand::borrowed(*round.item));
    }
    return json::value(nullptr);
}

fallible<operand> evaluator::mapped(node const& at, elements items) {
    json::array result;
    for (auto const& round : items) {
        auto const holds = chosen(at, round);
        if (!holds) return holds.error();
        if (!*holds) continue;
        auto value = body(at, at.operands.size() - 1, round);
        if (!value) return value;
        auto own = take(std::move(*value), budget_);
        if (!own) return own.error();
        result.push_back(std::move(*own));
    }
    return json::value(std::move(result));
}

fallible<operand> evaluator::mapped_members(node const& at, elements items) {
    json::object result;
    for (auto const& round : items) {
        auto const key = key_text(*round.first);
        if (!key) return key.error();
        auto const holds = chosen(at, round);
        if (!holds) return holds.error();
        if (!*holds) continue;
        auto value = body(at, at.operands.size() - 1, round);
        if (!value) return value;
        auto own = take(std::move(*value), budget_);
        if (!own) return own.error();
        result.emplace(*key, std::move(*own));
    }
    return json::value(std::move(result));
}

fallible<operand> evaluator::mapped_entries(node const& at, elements items) {
    json::object result;
    for (auto const& round : items) {
        auto const holds = chosen(at, round);
        if (!holds) return holds.error();
        if (!*holds) continue;
        auto value = body(at, at.operands.size() - 1, round);
        if (!value) return value;
        auto own = take(std::move(*value), budget_);
        if (!own) return own.error();
        auto* members = own->if_object();
        if (!members) return failure{"transformMapEntry() needs an object of each item"};
        for (auto& member : *members)
            if (!result.emplace(member.key(), std::move(member.value())).second)
                return failure{"a key stands twice in the object"};
    }
    return json::value(std::move(result));
}

fallible<operand> evaluator::grouped(node const& at, elements items) {
    json::object result;
    for (auto const& round : items) {
        auto value = body(at, 1, round);
        if (!value) return value;
        if ((*value)->is_structured()) return failure{"the key of a group is no array or object"};
        bounded_text key{budget_};
        if (!append_text(key, **value)) return budget_.failure();
        auto own = copy(*round.item, budget_);
        if (!own) return own.error();
        auto& group = result[key.text()];
        if (group.is_null()) group.emplace_array();
        group.get_array().push_back(std::move(*own));
    }
    return json::value(std::move(result));
}

// The second body goes on from what there is so far.
fallible<operand> evaluator::reduced(node const& at, elements items) {
    auto value = evaluate(at.operands[1]);
    for (auto const& round : items) {
        if (!value) return value;
        set_local(at.slot + 1, {round.item});
        value = with_local(at.operands[2], at.slot, operand{std::move(*value)});
    }
    return value;
}

// An instant as a key is its time, since texts of instants with fractions sort otherwise.
fallible<operand> evaluator::sorted(node const& at, elements items) {
    std::vector<json::value> keys;
    for (auto const& round : items) {
        auto key = body(at, 1, round);
        if (!key) return key;
        if (key->is(meaning::timestamp)) key = number_value(timestamp_in(**key)->since_1970());
        auto own = take(std::move(*key), budget_);
        if (!own) return own.error();
        keys.push_back(std::move(*own));
    }
    std::vector<json::value const*> pointers;
    pointers.reserve(keys.size());
    for (auto const& key : keys) pointers.push_back(&key);
    auto const order = sorted_order(pointers, budget_);
    if (!order) return order.error();
    json::array result;
    for (auto index : *order) {
        auto own = copy(*items[index].item, budget_);
        if (!own) return own.error();
        result.push_back(std::move(*own));
    }
    return json::value(std::move(result));
}

// null has no value either, as it is what JSON has instead of none.
fallible<operand> evaluator::mapped_optional(node const& at, operand optional) {
    bool const empty = optional.is_optional() ? optional.is(meaning::none) : optional->is_null();
    if (empty) return operand::none();
    auto result = with_local(at.operands[1], at.slot, std::move(optional).with(meaning::plain));
    if (!result) return result;
    bool const nested = at.macro == macro_kind::flat_map_optional;
    if (nested && !result->is_optional()) return failure{"optFlatMap() needs an optional"};
    return nested ? std::move(*result) : std::move(*result).with(meaning::some);
}

} // namespace postrider::agent::expressions
