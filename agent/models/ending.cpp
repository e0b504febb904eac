#include "agent/models/ending.hpp"

#include "agent/models/wire.hpp"
#include "base/ascii.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace postrider::agent::wire {

namespace {

enum class ending { whole, calls, cut, refused, failed, unknown };

bool holds_any(std::string_view word, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) {
        return word.find(part) != word.npos;
    });
}

// "end_turn" begins with "end", "pending" does not.
bool has_word_from(std::string_view word, std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view beginning) {
        for (auto at = word.find(beginning); at != word.npos; at = word.find(beginning, at + 1))
            if (at == 0 || !std::isalpha(static_cast<unsigned char>(word[at - 1]))) return true;
        return false;
    });
}

// Of a word in lower case. The order matters: "function_call_filter: malformed_function_call" is no refusal,
// "max_tokens" is not the "eos_token", and "tool_calls_limit" speaks of no calls.
ending ending_of(std::string_view word) {
    constexpr std::string_view prefix = "finish_reason_";
    if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
    if (word.empty()) return ending::whole;
    if (holds_any(word, {"malformed", "unexpected", "invalid"})) return ending::failed;
    if (holds_any(
            word,
            {"filter",
             "recit",
             "prohibit",
             "block",
             "safe",
             "refus",
             "sensitiv",
             "toxic",
             "spii",
             "guardrail",
             "moderat",
             "policy",
             "violat",
             "copyright",
             "declin",
             "denied",
             "harmful",
             "flagged"}
        ))
        return ending::refused;
    if (holds_any(
            word,
            {"error",
             "fail",
             "abort",
             "cancel",
             "timeout",
             "timed",
             "disconnect",
             "interrupt",
             "resource",
             "insufficient",
             "unavailable",
             "overload",
             "quota",
             "rate_limit",
             "too_many"}
        ))
        return ending::failed;
    if (holds_any(
            word,
            {"length", "window", "context", "limit", "exceed", "truncat", "max", "budget", "pause"}
        ))
        return ending::cut;
    if (has_word_from(word, {"tool", "function"})) return ending::calls;
    if (has_word_from(
            word,
            {"stop",
             "end",
             "eos",
             "eot",
             "complete",
             "finish",
             "final",
             "done",
             "success",
             "normal",
             "natural"}
        ))
        return ending::whole;
    return word.find("token") == word.npos ? ending::unknown : ending::cut;
}

bool is_usable(tool_call const& call) {
    return call.arguments.is_object();
}

} // namespace

base::result<void> note_ending(chat_reply& reply, std::string_view word) {
    auto const said = base::to_lower(std::string(word));
    bool const has_calls = !reply.calls.empty();
    bool const says_nothing = is_blank(reply.text) && !has_calls;
    reply.stop = has_calls ? stop_reason::tool_calls : stop_reason::end;
    switch (ending_of(said)) {
    case ending::whole:
        break;
    case ending::calls:
        if (!has_calls) return unusable_answer("an answer that lacks the calls it speaks of");
        break;
    case ending::cut:
        if (says_nothing && holds_any(said, {"window", "context"}))
            return base::error(base::errc::context_too_long, "no room is left for an answer");
        reply.stop = stop_reason::length;
        break;
    case ending::refused:
        reply.stop = stop_reason::refusal;
        reply.text.clear();
        break;
    case ending::failed:
        return unusable_answer("the server broke its answer off");
    case ending::unknown:
        if (says_nothing) return unusable_answer("an answer that ended for no known reason");
        // Calls that can be read were not cut.
        if (!has_calls || !std::ranges::all_of(reply.calls, is_usable))
            reply.stop = stop_reason::broken_off;
        break;
    }
    return {};
}

} // namespace postrider::agent::wire
