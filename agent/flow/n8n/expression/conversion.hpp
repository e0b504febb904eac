#pragma once
// n8n's expressions as ours: JavaScript over $json, $("Name"), $input and $now becomes CEL
// (docs/expressions.md) with the same value.
//
// A member that is missing is null in both: the first member of a path is written `.?name`. Pure and total.
// What was converted parses as an expression of ours. What has no counterpart is refused with its
// reason.
#include "agent/flow/n8n/expression/term.hpp"

#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow::n8n {

struct unconverted {
    std::string source; // as n8n has it, without its braces; shortened when long
    std::string reason; // a sentence without its full stop
};
[[noreturn]] void throw_exception_from_error(
    unconverted const& reason, boost::source_location const& where
);
template<class T>
using convertible = boost::system::result<T, unconverted>;

// What the names in an expression stand for.
class surroundings {
public:
    virtual ~surroundings() = default;
    // The name that a node of n8n's has here.
    virtual std::string node_name(std::string_view name) const = 0;
    // The members of its items, and of $json here, that are called otherwise.
    virtual renamed_members renamed_of(std::string_view node) const = 0;
    virtual renamed_members renamed_here() const = 0;
    // The name of the node that waits for a request to $execution.resumeUrl; "": none does.
    virtual std::string waiting_node() const { return {}; }
};

// What was converted, and what a person should know of it.
struct conversion {
    std::string source; // of ours, without braces
    n8n::shape shape = n8n::shape::unknown;
    n8n::binding binding = n8n::binding::primary;
    bool optional = false;
    std::vector<std::string> variables = {}; // of $vars, which somebody must fill in
    std::vector<std::string> remarks = {};   // where the value may differ
};

// What all expressions of a workflow may cost together. A step is a part of an expression that is looked at, or
// some bytes that are read or written.
class conversion_budget {
public:
    explicit conversion_budget(std::size_t steps = 250'000) : left_(steps) {}

    // False, and nothing is left, where it is more than that.
    bool spend(std::size_t steps) noexcept {
        bool const enough = steps <= left_;
        left_ = enough ? left_ - steps : 0;
        return enough;
    }

private:
    std::size_t left_;
};

// What stands between {{ and }}.
convertible<conversion> convert(
    std::string_view source, surroundings const& around, conversion_budget& budget
);

// A parameter's text: a plain one, or a template, which n8n marks by "=" in front.
struct piece {
    std::string text;
    bool is_expression = false;
};
bool is_template(std::string_view text) noexcept;
std::vector<piece> pieces_of(std::string_view text);
// A plain text as it must stand in a parameter of ours, whose {{ begins an expression.
std::string escaped_text(std::string_view text);
// A literal of ours.
std::string text_literal(std::string_view text);

} // namespace postrider::agent::flow::n8n
