#include "server/api/job_log.hpp"

#include "base/json/text.hpp"
#include "net/sse.hpp"
#include "server/views/job_json.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::api {

namespace json = boost::json;

namespace {

constexpr std::size_t most_standings = 4;

void add_standing(logged_job& to, queue::job_standing standing) {
    if (std::ranges::find(to.before, standing) != to.before.end()) return;
    if (to.before.size() == most_standings)
        to.is_known = false;
    else
        to.before.push_back(std::move(standing));
}

std::string event_text(std::string type, json::object const& row) {
    return net::to_text({std::move(type), base::json_text(row)});
}

} // namespace

std::string to_text(log_position const& position) {
    return position.log + "-" + std::to_string(position.number);
}

std::optional<log_position> log_position_from(std::string_view text) {
    auto const dash = text.rfind('-');
    if (dash == std::string_view::npos || dash == 0) return std::nullopt;
    log_position at{std::string(text.substr(0, dash))};
    auto const* const last = text.data() + text.size();
    auto const [end, ec] = std::from_chars(text.data() + dash + 1, last, at.number);
    if (ec != std::errc{} || end != last || at.number < 0) return std::nullopt;
    return at;
}

bool logged_job::matches(queue::job_filter const& filter) const {
    return queue::matches(filter, job, flow, now);
}

bool logged_job::may_have_matched(queue::job_filter const& filter) const {
    if (!is_known) return queue::may_match(filter, job, flow);
    return std::ranges::any_of(before, [&](queue::job_standing const& then) {
        return queue::matches(filter, job, flow, then);
    });
}

void job_log::add(std::vector<queue::job_change> changes) {
    for (auto& change : changes) {
        auto const id = change.job.id;
        auto added = std::make_shared<logged_job>();
        added->number = ++newest_;
        added->job_event = event_text("job", server::job_json(change.job));
        added->left_event = event_text("job_left", {{"job_id", id}, {"state", change.job.state}});
        added->now = queue::standing_of(change.job);
        added->job = std::move(change.job);
        added->flow = std::move(change.flow);
        added->is_known = change.is_new || change.before.has_value();
        if (change.before) add_standing(*added, std::move(*change.before));
        if (auto const older = number_of_.find(id); older != number_of_.end()) {
            auto const entry = changes_.find(older->second);
            auto const& replaced = *entry->second;
            added->is_known = added->is_known && replaced.is_known;
            for (auto const& then : replaced.before) add_standing(*added, then);
            add_standing(*added, replaced.now);
            changes_.erase(entry);
        }
        number_of_[id] = newest_;
        changes_.emplace(newest_, std::move(added));
    }
    while (changes_.size() > most_) {
        auto const oldest = changes_.begin();
        forgotten_ = oldest->first;
        number_of_.erase(oldest->second->job.id);
        changes_.erase(oldest);
    }
}

std::vector<job_log::shared_job> job_log::behind(log_position const& position, std::size_t most)
    const {
    std::vector<shared_job> jobs;
    for (auto entry = changes_.upper_bound(position.number);
         entry != changes_.end() && jobs.size() < most;
         ++entry)
        jobs.push_back(entry->second);
    return jobs;
}

} // namespace postrider::api
