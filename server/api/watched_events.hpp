#pragma once
// What one watcher of an execution is told, in order and nothing of it twice: what the record
// proves, by its numbers, and what is seen to happen in between, by whichever way that is seen
// first. Pure.
#include "agent/flow/watch/events.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::api {

// How far a watcher has come: "7", or "7.2" of a job that was restarted twice. What was told of an
// earlier life of the job does not count.
struct event_position {
    std::int64_t number = 0;
    std::int64_t restarts = 0;
};
std::string to_text(event_position position);
std::optional<event_position> event_position_from(std::string_view text);

class watched_events {
public:
    explicit watched_events(event_position position)
        : told_(position),
          begin_behind_(position.number) {}

    // Up to which number the record of a job that was restarted so often is known.
    std::int64_t known_of(std::int64_t restarts) const noexcept {
        return told_.restarts == restarts && has_read_ ? told_.number : 0;
    }
    // The record as it is now: its events, at least those behind what is known.
    void read(std::vector<agent::flow::event> record, queue::job_summary const& job);
    // Since the last time, in the order in which it happened; none of it has a number.
    void see(std::vector<agent::flow::event> happened);

    // What is to be told now. While a look at the record is due, what the record will not tell
    // before the rest waits for it; only a model's words go on.
    std::vector<agent::flow::event> take(bool look_is_due);

    // By the record: nothing more will happen.
    bool over() const noexcept { return over_; }
    // Nothing is left to tell and nothing will come.
    bool told_all() const noexcept { return over_ && unsent_.empty(); }
    // Of the event that was told; none without a number.
    std::optional<event_position> position_of(agent::flow::event const& happened) const;

private:
    bool is_new(agent::flow::event const& event);

    event_position told_;
    std::int64_t begin_behind_; // what happened before this number was told by an earlier watch
    std::set<std::string> told_between_;
    std::vector<agent::flow::event> unsent_; // from the record
    std::vector<agent::flow::event> seen_;
    bool has_read_ = false;
    bool over_ = false;
};

} // namespace postrider::api
