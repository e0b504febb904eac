#include "agent/loop/decide.hpp"

#include "base/json/json.hpp"
#include "base/texts.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::agent {

namespace {

bool blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == text.npos;
}

std::string without_blanks_alone(std::string const& text) {
    return blank(text) ? std::string() : text;
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
    auto const calls_left = std::max(0, limits.tool_calls - state.calls);
    auto const calls_wanted = static_cast<int>(reply.calls.size());
    auto const first_refused = reply.calls.begin() + std::min(calls_left, calls_wanted);
    run_tools decision;
    decision.run.assign(reply.calls.begin(), first_refused);
    decision.refused.assign(first_refused, reply.calls.end());
    decision.concluding = !decision.refused.empty() || state.rounds + 2 >= limits.rounds;
    return decision;
}

} // namespace

answer within_bounds(answer draft) {
    if (draft.text.size() <= longest_answer) return draft;
    draft.text.resize(base::cut_at_character(draft.text, longest_answer).size());
    draft.cut = draft.is_cut_by_length = true;
    if (!draft.shortfall) draft.shortfall = degraded_by::answer_cut;
    return draft;
}

next_action decide(loop_state const& state, loop_limits const& limits, chat_reply const& reply) {
    using enum degraded_by;
    switch (reply.stop) {
    case stop_reason::refusal:
        return answer{.text = without_blanks_alone(reply.text), .shortfall = model_declined};
    // Calls of a reply that was cut off may be incomplete: they are not run.
    case stop_reason::length:
        if (blank(reply.text)) return answer{.shortfall = answer_cut};
        return answer{.text = reply.text, .cut = true, .shortfall = answer_cut};
    case stop_reason::broken_off:
        if (blank(reply.text)) return answer{.is_cut_by_length = false, .shortfall = answer_cut};
        return answer{
            .text = reply.text, .cut = true, .is_cut_by_length = false, .shortfall = answer_cut};
    case stop_reason::end:
    case stop_reason::tool_calls:
        break;
    }
    bool const is_last_round = state.rounds + 1 >= limits.rounds;
    if (state.concluding || (is_last_round && !reply.calls.empty())) {
        // It wants more than it may have.
        bool const wants_calls = !reply.calls.empty();
        if (blank(reply.text)) return give_up{wants_calls ? limit_reached : empty_answer};
        answer last_answer{reply.text};
        if (wants_calls) last_answer.shortfall = limit_reached;
        return last_answer;
    }
    if (!reply.calls.empty()) return share_out(state, limits, reply);
    if (blank(reply.text)) return answer{.shortfall = empty_answer};
    return answer{.text = reply.text, .left_open = reply.left_open};
}

std::string text_of(answer const& draft, language::notices const& words) {
    if (!draft.text.empty()) return draft.text;
    if (draft.shortfall == degraded_by::model_declined) return words.declined;
    if (draft.shortfall != degraded_by::answer_cut) return words.no_answer;
    return draft.is_cut_by_length ? words.cut_short : words.never_began;
}

std::string list_results(std::vector<tool_result> const& results, language::notices const& words) {
    std::string findings;
    std::vector<std::string> data_tools; // tools whose data is nothing to read
    for (auto const& result : results) {
        if (result.is_error) continue;
        if (!is_data(result.text))
            findings += "\n- " + result.tool + ": " + result.text;
        else if (std::ranges::find(data_tools, result.tool) == data_tools.end())
            data_tools.push_back(result.tool);
    }
    if (findings.empty() && data_tools.empty()) return words.found_nothing;
    auto text = words.unfinished;
    if (!findings.empty()) text += ' ' + words.found_so_far + findings;
    if (data_tools.empty()) return text;
    text += findings.empty() ? ' ' : '\n';
    return text + language::in_words(words.used, base::joined(data_tools, ", "));
}

} // namespace postrider::agent
