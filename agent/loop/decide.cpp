#include "agent/loop/decide.hpp"

#include "base/json/json.hpp"
#include "base/texts.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::agent {

namespace {

constexpr std::string_view nothing_said = "I have no answer to that.";
constexpr std::string_view declined = "I cannot help with that: the model declined to answer.";
constexpr std::string_view cut_short = "My answer became too long and was cut off before it began.";

bool blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == text.npos;
}

std::string or_else(std::string const& text, std::string_view instead) {
    return blank(text) ? std::string(instead) : text;
}

// Data is for a model, and also where it was cut off. A text may well begin with a bracket.
bool is_data(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return false;
    text.remove_prefix(begin);
    if (text.front() != '{' && text.front() != '[') return false;
    bool const is_cut = text.starts_with("{\"") || text.starts_with("[{");
    return is_cut || base::parse_json(text).has_value();
}

run_tools share_out(loop_state const& state, loop_limits const& limits, chat_reply const& reply) {
    auto const left = std::max(0, limits.tool_calls - state.calls);
    auto const asked = static_cast<int>(reply.calls.size());
    auto const cut = reply.calls.begin() + std::min(left, asked);
    run_tools decision;
    decision.run.assign(reply.calls.begin(), cut);
    decision.refused.assign(cut, reply.calls.end());
    decision.concluding = !decision.refused.empty() || state.rounds + 2 >= limits.rounds;
    return decision;
}

} // namespace

answer within_bounds(answer said) {
    if (said.text.size() <= longest_answer) return said;
    said.text.resize(base::cut_at_character(said.text, longest_answer).size());
    said.cut = true;
    if (!said.shortfall) said.shortfall = degraded_by::answer_cut;
    return said;
}

next_action decide(loop_state const& state, loop_limits const& limits, chat_reply const& reply) {
    using enum degraded_by;
    switch (reply.stop) {
    case stop_reason::refusal:
        return answer{.text = or_else(reply.text, declined), .shortfall = model_declined};
    // Calls of a reply that was cut off may be incomplete: they are not run.
    case stop_reason::length:
        if (blank(reply.text))
            return answer{.text = std::string(cut_short), .shortfall = answer_cut};
        return answer{.text = reply.text, .cut = true, .shortfall = answer_cut};
    case stop_reason::end:
    case stop_reason::tool_calls:
        break;
    }
    bool const last = state.rounds + 1 >= limits.rounds;
    if (state.concluding || (last && !reply.calls.empty())) {
        // It wants more than it may have.
        bool const wants_calls = !reply.calls.empty();
        if (blank(reply.text)) return give_up{wants_calls ? limit_reached : empty_answer};
        answer said{reply.text};
        if (wants_calls) said.shortfall = limit_reached;
        return said;
    }
    if (!reply.calls.empty()) return share_out(state, limits, reply);
    if (blank(reply.text))
        return answer{.text = std::string(nothing_said), .shortfall = empty_answer};
    return answer{.text = reply.text, .left_open = reply.left_open};
}

std::string list_results(std::vector<tool_result> const& results) {
    std::string found;
    std::vector<std::string> used; // tools whose data is nothing to read
    for (auto const& result : results) {
        if (result.is_error) continue;
        if (!is_data(result.text))
            found += "\n- " + result.tool + ": " + result.text;
        else if (std::ranges::find(used, result.tool) == used.end())
            used.push_back(result.tool);
    }
    if (found.empty() && used.empty())
        return "I could not finish this, and none of my tools returned anything useful.";
    std::string text = "I could not finish this.";
    if (!found.empty()) text += " What I found out so far:" + found;
    if (used.empty()) return text;
    text += found.empty() ? " I used " : "\nI used ";
    return text + base::joined(used, ", ") + '.';
}

} // namespace postrider::agent
