#include "queue/store/checkpoint_rows.hpp"

#include "base/json/error_data.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"
#include "queue/store/sql.hpp"
#include "queue/store/statements.hpp"

namespace postrider::queue {

namespace json = boost::json;
using base::json_row;

namespace {

constexpr base::names<effect_state, 5> effect_states{{
    {effect_state::planned, "planned"},
    {effect_state::started, "started"},
    {effect_state::done, "done"},
    {effect_state::failed, "failed"},
    {effect_state::unknown, "unknown"},
}};

constexpr base::names<attempt_outcome, 3> try_outcomes{{
    {attempt_outcome::done, "done"},
    {attempt_outcome::retry, "retry"},
    {attempt_outcome::failed, "failed"},
}};

json::value text(std::string_view view) {
    return json::value(json::string_view(view.data(), view.size()));
}

std::int64_t epoch_ms(base::sys_time t) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(t.time_since_epoch()).count();
}

} // namespace

std::string_view to_string(effect_state state) noexcept {
    return base::name_of(effect_states, state);
}

std::optional<effect_state> effect_state_from_string(std::string_view name) noexcept {
    return base::named(effect_states, name);
}

std::string_view to_string(attempt_outcome outcome) noexcept {
    return base::name_of(try_outcomes, outcome);
}

std::optional<attempt_outcome> attempt_outcome_from_string(std::string_view name) noexcept {
    return base::named(try_outcomes, name);
}

json::value to_json(usage const& used) {
    return json::object{
        {"tokens_in", used.tokens_in},
        {"tokens_out", used.tokens_out},
        {"tokens_cached", used.tokens_cached},
        {"cost_micro", used.cost_micro}};
}

json_row row_of(step_attempt const& attempt, job_id job, node_id node, attempt_times const& times) {
    json_row row{
        {"job_id", base::raw(job)},
        {"key", attempt.key},
        {"attempt", attempt.attempt},
        {"seq", attempt.seq},
        {"outcome", to_string(attempt.outcome)},
        {"took", times.took.count()},
        {"node_id", base::raw(node)},
    };
    if (times.ago) {
        row.add({"ago", times.ago->count()});
        row.add({"after", times.after.count()});
    }
    if (attempt.outcome == attempt_outcome::done) {
        row.add({"result", attempt.result});
    } else {
        row.add({"error_class", base::to_string(attempt.failure.code)});
        row.add({"error", attempt.failure.detail});
        if (auto const data = base::data_of(attempt.failure); !data.is_null())
            row.add({"error_data", data});
    }
    if (attempt.used != usage{}) row.add({"usage", to_json(attempt.used)});
    if (attempt.policy) row.add({"policy", to_json(*attempt.policy)});
    if (times.next_in) row.add({"next_in", times.next_in->count()});
    if (attempt.until) row.add({"until", epoch_ms(*attempt.until)});
    return row;
}

json_row row_of(effect_intent const& intent, job_id job) {
    return {
        {"job_id", base::raw(job)},
        {"key", intent.key},
        {"kind", intent.kind},
        {"class", to_string(intent.effect_class)},
        {"state", intent.at_once ? "started" : "planned"},
        {"request", intent.request},
    };
}

json_row row_of(effect_change const& change, job_id job) {
    return {
        {"job_id", base::raw(job)},
        {"key", change.key},
        {"state", to_string(change.state)},
        {"flagged", change.flagged},
        {"result", change.result},
    };
}

json_row row_of(settle const& settled, job_id job) {
    auto const& job_outcome = settled.outcome;
    json_row row{
        {"job_id", base::raw(job)},
        {"state", to_string(job_outcome.state)},
        {"output", job_outcome.output},
    };
    if (job_outcome.state == job_state::failed) {
        row.add({"error_class", base::to_string(job_outcome.error.code)});
        row.add({"error", job_outcome.error.detail});
    } else if (job_outcome.state == job_state::completed && job_outcome.degraded) {
        row.add({"degraded", true});
        row.add({"degraded_reason", job_outcome.degraded->reason});
        row.add({"error_class", base::to_string(job_outcome.degraded->error.code)});
        row.add({"error", job_outcome.degraded->error.detail});
    }
    if (settled.paid)
        row.add(
            {"paid",
             *settled.paid == usage{} ? json::value(json::object{}) : to_json(*settled.paid)}
        );
    return row;
}

