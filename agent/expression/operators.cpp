#include "agent/expression/arithmetic.hpp"
#include "agent/expression/evaluator.hpp"
#include "agent/expression/hints.hpp"
#include "agent/expression/time_operators.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <cmath>
#include <compare>

namespace postrider::agent::expressions {

namespace {

std::string_view spelling(symbol operation) noexcept {
    switch (operation) {
    case symbol::plus:
        return "+";
    case symbol::minus:
        return "-";
    case symbol::times:
        return "*";
    case symbol::divide:
        return "/";
    case symbol::remainder:
        return "%";
    case symbol::logical_and:
        return "&&";
    default:
        return "||";
    }
}

fallible<bool> truth(symbol operation, fallible<operand> const& value) {
    if (!value) return value.error();
    if (auto const* flag = (*value)->if_bool()) return *flag;
    return failure{fmt::format(
        "`{}` needs true or false on both sides, not a value of type {}{}",
        spelling(operation),
        type_name(**value),
        operation == symbol::logical_or ? "; a.orValue(b) gives b instead of null" : ""
    )};
}

bool ends_all(fallible<bool> const& value) noexcept {
    return !value && value.error().kind == failure_kind::limit;
}

// What is missing within an index is not missing along the path that has() looks at.
failure off_the_path(failure reason) {
    if (reason.kind == failure_kind::missing) reason.kind = failure_kind::wrong;
    return reason;
}

bool holds(symbol relation, std::strong_ordering order) noexcept {
    switch (relation) {
    case symbol::less:
        return std::is_lt(order);
    case symbol::at_most:
        return std::is_lteq(order);
    case symbol::greater:
        return std::is_gt(order);
    default:
        return std::is_gteq(order);
    }
}

// A part of a value: cut out of one that was made here, borrowed of one that is borrowed.
template<class Key>
operand part_of(operand whole, Key key) {
    if (auto* owned = whole.owned()) return json::value(std::move(owned->at(key)));
    return operand::borrowed(whole->at(key));
}

} // namespace

fallible<operand> evaluator::apply(node const& at, fallible<operand> left) {
    bool const is_logical = at.kind == node_kind::binary && (at.operation == symbol::logical_and ||
                                                             at.operation == symbol::logical_or);
    if (is_logical) return logical(at, left);
    if (!left) return left;
    switch (at.kind) {
    case node_kind::binary:
        return binary(at, std::move(*left));
    case node_kind::member:
        return member(at, std::move(*left));
    case node_kind::index:
        return index(at, std::move(*left));
    case node_kind::macro:
        return macro(at, std::move(*left));
    default:
        return call(at, std::move(*left));
    }
}

// Whichever side decides alone makes up for an error in the other one.
fallible<operand> evaluator::logical(node const& at, fallible<operand> const& left) {
    bool const deciding = at.operation == symbol::logical_or;
    auto const first = truth(at.operation, left);
    if (ends_all(first)) return first.error();
    if (first && *first == deciding) return json::value(deciding);
    auto const right = evaluate(at.operands[1]);
    auto const second = truth(at.operation, right);
    if (ends_all(second)) return second.error();
    if (second && *second == deciding) return json::value(deciding);
    // `$json.name || "nobody"`: that it is no condition says more than what is missing in it.
    if (right && !second) return second.error();
    if (!first) return first.error();
    if (!second) return second.error();
    return json::value(!deciding);
}

fallible<operand> evaluator::binary(node const& at, operand left) {
    auto right = evaluate(at.operands[1]);
    if (!right) return right;
    auto const operation = at.operation;
    if (operation == symbol::equal || operation == symbol::unequal) {
        auto const same = are_equal(left, *right);
        if (!same) return same.error();
        return json::value(*same == (operation == symbol::equal));
    }
    if (operation == symbol::in) {
        auto const contained = is_in(*left, **right);
        if (!contained) return contained.error();
        return json::value(*contained);
    }
    if (operation == symbol::less || operation == symbol::at_most || operation == symbol::greater ||
        operation == symbol::at_least) {
        auto const times = order_of_times(left, *right);
        auto const order = times ? *times : compare(*left, **right, budget_);
        if (!order) return order.error();
        return json::value(holds(operation, *order));
    }
    if (auto time = calculate_times(operation, left, *right)) return std::move(*time);
    if (left->is_number() && (*right)->is_number()) {
        auto const value =
            calculate(operation, left->to_number<double>(), (*right)->to_number<double>());
        if (!value) return failure{value.error().detail};
        return number_value(*value);
    }
    if (operation == symbol::plus) return sum(std::move(left), std::move(*right));
    return failure{fmt::format(
        "`{}` needs two numbers, not {} and {}",
        spelling(operation),
        type_name(*left),
        type_name(**right)
    )};
}

// Two optionals are equal when both or none have a value, and these are.
fallible<bool> evaluator::are_equal(operand const& left, operand const& right) {
    if (left.is_optional() && right.is_optional() && left.meaning() != right.meaning())
        return false;
    if (auto const order = order_of_times(left, right); order && *order) return std::is_eq(**order);
    return equal(*left, *right, budget_);
}

fallible<operand> evaluator::sum(operand left, operand right) {
    auto const *head = left->if_string(), *tail = right->if_string();
    if (head && tail) {
        bounded_text text{budget_};
        if (text.append(view(*head))) text.append(view(*tail));
        return std::move(text).finish();
    }
    if (left->is_array() && right->is_array()) {
        auto joined = take(std::move(left), budget_);
        if (!joined) return joined.error();
        auto more = take(std::move(right), budget_);
        if (!more) return more.error();
        if (!budget_.spend(more->get_array().size())) return budget_.failure();
        for (auto& item : more->get_array()) joined->get_array().push_back(std::move(item));
        return std::move(*joined);
    }
    return failure{fmt::format(
        "`+` needs two numbers, two strings or two arrays, not {} and {}{}",
        type_name(*left),
        type_name(*right),
        head || tail ? "; string() makes a string of anything" : ""
    )};
}

fallible<bool> evaluator::is_in(json::value const& value, json::value const& range) {
    if (auto const* object = range.if_object()) {
        auto const key = key_text(value);
        if (!key) return key.error();
        return object->contains(*key);
    }
    auto const* array = range.if_array();
    if (!array)
        return failure{fmt::format(
            "`in` needs an array or an object on the right, not a value of type {}",
            type_name(range)
        )};
    for (auto const& item : *array)
        if (auto same = equal(value, item, budget_); !same || *same) return same;
    return false;
}

fallible<operand> evaluator::member(node const& at, operand container) {
    return member_named(std::move(container), at.name, true, at.optional);
}

fallible<operand> evaluator::member_named(
    operand container, std::string_view name, bool literal, bool optional
) {
    if (container.is(meaning::none) || (container->is_null() && optional)) return operand::none();
    bool const chained = container.is(meaning::some);
    auto const shown_name = literal ? fmt::format(" `{}`", name) : std::string();
    auto const* object = container->if_object();
    if (!object)
        return failure{
            fmt::format(
                "there is no member{} in a value of type {}{}",
                shown_name,
                type_name(*container),
                literal ? hint_for_member(name) : std::string()
            ),
            container->is_null() && !chained ? failure_kind::missing : failure_kind::wrong};
    auto const key = json::string_view(name.data(), name.size());
    bool const is_optional = optional || chained;
    if (object->contains(key))
        return part_of(std::move(container), key)
            .with(is_optional ? meaning::some : meaning::plain);
    if (is_optional) return operand::none();
    auto meant = literal ? suggestion(name, *object, budget_) : std::string();
    if (literal && meant.empty()) meant = hint_for_member(name);
    return failure{
        fmt::format("there is no member{} here{}", shown_name, meant), failure_kind::missing};
}

fallible<operand> evaluator::index(node const& at, operand container) {
    auto const key = evaluate(at.operands[1]);
    if (!key) return off_the_path(key.error());
    if (container->is_object() || ((*key)->is_string() && !container->is_array())) {
        auto const name = key_text(**key);
        if (!name) return name.error();
        bool const literal = tree_.nodes[at.operands[1]].kind == node_kind::literal;
        return member_named(std::move(container), *name, literal, at.optional);
    }
    if (container.is(meaning::none) || (container->is_null() && at.optional))
        return operand::none();
    bool const is_optional = at.optional || container.is(meaning::some);
    auto const* array = container->if_array();
    if (!array || !(*key)->is_number())
        return failure{
            fmt::format(
                "a value of type {} has no index of type {}{}",
                type_name(*container),
                type_name(**key),
                container->is_string() ? "; charAt() gives a character" : ""
            ),
            container->is_null() ? failure_kind::missing : failure_kind::wrong};
    auto const number = (*key)->to_number<double>();
    if (number >= 0 && number < static_cast<double>(array->size()) && std::trunc(number) == number)
        return part_of(std::move(container), static_cast<std::size_t>(number))
            .with(is_optional ? meaning::some : meaning::plain);
    if (is_optional) return operand::none();
    return failure{
        fmt::format("there is no such index: the array has {} items", array->size()),
        failure_kind::missing};
}

} // namespace postrider::agent::expressions
