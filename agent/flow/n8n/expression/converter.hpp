#pragma once
// Walks the tree of an expression of n8n's and writes one of ours. The first refusal ends it: what comes back from
// then on is not used. Each walk takes a bounded number of steps. For the files of this folder; each has methods of
// a family.
#include "agent/flow/n8n/expression/conversion.hpp"
#include "agent/flow/n8n/javascript/tree.hpp"

#include <optional>
#include <utility>

namespace postrider::agent::flow::n8n {

namespace script = javascript;

inline constexpr std::size_t bytes_of_step = 32;

class converter {
public:
    converter(surroundings const& around, conversion_budget& budget)
        : around_(around),
          budget_(budget) {}

    term value_of(script::node const& node);
    // True or false.
    term condition_of(script::node const& node);

    std::optional<std::string> const& refusal() const { return refusal_; }
    conversion result(term const& value) const;

    // For the tables of methods.
    surroundings const& around() const { return around_; }
    term refuse(std::string reason);
    // False: it takes too long, which is a refusal.
    bool spend(std::size_t steps);
    void remark(std::string text);
    void needs_variable(std::string name);
    // Its value, where it is written there.
    std::optional<std::string> constant_text(script::node const& node) const;
    std::optional<double> constant_number(script::node const& node) const;
    // The function's value, with names for its parameters in front: `i, i.price`. The kind of its first or, with an
    // index, second parameter is `of`.
    struct function_text {
        std::string names = {}; // "i" or "n, i"
        std::string body = {};
        n8n::shape shape = n8n::shape::unknown;
    };
    std::optional<function_text> function_of(script::node const& node, shape of, bool is_condition);
    // Within `run` the name stands for the term.
    template<class Run>
    auto with_name(std::string name, term meaning, Run const& run) {
        names_.emplace_back(std::move(name), std::move(meaning));
        auto result = run();
        names_.pop_back();
        return result;
    }
    // A name like it for a variable of a macro: none that is bound around it, and none that a function begins with.
    std::string local_name(std::string_view name);
    // What stands several times in `use` is bound to a name, unless it is simple.
    template<class Use>
    term bound(term const& value, Use const& use) {
        if (value.simple) return use(value);
        auto local = value;
        local.text = local_name("v");
        local.simple = true;
        local.binding = binding::primary;
        auto result = use(local);
        result.text = "cel.bind(" + local.text + ", " + value.text + ", " + result.text + ")";
        result.binding = binding::primary;
        return result;
    }

private:
    term written(script::node const& node);
    term written_condition(script::node const& node);
    term name(script::node const& node);
    term literal(script::node const& node);
    term array(script::node const& node);
    term object(script::node const& node);
    term unary(script::node const& node);
    term binary(script::node const& node);
    term logical(script::node const& node);
    term unless_null(term const& left, term const& right);
    term chosen_by_truth(term const& left, term const& right, bool both);
    term relation(script::node const& node);
    term type_test(script::node const& node, bool is_equal);
    term choice(script::node const& node, bool is_condition);
    term bind(script::node const& node, bool is_condition);
    term path(script::node const& node);
    term index(term const& base, script::node const& key);
    term member(term const& base, std::string_view name);
    term call(script::node const& node);
    term creation(script::node const& node);

    surroundings const& around_;
    conversion_budget& budget_;
    std::size_t steps_ = 0;
    std::optional<std::string> refusal_;
    std::vector<std::pair<std::string, term>> names_;
    std::vector<std::string> remarks_;
    std::vector<std::string> variables_;
    std::size_t locals_ = 0;
};

// A term in parentheses, if its last operator binds less than `least`.
std::string within(term const& value, binding least = binding::primary);
term constant_of_text(std::string_view text);
term term_of(std::string text, shape of = shape::unknown);
// value.function(arguments), of that kind.
term calling(
    term const& value,
    std::string_view function,
    std::string arguments = {},
    shape of = shape::unknown
);
term truth_of(term const& value);
term falsehood_of(term const& value);
// left && right, or left || right, of true and false.
term joined_conditions(term const& left, term const& right, bool both);
term as_text(term const& value);   // of anything a text
term as_number(term const& value); // of a text a number
term as_instant(term const& value);
term sum_of(term const& left, term const& right);
bool is_word_of_ours(std::string_view name) noexcept;
// Of one of the list: an item, or an object whose members are called otherwise here, or nobody knows.
shape kind_of_items(term const& list);
// Member of a value that may lack it.
term optional_member(term const& base, std::string_view name);

// What a name without a declaration stands for: $now, Math.
std::optional<term> global_name(converter& in, std::string_view name);
// A member of what is no data: of a node, an instant, Math.
std::optional<term> special_member(converter& in, term const& base, std::string_view name);

// A method, a function or a type's function, with its arguments still to be converted.
struct method {
    std::string_view name;
    std::size_t least = 0; // arguments
    std::size_t most = 0;
    term (*run)(converter& in, term const& of, script::node const& call) = nullptr;
};
// The argument of a call, from 0; null: there is none.
script::node const* argument(script::node const& call, std::size_t index);
std::span<method const> text_methods();
std::span<method const> pattern_methods();
std::span<method const> list_methods();
std::span<method const> object_methods();
std::span<method const> time_methods();
std::span<method const> node_methods();
std::span<method const> value_functions(); // "$if", "Math.floor"
std::span<method const> time_functions();  // "DateTime.fromISO", "new Date"

// An instant by a format of Luxon's, as an expression of ours; nothing: it has a letter that has no counterpart.
std::optional<term> formatted(term const& instant, std::string_view luxon_format);
// Luxon's format of a constant of DateTime; "" = there is none.
std::string_view named_format(std::string_view name) noexcept;
// A format of Luxon's as one that timestamp() reads.
std::optional<std::string> readable_format(std::string_view luxon_format);

} // namespace postrider::agent::flow::n8n
