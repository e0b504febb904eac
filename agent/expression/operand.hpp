#pragma once
// What the evaluation of a node gives: a value made here, or one that is only looked at; or why
// not.
#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <optional>
#include <string>

namespace postrider::agent::expressions {

namespace json = boost::json;

enum class failure_kind {
    wrong,   // && and || may do without it
    missing, // likewise: there is no such variable, node, member or index
    limit,   // ends the evaluation
};

struct failure {
    std::string reason;
    failure_kind kind = failure_kind::wrong;
    std::optional<std::size_t> offset = {}; // in the source; set by the evaluator
};

template<class T>
using fallible = boost::system::result<T, failure>;

// What a value stands for that JSON has no type for. As soon as it is put into an array, an object
// or a result, it is the JSON value alone.
enum class meaning {
    plain,
    timestamp, // the value is its text, in UTC
    duration,  // the value is its number of seconds
    some,      // an optional that has the value
    none,      // an optional without one; the value is null
};

// A borrowed value outlives the operand: it belongs to the scope, to a literal of the tree, or to
// the range of the macro whose body is being evaluated.
class operand {
public:
    operand(json::value owned, expressions::meaning meaning = meaning::plain)
        : owned_(std::move(owned)),
          meaning_(meaning) {}
    static operand borrowed(
        json::value const& lent, expressions::meaning meaning = meaning::plain
    ) {
        operand borrowed{nullptr, meaning};
        borrowed.lent_ = &lent;
        return borrowed;
    }
    static operand none() { return {nullptr, meaning::none}; }

    json::value const& operator*() const noexcept { return lent_ ? *lent_ : owned_; }
    json::value const* operator->() const noexcept { return &**this; }

    expressions::meaning meaning() const noexcept { return meaning_; }
    bool is(expressions::meaning expected) const noexcept { return meaning_ == expected; }
    bool is_optional() const noexcept { return is(meaning::some) || is(meaning::none); }
    operand with(expressions::meaning meaning) && {
        meaning_ = meaning;
        return std::move(*this);
    }

    // Null when borrowed.
    json::value* owned() noexcept { return lent_ ? nullptr : &owned_; }

private:
    json::value owned_;
    json::value const* lent_ = nullptr;
    expressions::meaning meaning_ = meaning::plain;
};

} // namespace postrider::agent::expressions
