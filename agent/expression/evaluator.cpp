#include "agent/expression/evaluator.hpp"

#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace postrider::agent::expressions {

namespace {

bool goes_on_from_its_left(node const& at) noexcept {
    switch (at.kind) {
    case node_kind::binary:
    case node_kind::member:
    case node_kind::index:
    case node_kind::macro:
        return true;
    case node_kind::call:
        return !at.operands.empty();
    default:
        return false;
    }
}

// What has() may forgive is what is missing along its own path, not within an index or a body.
bool is_path(node const& at) noexcept {
    switch (at.kind) {
    case node_kind::variable:
    case node_kind::other:
    case node_kind::member:
    case node_kind::index:
        return true;
    default:
        return false;
    }
}

fallible<operand> placed(node const& at, fallible<operand> value) {
    if (value) return value;
    auto reason = value.error();
    if (!reason.offset) reason.offset = at.offset;
    if (reason.kind == failure_kind::missing && !is_path(at)) reason.kind = failure_kind::wrong;
    return reason;
}

} // namespace

// A long chain, such as a + b + c or a.b.c, is a loop: only nesting recurses, and that is bounded.
fallible<operand> evaluator::evaluate(node_id id) {
    std::vector<node const*> chain;
    auto const* at = &tree_.nodes[id];
    for (; goes_on_from_its_left(*at); at = &tree_.nodes[at->operands.front()]) chain.push_back(at);
    if (!budget_.spend(1 + chain.size())) return budget_.failure();
    auto value = placed(*at, leaf(*at));
    for (auto next = chain.rbegin(); next != chain.rend(); ++next)
        value = placed(**next, apply(**next, std::move(value)));
    return value;
}

fallible<operand> evaluator::leaf(node const& at) {
    switch (at.kind) {
    case node_kind::literal:
        return operand::borrowed(at.value);
    case node_kind::local:
        return operand::borrowed(*locals_[at.slot].value, locals_[at.slot].meaning);
    case node_kind::variable:
        if (auto const* value = names_.variable(at.name)) return operand::borrowed(*value);
        return failure{fmt::format("there is no `{}` here", at.name), failure_kind::missing};
    case node_kind::other:
        if (auto const* value = names_.node(at.name)) return operand::borrowed(*value);
        return failure{
            fmt::format("there is no node `{}`, or it has not run before this one", at.name),
            failure_kind::missing};
    case node_kind::from_ai:
        return given_by_model(at);
    case node_kind::list:
        return list(at);
    case node_kind::object:
        return object(at);
    case node_kind::negate:
        return negated(at);
    case node_kind::invert:
        return inverted(at);
    case node_kind::choice:
        return choice(at);
    case node_kind::has:
        return has(at);
    case node_kind::bind:
        return bind(at);
    default:
        return call(at, operand{nullptr});
    }
}

fallible<operand> evaluator::given_by_model(node const& at) {
    auto const* arguments = names_.variable("$from_ai");
    auto const* object = arguments ? arguments->if_object() : nullptr;
    auto const* value = object ? object->if_contains(at.name) : nullptr;
    if (value) return operand::borrowed(*value);
    return failure{fmt::format("the model gave no `{}`", at.name)};
}

fallible<std::optional<json::value>> evaluator::entry(node_id id) {
    auto const& at = tree_.nodes[id];
    bool const optional = at.kind == node_kind::entry;
    auto value = evaluate(optional ? at.operands.front() : id);
    if (!value) return value.error();
    if (optional && !value->is_optional())
        return failure{
            fmt::format("`?` needs an optional here, not a value of type {}", type_name(**value)),
            {},
            at.offset};
    if (optional && value->is(meaning::none)) return std::optional<json::value>();
    auto own = take(std::move(*value), budget_);
    if (!own) return own.error();
    return std::optional(std::move(*own));
}

fallible<operand> evaluator::list(node const& at) {
    json::array array;
    array.reserve(at.operands.size());
    for (auto id : at.operands) {
        auto item = entry(id);
        if (!item) return item.error();
        if (*item) array.push_back(std::move(**item));
    }
    return json::value(std::move(array));
}

