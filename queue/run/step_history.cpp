#include "queue/run/step_history.hpp"

#include "base/json/error_data.hpp"
#include "base/json/row.hpp"
#include "queue/store/sql.hpp"
#include "queue/store/statements.hpp"
#include "storage/query.hpp"

namespace postrider::queue {

namespace {

void add_attempt(step_history& history, storage::row const& row) {
    step_attempt attempt;
    attempt.key = row.text(1);
    attempt.attempt = static_cast<int>(row.int64(2));
    attempt.seq = static_cast<int>(row.int64(3));
    attempt.outcome = attempt_outcome_from_string(row.text(4)).value_or(attempt_outcome::failed);
    attempt.result = readable_json(row, 5, "its step " + attempt.key, history.unreadable);
    if (!row.null(6))
        attempt.failure = base::error(
            base::errc_from_string(row.text(6)).value_or(base::errc::internal),
            row.optional_text(7).value_or("")
        );
    if (!row.null(8)) base::add_data(attempt.failure, row.json(8));
    if (!row.null(9)) attempt.policy = retry_policy_from(row.json(9));
    auto& step = history.steps[attempt.key];
    if (step.attempts.empty()) {
        step.age = std::chrono::milliseconds{row.int64(10)};
        history.order.push_back(attempt.key);
    }
    step.left.reset();
    if (auto left = row.optional_int64(11)) step.left = std::chrono::milliseconds{*left};
    history.next_seq = std::max(history.next_seq, attempt.seq + 1);
    step.attempts.push_back(std::move(attempt));
}

void add_effect(step_history& history, storage::row const& row) {
    history.effects[row.text(1)] = {
        .state = effect_state_from_string(row.text(2)).value_or(effect_state::unknown),
        .effect_class = effect_class_from_string(row.text(3)).value_or(effect_class::ask),
        .kind = row.text(5),
        .flagged = row.boolean(4),
    };
}

} // namespace

step_attempt const* step_record::final_attempt() const noexcept {
    bool const open = attempts.empty() || attempts.back().outcome == attempt_outcome::retry;
    return open ? nullptr : &attempts.back();
}

base::awaitable<base::result<step_history>> load_step_history(
    storage::batcher& reads, job_id job, base::duration deadline
) {
    auto const row = base::json_row{{"job_id", base::raw(job)}}.text();
    auto const own = storage::job_range::only(job);
    std::vector<storage::write> writes{
        {&sql::read_attempts, row, own}, {&sql::read_effects, row, own}};
    auto recorded = co_await query(reads, std::move(writes), deadline);
    if (!recorded) co_return recorded.error();
    step_history history;
    for (auto const& attempt : recorded->at(0)) add_attempt(history, attempt);
    for (auto const& effect : recorded->at(1)) add_effect(history, effect);
    co_return history;
}

} // namespace postrider::queue
