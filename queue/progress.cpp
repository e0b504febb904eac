#include "queue/progress.hpp"

#include "base/json.hpp"
#include "queue/progress_sql.hpp"
#include "queue/sql.hpp"

#include <array>

namespace postrider::queue {

namespace {

namespace json = boost::json;

constexpr std::array<std::pair<effect_state, std::string_view>, 5> effect_states{{
    {effect_state::planned, "planned"},
    {effect_state::started, "started"},
    {effect_state::done, "done"},
    {effect_state::failed, "failed"},
    {effect_state::unknown, "unknown"},
}};

std::string_view to_string(try_outcome outcome) noexcept {
    switch (outcome) {
    case try_outcome::done:
        return "done";
    case try_outcome::retry:
        return "retry";
    case try_outcome::failed:
        return "failed";
    }
    return "unknown";
}

storage::write make(storage::statement const& what, json::object row) {
    return {&what, json::serialize(row)};
}

json::value text(std::string_view view) {
    return json::value(json::string_view(view.data(), view.size()));
}

json::object row_of(recorded_try const& one, job_id job, node_id node) {
    json::object row{
        {"job_id", base::raw(job)},
        {"key", one.key},
        {"attempt", one.attempt},
        {"seq", one.seq},
        {"outcome", text(to_string(one.outcome))},
        {"took", one.took.count()},
        {"node_id", base::raw(node)},
    };
    if (one.outcome == try_outcome::done) {
        row["result"] = storable(one.result);
    } else {
        row["error_class"] = text(base::to_string(one.failure.code));
        row["error"] = storable(one.failure.detail);
    }
    if (one.policy) row["policy"] = to_json(*one.policy);
    if (one.next_in) row["next_in"] = one.next_in->count();
    return row;
}

json::object row_of(effect_intent const& intent, job_id job) {
    return {
        {"job_id", base::raw(job)},
        {"key", intent.key},
        {"kind", intent.kind},
        {"class", text(to_string(intent.how))},
        {"state", intent.at_once ? "started" : "planned"},
        {"request", storable(intent.request)},
    };
}

json::object row_of(effect_change const& change, job_id job) {
    return {
        {"job_id", base::raw(job)},
        {"key", change.key},
        {"state", text(to_string(change.state))},
        {"flagged", change.flagged},
        {"result", storable(change.result)},
    };
}

json::object row_of(outcome const& how, job_id job) {
    json::object row{
        {"job_id", base::raw(job)},
        {"state", text(to_string(how.state))},
        {"output", storable(how.output)},
    };
    if (how.state == job_state::failed) {
        row["error_class"] = text(base::to_string(how.why.code));
        row["error"] = storable(how.why.detail);
    }
    if (how.used.tokens_in || how.used.tokens_out) {
        row["tokens_in"] = how.used.tokens_in;
        row["tokens_out"] = how.used.tokens_out;
    }
    return row;
}

json::object row_of(park const& how, queue::job const& job) {
    return {
        {"lane_id", base::raw(job.lane)},
        {"head", base::raw(job.id)},
        {"delay", how.delay.count()},
        {"reason", how.reason},
    };
}

} // namespace

std::string_view to_string(effect_state state) noexcept {
    for (auto const& [value, name] : effect_states)
        if (value == state) return name;
    return "unknown";
}

std::optional<effect_state> effect_state_from_string(std::string_view name) noexcept {
    for (auto const& [value, known] : effect_states)
        if (known == name) return value;
    return std::nullopt;
}

std::vector<storage::write> progress::stage(
    int number, std::vector<storage::rows> const& returned
) {
    if (number == 0) {
        result_ = verdict::unknown;
        next_.reset();
        asks_next_ = false;
        return {make(
            sql::fence,
            {{"lane_id", base::raw(lease.lane)},
             {"epoch", base::raw(lease.epoch)},
             {"node_id", base::raw(node)}}
        )};
    }
    if (number == 1) {
        if (returned.front().empty()) {
            result_ = verdict::lost;
            return {};
        }
        arrivals_ = returned.front().front().int64(1);
        edits_ = returned.front().front().int64(2);
        if (unless_edited && edits_ != lease.edits) {
            result_ = verdict::stale;
            return {};
        }
        result_ = verdict::written;
        return rows();
    }
    // next_job, where it was asked, is the last of the rows.
    if (asks_next_ && !returned.back().empty()) next_ = read_job(returned.back().front(), 1);
    return {};
}

std::vector<storage::write> progress::rows() {
    std::vector<storage::write> all = writes;
    for (auto const& one : tries) all.push_back(make(sql::record_tries, row_of(one, job.id, node)));
    for (auto const& intent : intents)
        all.push_back(make(sql::plan_effects, row_of(intent, job.id)));
    for (auto const& change : changes)
        all.push_back(make(sql::change_effects, row_of(change, job.id)));
    add_ending(all);
    return all;
}

void progress::add_ending(std::vector<storage::write>& to) {
    auto take_next = [&](job_id after) {
        asks_next_ = true;
        to.push_back(
            make(sql::next_job, {{"lane_id", base::raw(lease.lane)}, {"after", base::raw(after)}})
        );
    };
    auto yield = [&](job_id head) {
        queue::job from = job;
        from.id = head;
        to.push_back(make(sql::free_lanes, row_of(park{}, from)));
    };
    if (auto waiting = std::get_if<park>(&ending)) {
        to.push_back(make(
            sql::hold_jobs,
            {{"job_id", base::raw(job.id)}, {"state", text(to_string(waiting->as))}, {"uncount", 0}}
        ));
        to.push_back(make(sql::free_lanes, row_of(*waiting, job)));
    } else if (std::holds_alternative<put_back>(ending)) {
        to.push_back(make(
            sql::hold_jobs, {{"job_id", base::raw(job.id)}, {"state", "available"}, {"uncount", 1}}
        ));
        yield(job.id);
    } else if (auto over = std::get_if<settle>(&ending)) {
        to.insert(to.end(), over->how.writes.begin(), over->how.writes.end());
        to.push_back(make(sql::settle_jobs, row_of(over->how, job.id)));
        if (arrivals_ == job.arrival)
            to.push_back(make(sql::end_lanes, {{"lane_id", base::raw(job.lane)}}));
        else if (over->hand_on)
            take_next(job.id);
        else
            yield(job_id{base::raw(job.id) + 1});
    } else if (auto from = std::get_if<advance>(&ending)) {
        take_next(from->after);
    }
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
