#include "agent/flow/run/model_failure.hpp"

#include "queue/run/step_history.hpp"

#include <string_view>

namespace postrider::agent::flow {

namespace {

// The record keeps an error's class and detail alone, so the ends are told apart by their details.
constexpr std::string_view gate_mark = "not asked: ";
constexpr std::string_view timeout_mark = "took longer than "; // of base::with_timeout()

constexpr std::chrono::seconds failure_deadline{5};

queue::step_record const* find_latest(queue::step_history const& history, std::string const& step) {
    queue::step_record const* latest = nullptr;
    for (auto const& key : history.order)
        if (key == step || key.starts_with(step + "#")) latest = &history.steps.at(key);
    return latest;
}

} // namespace

base::error not_asked(base::error gate) {
    gate.detail.insert(0, gate_mark);
    return gate;
}

bool ended_without_answer(base::error const& end) {
    if (end == base::errc::timeout) return end.detail.starts_with(timeout_mark);
    return end.detail.starts_with(gate_mark);
}

base::error explain_end(base::error const& said, base::error const& end) {
    std::string ending = "the time was up";
    if (end.detail.starts_with(gate_mark))
        ending = "not asked again: " + end.detail.substr(gate_mark.size());
    auto const reason = said.detail.empty() ? "no details" : said.detail;
    return {said.code, reason + "; then " + ending};
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