json_row row_of(park const& parked, job_id job, queue::lease const& lease) {
    json_row row{
        {"job_id", base::raw(job)},
        {"epoch", base::raw(lease.epoch)},
        {"state", to_string(parked.as)},
        {"delay", parked.delay.count()},
        {"reason", parked.reason},
    };
    if (parked.until) row.add({"until", epoch_ms(*parked.until)});
    return row;
}

json_row row_of(
    await_event const& waiting, job_id job, queue::lease const& lease, job_id heard_to
) {
    json_row row{
        {"job_id", base::raw(job)},
        {"lane_id", base::raw(lease.lane)},
        {"epoch", base::raw(lease.epoch)},
        {"key", waiting.step.key},
        {"type", waiting.event.type},
        {"timeout", waiting.event.timeout.count()},
        {"takes_message", lease.mailbox == mailbox::route && waiting.event.type == message_event},
        {"ends_on_message", static_cast<bool>(waiting.event.answered_by)},
    };
    if (waiting.event.match) row.add({"match", *waiting.event.match});
    if (heard_to != job_id{}) row.add({"heard_to", base::raw(heard_to)});
    return row;
}

storage::write end_waits_of(job_id job) {
    return {
        &sql::end_waits,
        json_row{{"job_id", base::raw(job)}}.text(),
        storage::job_range::only(job)};
}

storage::write end_waits_below(job_id job, std::string_view prefix) {
    return {
        &sql::end_waits,
        json_row{{"job_id", base::raw(job)}, {"below", prefix}}.text(),
        storage::job_range::only(job)};
}

json::value to_json(outcome const& planned) {
    json::object stored{{"state", text(to_string(planned.state))}, {"output", planned.output}};
    if (planned.state == job_state::failed) {
        stored["error_class"] = text(base::to_string(planned.error.code));
        stored["error"] = planned.error.detail;
        if (auto data = base::data_of(planned.error); !data.is_null())
            stored["error_data"] = std::move(data);
    }
    return stored;
}

outcome outcome_from(json::value const& stored) {
    base::json_reader from{stored};
    outcome planned;
    planned.state = job_state_from_string(from["state"].string_or("")).value_or(job_state::failed);
    if (auto const* object = stored.if_object())
        if (auto const* output = object->if_contains("output")) planned.output = *output;
    planned.error = base::error(
        base::errc_from_string(from["error_class"].string_or("")).value_or(base::errc::internal),
        std::string(from["error"].string_or(""))
    );
    if (auto const data = from["error_data"]) base::add_data(planned.error, *data.raw());
    return planned;
}

json::value to_json(base::retry_policy const& policy) {
    json::object stored{
        {"limit", policy.limit},
        {"delay_ms", policy.delay.count()},
        {"backoff", text(base::to_string(policy.backoff))},
        {"timeout_ms", policy.timeout.count()},
    };
    if (policy.total) stored["total_ms"] = policy.total->count();
    return stored;
}

base::retry_policy retry_policy_from(json::value const& stored) {
    base::json_reader from{stored};
    base::retry_policy policy;
    policy.limit = static_cast<int>(from["limit"].int64_or(policy.limit));
    policy.delay = std::chrono::milliseconds{from["delay_ms"].int64_or(policy.delay.count())};
    policy.timeout = std::chrono::milliseconds{from["timeout_ms"].int64_or(policy.timeout.count())};
    policy.backoff = base::backoff_shape_from_string(from["backoff"].string_or(""))
                         .value_or(base::backoff_shape::exponential);
    if (from["total_ms"]) policy.total = std::chrono::milliseconds{from["total_ms"].int64_or(0)};
    return policy;
}

} // namespace postrider::queue
