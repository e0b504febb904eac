#pragma once
// What the evaluation of a node gives: a value made here, or one that is only looked at; or why
// not.
#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <optional>
#include <string>

namespace postrider::agent::expressions {

namespace json = boost::json;

struct failure {
    enum class kind {
        wrong,   // && and || may do without it
        missing, // likewise: there is no such variable, node, member or index
        limit,   // ends the evaluation
    };
    std::string reason;
    kind what = kind::wrong;
    std::optional<std::size_t> offset = {}; // in the source; set by the evaluator
};

template<class T>
using fallible = boost::system::result<T, failure>;

// A borrowed value outlives the operand: it belongs to the scope, to a literal of the tree, or to
// the range of the macro whose body is being evaluated.
class operand {
public:
    operand(json::value made) : made_(std::move(made)) {}
    static operand borrowed(json::value const& lent) {
        operand one{nullptr};
        one.lent_ = &lent;
        return one;
    }

    json::value const& operator*() const noexcept { return lent_ ? *lent_ : made_; }
    json::value const* operator->() const noexcept { return &**this; }

    // Null when borrowed.
    json::value* made() noexcept { return lent_ ? nullptr : &made_; }

private:
    json::value made_;
    json::value const* lent_ = nullptr;
};

} // namespace postrider::agent::expressions
