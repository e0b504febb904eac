#include "agent/loop/turn.hpp"

#include <utility>

namespace postrider::agent {

tool_choice turn::choice() const noexcept {
    if (state_.concluding) return tool_choice::none;
    // Once a tool was called the model is free to answer.
    bool const has_called = settings_.choice == tool_choice::required && state_.calls > 0;
    return has_called ? tool_choice::automatic : settings_.choice;
}

next_action turn::take_reply(chat_reply& reply, loop_limits const& limits) {
    if (!by_rules_ && choice() == tool_choice::none && !state_.concluding) {
        // Servers that do not know the word take the tools for offered all the same.
        reply.calls.clear();
        if (reply.stop == stop_reason::tool_calls) reply.stop = stop_reason::end;
    }
    if (lacks_call(reply))
        return call_missing{has_round_left() && !std::exchange(has_insisted_, true)};
    auto next = decide(state_, limits, reply);
    return settings_.speaks_by_tools ? without_words(std::move(next), reply) : next;
}

next_action turn::without_words(next_action next, chat_reply const& reply) {
    if (std::holds_alternative<run_tools>(next)) return next;
    bool const has_words = reply.text.find_first_not_of(" \t\r\n") != reply.text.npos;
    if (has_words && settings_.nudges && !has_sent_ && has_round_left() &&
        !std::exchange(has_nudged_, true))
        return words_unsent{};
    answer silence;
    if (auto const* unfinished = std::get_if<give_up>(&next))
        silence.shortfall = unfinished->shortfall;
    if (auto const* spoken_answer = std::get_if<answer>(&next))
        silence.shortfall = spoken_answer->shortfall;
    if (silence.shortfall == degraded_by::empty_answer) silence.shortfall.reset();
    return silence;
}

// Some models take no force, and some servers do not know the word.
bool turn::lacks_call(chat_reply const& reply) const {
    return !by_rules_ && settings_.insists && choice() == tool_choice::required &&
           reply.stop == stop_reason::end && reply.calls.empty();
}

bool turn::has_round_left() const noexcept {
    return !state_.concluding && state_.rounds + 1 < settings_.rounds;
}

void turn::end_round(run_tools const& calls) {
    ++state_.rounds;
    state_.calls += static_cast<int>(calls.run.size());
    state_.concluding = calls.concluding;
}

bool turn::begin_rules() {
    bool const begins = !std::exchange(by_rules_, true);
    state_.concluding = false;
    return begins && has_insisted_ && state_.calls == 0;
}

} // namespace postrider::agent
