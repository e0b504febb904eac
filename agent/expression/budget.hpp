#pragma once
// What an evaluation may still spend, and what it counts. Once it is over its steps, it stays so.
#include "agent/expression/limits.hpp"
#include "agent/expression/operand.hpp"

#include <string_view>

namespace postrider::agent::expressions {

class budget {
public:
    explicit budget(expression_limits limits) : limits_(limits), left_(limits.steps) {}

    // False: the steps are used up; failure() says so.
    bool spend(std::size_t steps = 1) noexcept;
    // For work on so many bytes.
    bool spend_bytes(std::size_t bytes) noexcept { return spend(1 + bytes / 64); }
    // False: a text of so many bytes may not be made, or its making is not paid for.
    bool spend_text(std::size_t bytes) noexcept;

    // The steps are used up, or else the output is too large.
    expressions::failure failure() const;

    // How many ids were made before: they differ by their order.
    std::size_t count_id() noexcept { return ids_++; }

    expression_limits const& limits() const noexcept { return limits_; }

private:
    expression_limits limits_;
    std::size_t left_;
    std::size_t ids_ = 0;
};

// A text that grows within a budget. append() is false once it may not.
class bounded_text {
public:
    explicit bounded_text(expressions::budget& budget) : budget_(budget) {}

    bool append(std::string_view more);
    std::string const& text() const noexcept { return text_; }
    // The text, or why it could not be made.
    fallible<operand> finish() &&;

private:
    expressions::budget& budget_;
    std::string text_;
    bool over_ = false;
};

// A value of its own: made ones are moved, borrowed ones are copied at a price.
fallible<json::value> take(operand value, budget& budget);
fallible<json::value> copy(json::value const& value, budget& budget);

// A value as it leaves the evaluation: within the limits of output and depth.
fallible<json::value> take_result(operand value, budget& budget);

} // namespace postrider::agent::expressions
