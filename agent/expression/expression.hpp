#pragma once
// One expression of a flow, such as `$json.items.filter(i, i.price > 10).size()`.
//
// The language is docs/expressions.md: Google's CEL over JSON values. It is total: no recursion, no
// unbounded loop, no way to run code, read a file or reach the network; every evaluation ends
// within its limits, and the same expression over the same values gives the same result. An
// expression is parsed once, is immutable and cheap to copy. Threads: one.
#include "agent/expression/limits.hpp"

#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

namespace expressions {
class budget;
struct tree;
} // namespace expressions

// Why an expression does not parse or has no value. Names members, functions and types, never
// values.
struct expression_error {
    std::string expression; // as written; shortened when long
    std::size_t column = 1; // from 1, in code points
    std::string reason;     // a sentence without its full stop
};
// "`$json.nmae`, column 7: there is no member `nmae` here; did you mean `name`?"
std::string to_text(expression_error const& error);

template<class T>
using expression_result = boost::system::result<T, expression_error>;

// Found by expression_result<T>::value().
[[noreturn]] void throw_exception_from_error(
    expression_error const& error, boost::source_location const& where
);

inline constexpr std::array<std::string_view, 6> expression_variables{
    "$json", "$input", "$session", "$now", "$execution", "$vars"};

// What the names mean. The values outlive the evaluation and do not change during it.
class scope {
public:
    virtual ~scope() = default;
    // One of expression_variables, or "$from_ai": an object with what the model gave, by key.
    // Null: not there.
    virtual boost::json::value const* variable(std::string_view name) const = 0;
    // Of $node["Name"]: {"json": …, "items": […]}. Null: no such node, or it has not run
    // before this one.
    virtual boost::json::value const* node(std::string_view name) const = 0;
    // Says which evaluation this is: another text in every other one, and the same when this one is
    // replayed. uuid() goes by it; "": there are no ids here.
    virtual std::string identity() const { return {}; }
};

// $from_ai("key", "description", "type"): a value that the model is to give when it calls a tool.
struct from_ai_call {
    std::string key; // letters, digits, _ and -; at most 64
    std::string description;
    std::string
        type; // of JSON Schema: string (when not written), number, integer, boolean, object, array
};
enum class from_ai { refused, allowed };

// What an expression reads, found without running it. Each list is sorted and without duplicates
// ($from_ai: in the order of the source, once per key).
struct expression_references {
    std::vector<std::string>
        variables;                  // "$json", …; of uuid() too, which reads $execution and $now
    std::vector<std::string> nodes; // the names in $node["…"]
    std::vector<from_ai_call> from_ai;
};

// A place in an expression's source that names something.
struct expression_mention {
    enum class subject { variable, node, from_ai };
    struct member {
        std::string name;
        std::size_t column = 1;
    };
    subject kind = subject::variable;
    std::string name;       // "$json"; in $node["…"]; the key
    std::size_t column = 1; // from 1, in code points
    // That the expression takes for granted, one within the other: user and name of
    // $json.user.name. Not what stands in has() or behind a `.?`, here or elsewhere in it.
    std::vector<member> members = {};
};

class expression {
public:
    // The source is what stands between {{ and }}.
    static expression_result<expression> parse(
        std::string_view source, from_ai calls = from_ai::refused, expression_limits limits = {}
    );

    expression_result<boost::json::value> evaluate(
        scope const& names, expression_limits limits = {}
    ) const;
    // The same, of a budget that several expressions share.
    expression_result<boost::json::value> evaluate(scope const& names, expressions::budget& budget)
        const;

    std::string const& source() const noexcept;
    // Its value is what that function gives.
    bool is_call_of(std::string_view function) const noexcept;
    // It is $variable.name, or $variable["name"], and nothing more.
    bool is_member_of(std::string_view variable, std::string_view name) const noexcept;
    expression_references references() const;
    // In the order of the source.
    std::vector<expression_mention> mentions() const;

private:
    explicit expression(std::shared_ptr<expressions::tree const> tree) : tree_(std::move(tree)) {}

    std::shared_ptr<expressions::tree const> tree_;
};

// The value as it stands in a text: a text as it is, numbers as the calculator writes them, null as
// nothing, arrays and objects as compact JSON.
std::string text_of(boost::json::value const& value);

} // namespace postrider::agent
