#include "queue/admin/job_feed.hpp"

#include "base/sort_by.hpp"

#include <algorithm>

namespace postrider::queue {

namespace {

using std::chrono::microseconds;
using storage::statement;

// Ids are drawn before their commit, so a smaller one may appear after a greater one: it is looked
// back so far each time, and as far as the newest job of ten seconds ago.
constexpr std::int64_t look_back = 2000;
constexpr int page_of_jobs = 1000;
// A step's end is stamped before its commit, too. The second instant is how long that may take.
constexpr statement feed_time{"feed_time", R"sql(
select to_char(postrider.now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       to_char((postrider.now() - interval '10 s') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))sql"};

constexpr statement feed_steps{"feed_steps", R"sql(
select s.job_id, s.seq, s.key, s.attempt, s.outcome,
       (extract(epoch from s.started_at - j.created_at) * 1000000)::bigint,
       (extract(epoch from s.ended_at - s.started_at) * 1000000)::bigint,
       s.error_class, s.error, to_char(s.ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       s.model, s.tokens_in, s.tokens_out, s.tokens_cached, (s.cost * 1000000)::bigint
from unnest($1::bigint[]) n(job_id)
cross join lateral (select * from postrider.job j where j.job_id = n.job_id offset 0) j
cross join lateral (select * from postrider.step_timeline s where s.job_id = n.job_id offset 0) s
where s.ended_at >= $2::timestamptz and position('~' in s.key) = 0
order by s.ended_at, s.seq, s.attempt)sql"};

bool is_over(std::string const& state) {
    auto parsed = job_state_from_string(state);
    return parsed && over(*parsed);
}

// When it came to its state, where that is recorded.
std::string time_of_change(
    job_summary const& job, std::string const& before, std::string const& now
) {
    if (is_over(job.state)) return job.finished_at;
    if (job.state == "running" && job.runs <= 1 && !job.started_at.empty()) return job.started_at;
    return before.empty() ? job.created_at : now;
}

std::vector<job_state> live_states() {
    return {
        job_state::available,
        job_state::scheduled,
        job_state::running,
        job_state::waiting,
        job_state::retryable,
        job_state::paused};
}

} // namespace

job_feed::job_feed(job_filter filter, std::vector<job_id> only)
    : filter_(std::move(filter)),
      only_(std::move(only)) {}

std::vector<job_event> job_feed::poll(storage::transaction& tx) {
    auto const times = tx.query(feed_time);
    auto const& now = times.at(0).text(0);
    if (since_.empty()) since_ = began_at_ = now;
    std::vector<job_event> events;
    auto const jobs = to_look_at(tx);
    add_states(tx, jobs, now, events);
    add_steps(tx, events);
    auto const& settled_at = times.at(0).text(1);
    if (since_ < settled_at) since_ = settled_at;
    newest_at_.emplace_back(now, newest_);
    while (newest_at_.size() > 1 && newest_at_[1].first <= settled_at) newest_at_.pop_front();
    if (newest_at_.front().first <= settled_at)
        floor_ =
            job_id{std::min(base::raw(newest_at_.front().second), base::raw(newest_) - look_back)};
    std::erase_if(told_steps_, [this](auto const& step) { return step < since_; });
    std::erase_if(known_, [this](auto const& candidate) {
        auto const& [job, state] = candidate;
        return state.ended && only_.empty() && job <= floor_;
    });
    base::stable_sort_by(events, [](job_event const& each) { return std::string_view(each.at); });
    begun_ = true;
    return events;
}

bool job_feed::over() const {
    return begun_ && !only_.empty() && std::ranges::all_of(only_, [this](job_id job) {
               auto entry = known_.find(job);
               return entry == known_.end() || entry->second.ended;
           });
}

std::vector<job_id> job_feed::missing() const {
    std::vector<job_id> jobs;
    if (!begun_) return jobs;
    std::ranges::copy_if(only_, std::back_inserter(jobs), [this](job_id job) {
        return !known_.contains(job);
    });
    return jobs;
}

// The live ones that are known, and what is new; at first all that live.
std::vector<job_id> job_feed::to_look_at(storage::transaction& tx) {
    if (!only_.empty()) return only_;
    std::vector<job_id> jobs;
    for (auto const& [job, state] : known_)
        if (!state.ended) jobs.push_back(job);
    auto filter = filter_;
    filter.states.clear(); // a job comes to a state: it is watched before
    filter.degraded = false;
    filter.degraded_reason.clear();
    if (!begun_) {
        if (auto newest = matching_jobs(tx, {}, {}, 1); !newest.empty()) newest_ = newest.front();
        floor_ = job_id{base::raw(newest_) - look_back};
        filter.states = live_states();
    }
    std::optional<job_id> below;
    for (bool goes_on = true; goes_on;) {
        auto const page = matching_jobs(tx, filter, below, page_of_jobs);
        for (auto job : page)
            if ((!begun_ || job > floor_) && !known_.contains(job)) jobs.push_back(job);
        goes_on = page.size() == page_of_jobs && (!begun_ || page.back() > floor_);
        if (goes_on) below = page.back();
    }
    return jobs;
}

void job_feed::add_states(
    storage::transaction& tx,
    std::span<job_id const> jobs,
    std::string const& now,
    std::vector<job_event>& events
) {
    auto const summaries = summaries_of(tx, jobs);
    for (auto job = summaries.rbegin(); job != summaries.rend(); ++job) {
        job_id const id{job->id};
        auto& before = known_[id];
        bool const was_over =
            before.state.empty() && is_over(job->state) && job->finished_at < began_at_;
        bool const old = only_.empty() && (!begun_ || was_over); // as it was before we looked
        bool const any_state = filter_.states.empty() && !filter_.degraded;
        auto const& reason = filter_.degraded_reason;
        bool const in_state = any_state || (filter_.degraded && job->degraded) ||
                              std::ranges::any_of(filter_.states, [&](job_state state) {
                                  return to_string(state) == job->state;
                              });
        bool const matches = in_state && (reason.empty() || job->degraded_reason == reason);
        if (before.state != job->state && !old && matches)
            events.push_back({time_of_change(*job, before.state, now), *job, before.state, {}});
        before.state = job->state;
        before.ended = is_over(job->state);
        newest_ = std::max(newest_, id);
    }
}

// Of all that are known, also of those that have just ended.
void job_feed::add_steps(storage::transaction& tx, std::vector<job_event>& events) {
    if (!filter_.states.empty() || filter_.degraded || !filter_.degraded_reason.empty())
        return; // a feed of some states does not tell of steps
    std::vector<job_id> jobs;
    for (auto const& [job, state] : known_) jobs.push_back(job);
    if (jobs.empty()) return;
    std::vector<job_id> with_steps;
    std::size_t const first = events.size();
    for (auto const& r : tx.query(feed_steps, {to_array(jobs), since_})) {
        auto const at = r.text(9);
        if (!told_steps_.insert(at + ' ' + r.text(0) + ' ' + r.text(2) + ' ' + r.text(3)).second)
            continue;
        job_event event;
        event.at = at;
        event.job.id = r.int64(0);
        with_steps.push_back(job_id{event.job.id});
        step_summary step;
        step.number = r.int64(1);
        step.key = r.text(2);
        step.attempt = r.int64(3);
        step.outcome = r.text(4);
        step.begins = microseconds{r.int64(5)};
        step.took = microseconds{r.int64(6)};
        step.error_class = r.optional_text(7).value_or("");
        step.error = r.optional_text(8).value_or("");
        step.model = r.optional_text(10).value_or("");
        step.paid = payment_of(r, 11);
        event.step = std::move(step);
        events.push_back(std::move(event));
    }
    auto const jobs_of_steps = summaries_of(tx, with_steps);
    for (std::size_t i = first; i < events.size(); ++i)
        for (auto const& job : jobs_of_steps)
            if (job.id == events[i].job.id) events[i].job = job;
}

} // namespace postrider::queue
