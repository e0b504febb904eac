#include "queue/admin/job_tracker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_compared = 1000; // of one look
constexpr std::size_t most_followed = 100'000;
constexpr std::size_t most_past_looks = 2000;
// An id is drawn before its transaction is seen to write: so long at most.
constexpr base::duration until_written = 10s;
// Ids that transactions had drawn which were open at the first look.
constexpr std::int64_t drawn_before = 10'000;

// What a person sees of it, but for its age.
std::size_t digest_of(job_summary const& job) {
    auto const number = [](std::optional<std::int64_t> value) { return value.value_or(-1); };
    auto const text = fmt::format(
        "{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}",
        job.state,
        job.runs,
        job.lost,
        job.started_at,
        job.finished_at,
        job.due_at,
        job.deadline_at,
        job.priority,
        job.restarts,
        job.asked,
        job.waiting_for,
        number(job.tokens_in),
        number(job.tokens_out),
        number(job.cost_micro),
        job.degraded_reason,
        job.error_class,
        job.error,
        job.said.value_or("")
    );
    return std::max<std::size_t>(1, std::hash<std::string>{}(text));
}

bool has_ended(std::string const& state) {
    auto const parsed = job_state_from_string(state);
    return parsed && over(*parsed);
}

} // namespace

job_look_query job_tracker::next() {
    job_look_query query{since_, floor_, operated_from_};
    for (auto job : unread_) {
        if (query.compared.size() == most_compared) return query;
        query.compared.push_back({job, 0});
    }
    auto const rest = std::min(most_compared - query.compared.size(), known_.size());
    auto entry = known_.upper_bound(compared_);
    for (std::size_t visited = 0; visited < rest; ++visited, ++entry) {
        if (entry == known_.end()) entry = known_.begin();
        auto const& [job, state] = *entry;
        compared_ = job;
        if (!state.is_over && state.version != 0) query.compared.push_back({job, state.version});
    }
    return query;
}

std::vector<job_change> job_tracker::add(job_look look, base::steady_time at) {
    std::vector<job_change> changes;
    if (since_.empty()) begin(look);
    for (auto job : look.gone) {
        known_.erase(job);
        unread_.erase(job);
        over_.erase(job);
    }
    for (auto& found : look.found)
        if (auto change = note(found)) changes.push_back(std::move(*change));
    since_ = look.until;
    move_floor(look, at);
    forget();
    return changes;
}

void job_tracker::begin(job_look const& look) {
    first_newest_ = look.newest;
    floor_ = std::max<std::int64_t>(0, look.newest - drawn_before);
    operated_from_ = look.operated_from;
    for (auto const& job : look.live)
        known_[job.at.job] = {job.at.version, job_standing{job.state, job.error_class}};
}

std::optional<job_change> job_tracker::note(found_job& found) {
    auto const job = found.at.job;
    auto& known = known_[job];
    if (known.version == found.at.version) return std::nullopt;
    if (!found.job) {
        known.version = 0;
        unread_.insert(job);
        return std::nullopt;
    }
    unread_.erase(job);
    auto const digest = digest_of(*found.job);
    bool const is_told = known.digest == digest;
    bool const was_told = known.standing.has_value();
    job_change change{
        std::move(*found.job),
        std::move(found.flow),
        known.standing,
        !was_told && base::raw(job) > first_newest_};
    known = {found.at.version, standing_of(change.job), digest, has_ended(change.job.state)};
    if (known.is_over)
        over_.insert(job);
    else
        over_.erase(job);
    if (is_told) return std::nullopt;
    return change;
}

// Below it no job is new any more: what had drawn a smaller id by then has ended since.
void job_tracker::move_floor(job_look const& look, base::steady_time at) {
    looks_.push_back({at, look.next, look.newest, look.operated_from});
    auto const has_settled = [&](past_look const& past) {
        return past.next <= look.oldest_open && at - past.at >= until_written;
    };
    while (looks_.size() > 1 && has_settled(looks_[1])) {
        floor_ = looks_.front().newest;
        operated_from_ = looks_.front().operated_from;
        looks_.pop_front();
    }
    if (looks_.size() > most_past_looks) looks_.erase(looks_.begin() + 1);
}

void job_tracker::forget() {
    auto const old_ones = over_.upper_bound(job_id{floor_});
    for (auto job = over_.begin(); job != old_ones; ++job) known_.erase(*job);
    over_.erase(over_.begin(), old_ones);
    while (known_.size() > most_followed) {
        auto const job = known_.begin()->first;
        unread_.erase(job);
        over_.erase(job);
        known_.erase(known_.begin());
    }
}

} // namespace postrider::queue
