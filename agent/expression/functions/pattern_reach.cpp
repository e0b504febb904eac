#include "agent/expression/functions/pattern_reach.hpp"

namespace postrider::agent::expressions {

namespace {

// The place behind a class of characters that begins here: "[]a]" and "[^]a]" hold a bracket.
std::size_t behind_class(std::string_view pattern, std::size_t at) {
    ++at;
    if (pattern.substr(at, 1) == "^") ++at;
    if (pattern.substr(at, 1) == "]") ++at;
    while (at < pattern.size() && pattern[at] != ']') {
        bool const named = pattern.substr(at, 2) == "[:";
        auto const end = named ? pattern.find(":]", at + 2) : pattern.npos;
        if (end != pattern.npos)
            at = end + 2;
        else
            at += pattern[at] == '\\' ? 2 : 1;
    }
    return at + 1;
}

} // namespace

bool may_look_far(std::string_view pattern) {
    bool repeats = false; // without a bound
    bool chooses = false; // among alternatives, or whether or how often a group is there
    char before = '\0';
    for (std::size_t at = 0; at < pattern.size();) {
        char const c = pattern[at];
        if (c == '\\') {
            if (pattern.substr(at, 2) == "\\Q") return true;
            before = 'x';
            at += 2;
            continue;
        }
        if (c == '[') {
            before = 'x';
            at = behind_class(pattern, at);
            continue;
        }
        bool const flags = c == '?' && before == '(';
        bool const quantifies = !flags && (c == '*' || c == '+' || c == '?' || c == '{');
        if (quantifies && before == ')') chooses = true;
        if (c == '|') chooses = true;
        if (c == '*' || c == '+') repeats = true;
        // "{3,}", and long ones are no better
        if (c == '{') repeats = true;
        before = c;
        ++at;
    }
    return repeats && chooses;
}

} // namespace postrider::agent::expressions
