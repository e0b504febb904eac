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

bool ended_without_answer(base::error const& step_failure) {
    return step_failure.reason == base::cut_off || step_failure.reason == gate_closed;
}

base::error explain_end(base::error const& provider_failure, base::error const& step_failure) {
    std::string ending = "the time was up";
    if (step_failure.reason == gate_closed) {
        std::string_view gate_text = step_failure.detail;
        if (gate_text.starts_with(gate_words)) gate_text.remove_prefix(gate_words.size());
        ending = "not asked again: " + std::string(gate_text);
    }
    auto const reason = provider_failure.detail.empty() ? "no details" : provider_failure.detail;
    base::error explained(
        provider_failure.code, reason + "; then " + ending, provider_failure.reason
    );
    explained.until = step_failure.until ? step_failure.until : provider_failure.until;
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
    std::optional<base::error> provider_failure;
    for (auto const& attempt : latest->attempts)
        if (!ended_without_answer(attempt.failure)) provider_failure = attempt.failure;
    co_return provider_failure;
}

} // namespace postrider::agent::flow
