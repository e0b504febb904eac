#include "queue/schedule_plan.hpp"

#include "base/cron.hpp"
#include "base/names.hpp"

namespace postrider::queue {

namespace {

using base::sys_time;

constexpr base::names<missed_policy, 3> missed_policies{{
    {missed_policy::skip, "skip"},
    {missed_policy::once, "once"},
    {missed_policy::all, "all"},
}};

// A recurrence that has been read.
class times {
public:
    static base::result<times> of(recurrence const& recurrence) {
        times read;
        read.at_ = recurrence.at;
        if (!recurrence.cron) return read;
        auto cron = base::cron::parse(*recurrence.cron);
        if (!cron) return cron.error();
        auto zone = base::find_time_zone(recurrence.timezone);
        if (!zone) return zone.error();
        read.cron_ = *cron;
        read.zone_ = *zone;
        return read;
    }

    std::optional<sys_time> after(sys_time t) const {
        if (cron_) return cron_->next(t, *zone_);
        return at_ && *at_ > t ? at_ : std::nullopt;
    }

    // Before anything is known: a one-shot's time counts even when it has passed.
    std::optional<sys_time> first(plan_question const& asked) const {
        if (cron_) return after(std::max(asked.now, asked.last_at.value_or(asked.now)));
        return at_ == asked.last_at ? std::nullopt : at_;
    }

private:
    std::optional<base::cron> cron_;
    std::optional<base::time_zone> zone_;
    std::optional<sys_time> at_;
};

// From `first` on, as long as they have come.
std::vector<sys_time> passed(times const& due_times, std::optional<sys_time> first, sys_time now) {
    std::vector<sys_time> times;
    for (auto t = first; t && *t <= now && times.size() < most_runs; t = due_times.after(*t))
        times.push_back(*t);
    return times;
}

} // namespace

std::string_view to_string(missed_policy p) noexcept {
    return base::name_of(missed_policies, p);
}

std::optional<missed_policy> missed_policy_from_string(std::string_view name) noexcept {
    return base::named(missed_policies, name);
}

base::result<schedule_plan> plan_schedule(plan_question const& question) {
    auto const due_times = times::of(question.recurrence);
    if (!due_times) return due_times.error();
    auto const due = question.next_at ? question.next_at : due_times->first(question);
    schedule_plan plan;
    if (!due || *due > question.now) {
        plan.next = due;
        return plan;
    }
    auto const seen_since =
        question.now - std::chrono::floor<std::chrono::microseconds>(missed_after);
    plan.missed = *due <= seen_since;
    if (!plan.missed || question.missed == missed_policy::all)
        plan.runs = passed(*due_times, due, question.now);
    else if (question.missed == missed_policy::once)
        plan.runs = {*due};
    else
        plan.runs = passed(*due_times, due_times->after(seen_since), question.now);
    plan.next = due_times->after(question.now);
    return plan;
}

base::result<std::vector<sys_time>> next_times(
    recurrence const& recurrence, sys_time after, std::size_t count
) {
    auto const all = times::of(recurrence);
    if (!all) return all.error();
    std::vector<sys_time> times;
    for (auto t = all->after(after); t && times.size() < count; t = all->after(*t))
        times.push_back(*t);
    return times;
}

} // namespace postrider::queue