fallible<operand> evaluator::object(node const& at) {
    json::object members;
    for (std::size_t i = 0; i < at.operands.size(); i += 2) {
        auto key = evaluate(at.operands[i]);
        if (!key) return key;
        auto const name = key_text(**key);
        if (!name) return name.error();
        if (auto const* number = (*key)->if_double(); number && std::trunc(*number) != *number)
            return failure{"a key of an object is a string, a whole number or a bool"};
        if (!budget_.spend_bytes(name->size())) return budget_.failure();
        auto item = entry(at.operands[i + 1]);
        if (!item) return item.error();
        if (*item && !members.emplace(*name, std::move(**item)).second)
            return failure{"a key stands twice in the object"};
    }
    return json::value(std::move(members));
}

fallible<operand> evaluator::negated(node const& at) {
    auto value = evaluate(at.operands.front());
    if (!value) return value;
    auto const* whole = (*value)->if_int64();
    if (whole && *whole != std::numeric_limits<std::int64_t>::min())
        return operand{json::value(-*whole), value->meaning()};
    // The only number of 64 bits that is whole with its sign alone.
    auto const* beyond = (*value)->if_uint64();
    if (beyond && *beyond == std::uint64_t{1} << 63)
        return json::value(std::numeric_limits<std::int64_t>::min());
    if ((*value)->is_number())
        return operand{number_value(-(*value)->to_number<double>()), value->meaning()};
    return failure{fmt::format("`-` needs a number, not a value of type {}", type_name(**value))};
}

fallible<operand> evaluator::inverted(node const& at) {
    auto value = evaluate(at.operands.front());
    if (!value) return value;
    if (auto const* flag = (*value)->if_bool()) return json::value(!*flag);
    return failure{
        fmt::format("`!` needs true or false, not a value of type {}", type_name(**value))};
}

fallible<operand> evaluator::choice(node const& at) {
    auto condition = evaluate(at.operands[0]);
    if (!condition) return condition;
    if (auto const* flag = (*condition)->if_bool()) return evaluate(at.operands[*flag ? 1 : 2]);
    return failure{fmt::format(
        "`? :` needs true or false in front, not a value of type {}", type_name(**condition)
    )};
}

fallible<operand> evaluator::has(node const& at) {
    auto value = evaluate(at.operands.front());
    if (value) return json::value(!value->is(meaning::none));
    if (value.error().kind == failure_kind::missing) return json::value(false);
    return value;
}

fallible<operand> evaluator::bind(node const& at) {
    auto value = evaluate(at.operands[0]);
    if (!value) return value;
    return with_local(at.operands[1], at.slot, *value);
}

fallible<operand> evaluator::with_local(node_id body, std::size_t slot, operand const& value) {
    set_local(slot, {&*value, value.meaning()});
    auto result = evaluate(body);
    if (!result) return result;
    return own(std::move(*result));
}

fallible<operand> evaluator::own(operand value) {
    if (value.owned()) return value;
    auto const meaning = value.meaning();
    auto copied = copy(*value, budget_);
    if (!copied) return copied.error();
    return operand{std::move(*copied), meaning};
}

void evaluator::set_local(std::size_t slot, local value) {
    if (locals_.size() <= slot) locals_.resize(slot + 1);
    locals_[slot] = value;
}

fallible<operand> evaluator::call(node const& at, operand first) {
    std::vector<operand> arguments;
    if (!at.operands.empty()) arguments.push_back(std::move(first));
    for (std::size_t n = 1; n < at.operands.size(); ++n) {
        auto argument = evaluate(at.operands[n]);
        if (!argument) return argument;
        arguments.push_back(std::move(*argument));
    }
    for (auto const& argument : arguments) {
        auto const* text = argument->if_string();
        if (text && !budget_.spend_bytes(text->size())) return budget_.failure();
    }
    auto result = at.callee->run({*at.callee, arguments, names_, budget_, patterns_});
    auto const* text = result ? (*result)->if_string() : nullptr;
    if (text && !budget_.spend_text(text->size())) return budget_.failure();
    return result;
}

} // namespace postrider::agent::expressions
