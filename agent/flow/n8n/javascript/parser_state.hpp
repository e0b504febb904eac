#pragma once
// The parser's place in its tokens, for parser.cpp and blocks.cpp. The first mistake ends the reading: from then
// on every token is the end, and nothing that comes back is used.
#include "agent/flow/n8n/javascript/token.hpp"
#include "agent/flow/n8n/javascript/tree.hpp"

#include <optional>
#include <string_view>
#include <utility>

namespace postrider::agent::flow::n8n::javascript {

// Of nested expressions, and of what comes of them.
inline constexpr std::size_t deepest_script = 160;

class parser {
public:
    parser(std::string_view source, std::size_t depth) : tokens_(tokens_of(source)), depth_(depth) {
        if (tokens_.back().kind == token_kind::wrong) refuse(tokens_.back().text);
    }

    // All of the text.
    node_pointer whole();
    std::optional<std::string> const& mistake() const { return mistake_; }

private:
    // What a function's parameter, or a constant, takes apart: its name, and those of its parts.
    struct taken_apart {
        std::string name = {};
        std::vector<std::pair<std::string, node_pointer>> parts = {};
    };

    token const& ahead(std::size_t offset = 0) const;
    token take();
    bool accept(std::string_view symbol);
    bool accept_word(std::string_view word);
    void expect(std::string_view symbol);
    node_pointer refuse(std::string reason);
    bool failed() const { return mistake_.has_value(); }

    node_pointer make(node fresh);
    node_pointer make(node_kind kind, std::string text, std::vector<node_pointer> operands = {});

    node_pointer expression();
    node_pointer choice();
    node_pointer binary(int least);
    node_pointer unary();
    node_pointer postfix();
    node_pointer creation();
    node_pointer primary();
    node_pointer changed_copy(node const& place);
    node_pointer literal(token const& token);
    node_pointer array();
    node_pointer object();
    node_pointer object_key();
    std::vector<node_pointer> arguments();
    node_pointer item();

    bool begins_arrow() const;
    node_pointer arrow();
    node_pointer block();
    node_pointer statements();
    node_pointer constants();
    node_pointer conditional();
    node_pointer returned();
    taken_apart read_pattern();
    static node_pointer with_parts(taken_apart const& pattern, node_pointer body, parser& within);

    std::vector<token> tokens_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    std::size_t patterns_ = 0;  // that have a name from here
    bool in_condition_ = false; // what follows an `if` follows its block too, unless that returns
    std::optional<std::string> mistake_;
};

} // namespace postrider::agent::flow::n8n::javascript
