#pragma once
// A parameter of a node: any JSON value, whose strings at any depth may hold {{ expressions }}.
//
// A string that is one expression, blanks around it or not, becomes the expression's value and
// keeps its type; in any other the values are inserted as text (text_of). A }} inside a literal of
// the expression does not close it; {{ "{{" }} is a literal {{. Keys of objects are not evaluated.
// What a value inserts is never read as an expression again, and in a member that holds HTML never as markup
// either, unless the expression is a call of html_raw(). Immutable, cheap to copy. Threads:
// one.
#include "agent/expression/expression.hpp"

#include <functional>
#include <vector>

namespace postrider::agent {

struct parameter_error {
    std::string path;       // JSON Pointer to the string within the parameter; "" = the whole of it
    expression_error error; // its column counts from the beginning of that string
};
// "/headers/0: `1 +`, column 8: the expression ends too early"
std::string to_text(parameter_error const& error);

// In the order of the parameter.
using parameter_errors = std::vector<parameter_error>;

// Found by value() of what compile() and evaluate() return.
[[noreturn]] void throw_exception_from_error(
    parameter_error const& error, boost::source_location const& where
);
[[noreturn]] void throw_exception_from_error(
    parameter_errors const& errors, boost::source_location const& where
);

// An expression of a parameter, when one is only looked for mistakes.
struct found_expression {
    std::string const& path;            // as of a parameter_error
    expression_result<expression> read; // the column of an error likewise
    std::size_t column = 0;             // code points of the string in front of the source
    std::string_view text = {};         // as it stands, with its braces

    // What is wrong at that place of it, as if it did not parse.
    expression_error error_at(expression_mention const& place, std::string reason) const;
};
// Each of them, in the order of the parameter, until the call gives false. Nothing is kept of them.
void for_each_expression(
    boost::json::value const& parameter,
    from_ai calls,
    std::function<bool(found_expression const&)> const& call
);

// Members whose texts may be HTML, which other members of the evaluated parameter tell.
struct markup_rule {
    std::vector<std::string> members; // JSON Pointers; these are evaluated behind all others
    // Those of them that are HTML, given the others. Called only where `members` has one.
    std::function<std::vector<std::string>(boost::json::object const& evaluated)> html;
};

class parameter_template {
public:
    // All that is wrong, or the template.
    static boost::system::result<parameter_template, parameter_errors> compile(
        boost::json::value const& parameter,
        from_ai calls = from_ai::refused,
        expression_limits limits = {},
        markup_rule markup = {}
    );

    // The limits are of the whole parameter, not of each of its expressions.
    boost::system::result<boost::json::value, parameter_error> evaluate(
        scope const& names, expression_limits limits = {}
    ) const;

    // No expression in it: evaluate() is a copy.
    bool constant() const noexcept;
    expression_references references() const;

private:
    struct data;
    explicit parameter_template(std::shared_ptr<data const> of) : data_(std::move(of)) {}

    std::shared_ptr<data const> data_;
};

} // namespace postrider::agent
