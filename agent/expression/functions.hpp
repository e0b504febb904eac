#pragma once
// The functions of the language. f(a, b) may be written a.f(b).
//
// A function is total: it gives a value, or a failure for arguments that it is not made for. The
// evaluator pays for the texts that go in and for the one that comes out; what else a function
// looks at or makes, it pays for itself.
#include "agent/expression/budget.hpp"
#include "agent/expression/expression.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>

namespace re2 {
class RE2;
}

namespace postrider::agent::expressions {

// Patterns compiled in an evaluation, each once.
class pattern_cache {
public:
    fallible<re2::RE2 const*> find(std::string_view pattern, budget& budget);

private:
    std::map<std::string, std::shared_ptr<re2::RE2 const>, std::less<>> known_;
};

// RE2's words for what is wrong with it; empty: nothing.
std::string problem_with_pattern(std::string_view pattern);

struct function;

struct call {
    function const& callee;
    std::span<operand const> arguments;
    scope const& names;
    expressions::budget& budget;
    pattern_cache& patterns;

    std::size_t count() const noexcept { return arguments.size(); }
    json::value const& operator[](std::size_t index) const { return *arguments[index]; }

    // The argument as what it must be.
    fallible<std::string_view> text(std::size_t index) const;
    fallible<double> number(std::size_t index) const;
    fallible<json::array const*> array(std::size_t index) const;
    fallible<json::object const*> object(std::size_t index) const;
    // A whole number from 0 to `most`.
    fallible<std::size_t> whole(std::size_t index, std::size_t most) const;

    failure unfit(std::size_t index, std::string_view requirement) const;
};

struct function {
    std::string_view name;
    std::size_t least; // arguments, that before the dot included
    std::size_t most;
    fallible<operand> (*run)(call const&);
    // What it gives, then examples: "source → value as JSON", one a line. docs/expressions.md shows
    // it, and errors show the first example.
    std::string_view documentation;
    bool reads_execution = false; // as $execution and $now do; it takes no arguments
};

inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

// Functions that belong together: one file has them, and the table in functions.cpp names them.
struct function_family {
    std::string_view title;
    std::span<function const> functions;
};
std::span<function_family const* const> function_families() noexcept;

function const* find_function(std::string_view name) noexcept;
// Whether names of functions begin with it and a dot, as math.abs does with "math".
bool is_function_prefix(std::string_view word) noexcept;
std::vector<std::string> function_names();

// "such as `f(1)`", of the first example; "" without one.
std::string example_of(std::string_view documentation);

inline operand text_operand(std::string_view text) {
    return json::value(json::string_view(text.data(), text.size()));
}

} // namespace postrider::agent::expressions
