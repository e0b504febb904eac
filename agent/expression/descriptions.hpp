#pragma once
// The functions and macros of the language as an editor offers them, made of the tables by which expressions
// are parsed. Pure.
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::expressions {

struct described_example {
    std::string source;
    std::string result; // as JSON, or "error: …"
};

struct function_description {
    std::string name = {};
    std::string family = {};    // the heading in docs/expressions.md; of macros "Macros"
    bool is_method = false;     // usually written behind a value: text.trim()
    std::string signature = {}; // "value.padEnd(a, b?)"
    std::string help = {};      // what it gives
    std::vector<described_example> examples = {};
};

// In the order of docs/expressions.md: macros, then the families with their functions.
std::vector<function_description> describe_functions();

} // namespace postrider::agent::expressions
