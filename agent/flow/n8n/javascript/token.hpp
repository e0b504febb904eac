#pragma once
// The words of the part of JavaScript that stands in n8n's expressions. Texts come decoded, as UTF-8; of a
// template literal the source of each ${…} is kept, to be read on its own.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow::n8n::javascript {

enum class token_kind {
    end,
    wrong,   // `text` says why; nothing follows
    number,  // `text` is its spelling
    text,    // `text` is its value
    literal, // a template: `pieces` are its texts, `sources` what stands between them
    regex,   // `text` is the pattern, `flags` follow it
    name,    // also a keyword
    symbol,
};

struct token {
    token_kind kind = token_kind::end;
    std::string text = {};
    std::string flags = {};
    std::vector<std::string> pieces = {};
    std::vector<std::string> sources = {};
    bool after_line = false; // a line ends in front of it

    bool is(std::string_view symbol) const { return kind == token_kind::symbol && text == symbol; }
    bool is_word(std::string_view word) const { return kind == token_kind::name && text == word; }
};

// Every word of the text; the last is `end` or `wrong`. Takes time linear in the text.
std::vector<token> tokens_of(std::string_view source);

} // namespace postrider::agent::flow::n8n::javascript
