#pragma once
// The recursive descent behind parse(); grammar.cpp has what is between operands, grammar_calls.cpp
// what is called or named.
#include "agent/expression/macros.hpp"
#include "agent/expression/operand.hpp"
#include "agent/expression/tree.hpp"

#include <vector>

namespace postrider::agent::expressions {

class grammar {
public:
    // The source is UTF-8 and outlives the grammar.
    grammar(std::string_view source, from_ai calls, expression_limits limits);

    expression_result<tree> whole();

private:
    using parsed = fallible<node_id>;

    parsed expression();
    parsed binary(int weakest);
    parsed unary();
    parsed selections();
    parsed member(node_id owner);
    parsed index(node_id owner);
    parsed primary();
    parsed number();
    parsed parenthesized();
    parsed list();
    parsed object();
    parsed entry();

    parsed name();
    parsed variable();
    parsed other_node(token const& word);
    parsed ask_model(token const& word);
    parsed prefixed(token const& prefix);
    parsed call(token const& word, std::string_view name, std::vector<node_id> arguments);
    std::optional<failure> misuse(node const& call) const;
    parsed has(token const& word);
    parsed bind(token const& word);
    parsed macro(token const& word, expressions::macro const& definition, node_id range);
    parsed local(token const& word);
    // Pushes the names onto the locals.
    std::optional<failure> variables(token const& word, expressions::macro const& definition);
    // Behind the opening parenthesis, to the closing one.
    fallible<std::vector<node_id>> rest_of_arguments(std::vector<node_id> arguments);
    fallible<std::vector<std::string>> literal_arguments(std::size_t least, std::size_t most);

    node_id add(node node);
    void advance() { next_ = words_.next(); }
    bool take(symbol expected);
    // Nothing when it was there.
    std::optional<failure> expect(symbol expected, std::string_view spelling);
    bool next_is_word() const noexcept;
    token behind_next() const;
    failure unexpected() const;

    std::string_view source_;
    from_ai calls_;
    expression_limits limits_;
    lexer words_;
    token next_;
    tree tree_;
    std::size_t depth_ = 0;
    std::vector<std::string> locals_; // the variables of the macros around, by slot
};

} // namespace postrider::agent::expressions
