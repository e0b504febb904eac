#include "agent/flow/run/model_failure.hpp"

#include "queue/run/step_history.hpp"

#include <string_view>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view gate_closed = "gate_closed"; // the reason
constexpr std::string_view gate_words = "not asked: ";

constexpr std::chrono::seconds failure_deadline{5};

queue::step_record const* find_latest(queue::step_history const& history, std::string const& step) {
    queue::step_record const* latest = nullptr;
    for (auto const& key : history.order)
        if (key == step || key.starts_with(step + "#")) latest = &history.steps.at(key);
    return latest;
}

} // namespace

base::error not_asked(base::error gate) {
    gate.detail.insert(0, gate_words);
    gate.reason = gate_closed;
    return gate;
}

bool ended_without_answer(base::error const& end) {
    return end.reason == base::cut_off || end.reason == gate_closed;
}

base::error explain_end(base::error const& said, base::error const& end) {
    std::string ending = "the time was up";
    if (end.reason == gate_closed) {
        std::string_view words = end.detail;
        if (words.starts_with(gate_words)) words.remove_prefix(gate_words.size());
        ending = "not asked again: " + std::string(words);
    }
    auto const reason = said.detail.empty() ? "no details" : said.detail;
    base::error explained(said.code, reason + "; then " + ending, said.reason);
    explained.until = end.until ? end.until : said.until;
    return explained;
}

base::awaitable<std::optional<base::error>> recorded_failure(
    storage::batcher& reads, job_id job, std::string step
) {
    auto const history = co_await queue::load_step_history(reads, job, failure_deadline);
    if (!history) co_return std::nullopt;
    auto const* latest = find_latest(*history, step);
    if (!latest || latest->attempts.back().outcome == queue::attempt_outcome::done)
        co_return std::nullopt;
    std::optional<base::error> said;
    for (auto const& attempt : latest->attempts)
        if (!ended_without_answer(attempt.failure)) said = attempt.failure;
    co_return said;
}

} // namespace postrider::agent::flow
