#pragma once
// The engine with a loop and connections of its own: all that a program needs which only runs
// workflows. docs/workflows.md shows one in twenty lines.
//
// Blocking, for one thread. The constructor brings the schema up to date and joins the other nodes
// that work on the same database; the destructor drains. Throws std::runtime_error when the
// database does not answer.
#include "queue/node/engine.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace postrider::queue {

struct service_options {
    std::string database_url; // libpq URI or conninfo
    engine_options engine = {};
};

class service {
public:
    explicit service(service_options options);
    ~service();
    service(service const&) = delete;
    service& operator=(service const&) = delete;

    // Before the first run…().
    void add(job_kind kind);

    // The job stands in the database when this returns. A lane that does not exist is made.
    job_id enqueue(std::string_view lane_key, std::string kind, boost::json::value input);

    // Runs jobs until none is left that could run by itself or be woken by time.
    void run_until_idle();
    // Runs jobs as long as it is so; asks every 20 ms.
    void run_while(std::function<bool()> condition);
    // Runs jobs until SIGTERM or SIGINT, then drains.
    void run();

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace postrider::queue
