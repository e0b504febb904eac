#pragma once
// The parts of one client's stream that all clients of this node look at together: jobs, and the marks of
// figures and lists. Each looks once before the stream begins, and then tells until the end of the stream.
// On the loop's thread.
#include "server/api/event_line.hpp"
#include "server/api/event_marks.hpp"
#include "server/api/event_topics.hpp"
#include "server/api/job_rounds.hpp"

#include <map>
#include <memory>
#include <string>

namespace postrider::api {

// In a position, of all topics of jobs together.
inline constexpr std::string_view jobs_place = "jobs";

class job_events {
public:
    // The rounds and the clock outlive it.
    job_events(
        job_rounds& rounds,
        base::clock const& clock,
        event_topics topics,
        base::asio::any_io_executor executor
    );

    // Begins at its place in the position, or now where it has none. False: that place is not known any
    // more, so it begins now. A failure is the database's.
    base::awaitable<base::result<bool>> look(stream_position& position);
    // Whatever the client's pace, it is told the newest state of each job; where it is too slow even for
    // that, it is told to read its lists again. False: it failed and cannot go on.
    base::awaitable<bool> tell(event_line& line, base::steady_time end);

    // Those that concern jobs.
    std::vector<std::string> topics() const;

private:
    std::vector<shared_event> take();

    job_rounds& rounds_;
    base::clock const& clock_;
    event_topics topics_;
    log_position position_;
    std::int64_t told_ = 0; // the number that the client knows
    std::shared_ptr<shared_job_looks::place> place_;
};

class mark_events {
public:
    // The looks and the clock outlive it.
    mark_events(
        shared_mark_looks& looks,
        base::clock const& clock,
        std::set<mark_topic> topics,
        base::asio::any_io_executor executor
    );

    // As above; what has no place is told as it stands, if it has figures.
    base::awaitable<base::result<void>> look(stream_position& position);
    base::awaitable<bool> tell(event_line& line, base::steady_time end);

    std::vector<std::string> topics() const;

private:
    base::awaitable<bool> write(event_line& line);

    shared_mark_looks& looks_;
    base::clock const& clock_;
    std::set<mark_topic> topics_;
    std::map<mark_topic, std::string> told_; // digests
    std::shared_ptr<event_marks const> seen_;
    std::shared_ptr<shared_mark_looks::place> place_;
};

// "reset": what the client has of these topics may miss something.
net::sse_event reset_event(std::vector<std::string> const& topics);

} // namespace postrider::api
