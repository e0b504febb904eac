#include "agent/models/tool_support.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace postrider::agent {

namespace {

using refusal_word = std::string_view;

// In place of what a sentence says of tools.
constexpr refusal_word request_tools = "<tools>";  // the member of the request
constexpr refusal_word tool_ability = "<ability>"; // what a model can do
constexpr refusal_word sentence_end = "<end>";

bool is_any(refusal_word word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

bool is_about_tools(refusal_word word) {
    return word == request_tools || word == tool_ability;
}

void replace_each(std::string& text, std::string_view old_part, std::string_view new_part) {
    for (auto at = text.find(old_part); at != text.npos;
         at = text.find(old_part, at + new_part.size()))
        text.replace(at, old_part.size(), new_part);
}

// In lower case, without the marks around the words: "`tools`" and "tools:" are one word, "tools[3].type" is
// another.
std::vector<refusal_word> split_refusal(std::string_view text) {
    auto const is_mark = [](unsigned char c) { return !std::isalnum(c); };
    std::vector<refusal_word> words;
    while (!text.empty()) {
        auto const end = std::min(text.find_first_of(" \t\r\n"), text.size());
        auto const piece = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        auto const first = std::ranges::find_if_not(piece, is_mark);
        auto const last = std::find_if_not(piece.rbegin(), piece.rend(), is_mark).base();
        if (first < last) words.emplace_back(first, last);
        if (!piece.empty() && std::string_view(".;!?").find(piece.back()) != std::string_view::npos)
            words.push_back(sentence_end);
    }
    return words;
}

// How many words name tools, and as what.
std::pair<std::size_t, refusal_word> subject_at(
    std::vector<refusal_word> const& words, std::size_t at
) {
    auto const next = at + 1 < words.size() ? words[at + 1] : refusal_word();
    if (is_any(words[at], {"tool", "tools", "function"}) &&
        is_any(next, {"use", "usage", "call", "calls", "calling"}))
        return {2, tool_ability};
    if (words[at] == "tool" && next == "choice") return {2, request_tools};
    if (is_any(words[at], {"tools", "tool_choice"})) return {1, request_tools};
    if (words[at] == "functions") return {1, tool_ability};
    return {0, {}};
}

// Words that change nothing of what is said.
bool is_filler(refusal_word word) {
    return is_any(word, {"a",          "an",        "the",       "any",      "this",      "that",
                         "and",        "or",        "of",        "to",       "for",       "with",
                         "got",        "currently", "yet",       "native",   "parameter", "param",
                         "parameters", "argument",  "arguments", "keyword",  "field",     "fields",
                         "input",      "inputs",    "request",   "supplied", "provided",  "use",
                         "using",      "handle",    "call",      "accept"});
}

std::vector<refusal_word> essence_of(std::string_view text) {
    auto const words = split_refusal(text);
    std::vector<refusal_word> essence;
    for (std::size_t at = 0; at < words.size();) {
        auto const [length, subject] = subject_at(words, at);
        if (length > 0) {
            // Several of them are one: "tools, tool_choice".
            if (essence.empty() || !is_about_tools(essence.back())) essence.push_back(subject);
            at += length;
            continue;
        }
        if (!is_filler(words[at])) essence.push_back(words[at]);
        ++at;
    }
    return essence;
}

// "not supported", "is unsupported". What is said of some ways to use tools is not said of tools.
bool is_denied_behind(std::vector<refusal_word> const& words, std::size_t at) {
    if (at > 0 && is_any(
                      words[at - 1],
                      {"parallel", "multiple", "single", "forced", "required", "strict", "custom"}
                  ))
        return false;
    auto const word = [&](std::size_t i) { return i < words.size() ? words[i] : refusal_word(); };
    bool const has_verb = is_any(word(at + 1), {"is", "are"});
    auto const begin = at + 1 + (has_verb ? 1 : 0);
    if (has_verb && is_any(word(begin), {"unsupported", "disabled", "unavailable"})) return true;
    if (word(begin) != "not") return false;
    return is_any(word(begin + 1), {"supported", "available", "enabled", "implemented"}) ||
           (words[at] == request_tools && is_any(word(begin + 1), {"permitted", "allowed"}));
}

// "not capable", "unrecognized". "support" is enough: "no endpoints that support tools".
bool is_denied_before(std::vector<refusal_word> const& words, std::size_t at) {
    auto const word = [&](std::size_t back) {
        return back <= at ? words[at - back] : refusal_word();
    };
    if (is_any(word(1), {"support", "unsupported", "incapable", "unable"})) return true;
    if (word(2) == "not" && is_any(word(1), {"capable", "able"})) return true;
    if (words[at] != request_tools) return false;
    return is_any(word(1), {"unknown", "unrecognized", "unrecognised", "unexpected"}) ||
           (word(2) == "not" && is_any(word(1), {"permitted", "allowed", "supported"}));
}

// "body.tools", of FastAPI.
bool is_of_request_tools(std::string_view parameter) {
    constexpr std::string_view body = "body.";
    if (parameter.starts_with(body)) parameter.remove_prefix(body.size());
    return parameter == "tools";
}

bool denies(std::string_view text) {
    constexpr std::array<std::string_view, 7> words{
        "unknown",
        "unrecognized",
        "unsupported",
        "unexpected",
        "not supported",
        "not permitted",
        "not allowed"};
    return std::ranges::any_of(words, [&](auto word) { return text.find(word) != text.npos; });
}

} // namespace

bool refuses_any_tools(refusal_words const& said) {
    auto text = base::to_lower(said.message);
    // A switch that its server was started without: "tools param requires --jinja flag".
    if (text.find("tool") != text.npos && text.find("requires --") != text.npos) return true;
    if (is_of_request_tools(said.parameter) && denies(base::to_lower(said.code) + ' ' + text))
        return true;
    replace_each(text, "n't", " not");
    replace_each(text, "n’t", " not");
    replace_each(text, "cannot", "can not");
    replace_each(text, "-", " ");
    auto const words = essence_of(text);
    for (std::size_t at = 0; at < words.size(); ++at)
        if (is_about_tools(words[at]) &&
            (is_denied_behind(words, at) || is_denied_before(words, at)))
            return true;
    return false;
}

} // namespace postrider::agent
