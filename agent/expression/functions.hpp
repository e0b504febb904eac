#pragma once
// The functions of the language. f(a, b) may be written a.f(b).
//
// A function is total: it gives a value, or a failure for arguments that it is not made for. The
// evaluator pays for the texts that go in and for the one that comes out; what else a function
// looks at or makes, it pays for itself.
#include "agent/expression/budget.hpp"

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
    expressions::budget& budget;
    pattern_cache& patterns;

    std::size_t count() const noexcept { return arguments.size(); }
    json::value const& operator[](std::size_t index) const { return *arguments[index]; }

    // The argument as what it must be.
    fallible<std::string_view> text(std::size_t index) const;
    fallible<double> number(std::size_t index) const;
    fallible<json::array const*> array(std::size_t index) const;
    // A whole number from 0 to `most`.
    fallible<std::size_t> whole(std::size_t index, std::size_t most) const;

    failure unfit(std::size_t index, std::string_view wanted) const;
};

struct function {
    std::string_view name;
    std::size_t least; // arguments, that before the dot included
    std::size_t most;
    fallible<operand> (*run)(call const&);
};

function const* find_function(std::string_view name) noexcept;
std::vector<std::string> function_names();

inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

// By what they work on.
std::span<function const> text_functions() noexcept;
std::span<function const> search_functions() noexcept;
std::span<function const> array_functions() noexcept;
std::span<function const> conversion_functions() noexcept;
std::span<function const> time_functions() noexcept;

// abs, sqrt and the others of arithmetic.
std::span<function const> numeric_functions() noexcept;

inline operand text_operand(std::string_view text) {
    return json::value(json::string_view(text.data(), text.size()));
}

} // namespace postrider::agent::expressions
