#pragma once
// The newest changes of jobs, for all who watch on this node: of each job its newest state, in the
// order in which they were found. A watcher remembers the number of the last change that it was told
// and goes on behind it, so a slow one has no queue of its own and is told the newest state of each job.
// The oldest changes are forgotten. Pure.
#include "queue/admin/job_tracker.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace postrider::api {

// A place in the log of this name. Another log knows nothing of it.
struct log_position {
    std::string log;
    std::int64_t number = 0;
};
std::string to_text(log_position const& position);
std::optional<log_position> log_position_from(std::string_view text);

struct logged_job {
    std::int64_t number = 0;
    queue::job_summary job;
    std::string flow;
    queue::job_standing now;
    std::vector<queue::job_standing> before; // in which its watchers may know it
    bool is_known = true;                    // there is no other one in which they may
    // What streams tell of it, made once for all of them: its row of GET /jobs, or that it has left their list.
    std::string job_event;
    std::string left_event;

    bool matches(queue::job_filter const& filter) const;
    // It may have matched for one who was told an older change, or who listed the jobs before.
    bool may_have_matched(queue::job_filter const& filter) const;
};

// Jobs that a log keeps.
inline constexpr std::size_t usual_log = 10'000;

class job_log {
public:
    explicit job_log(std::string name, std::size_t most = usual_log)
        : name_(std::move(name)),
          most_(most) {}

    void add(std::vector<queue::job_change> changes);

    log_position newest() const { return {name_, newest_}; }
    // All that came behind the position is known.
    bool reaches(log_position const& position) const {
        return position.log == name_ && position.number >= forgotten_ && position.number <= newest_;
    }
    std::size_t most() const noexcept { return most_; }
    using shared_job = std::shared_ptr<logged_job const>;
    // Behind the position, oldest first.
    std::vector<shared_job> behind(log_position const& position, std::size_t most) const;

private:
    std::string name_;
    std::size_t most_;
    std::int64_t newest_ = 0;
    std::int64_t forgotten_ = 0; // changes up to this number may be missing
    std::map<std::int64_t, shared_job> changes_;
    std::unordered_map<std::int64_t, std::int64_t> number_of_; // by job
};

} // namespace postrider::api
