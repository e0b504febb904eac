#pragma once
// The start of an execution by a request from outside, in one commit with its key. Requests wait for their
// commit in bounded numbers, so that a busy address leaves room for chats.
#include "agent/flow/library/library.hpp"
#include "agent/flow/start/start_once.hpp"
#include "base/outage.hpp"
#include "net/http.hpp"

#include <boost/json/object.hpp>

#include <map>
#include <optional>
#include <string>

namespace postrider::hooks {

// Requests that wait, of one flow and of all: fewer than all intakes let wait
// (agent::flow::intake_limits).
struct start_limits {
    std::size_t of_flow = 500;
    std::size_t of_all = 1000;
};

class hook_starts {
public:
    // What is referred to outlives it.
    hook_starts(
        agent::flow::library const& flows,
        agent::flow::execution_intake& executions,
        start_limits limits
    )
        : flows_(flows),
          executions_(executions),
          limits_(limits) {}

    // Of the flow as it is now, with that item.
    agent::flow::execution_start execution_of(
        agent::flow::start const& to, boost::json::object item, net::http_request const& request
    ) const;

    // overloaded: too many wait already. Else failures as of start_once(). What keeps it from starting is
    // logged here: the database's absence once a minute, however many requests meet it.
    base::awaitable<base::result<agent::flow::started_execution>> start(
        agent::flow::execution_start execution,
        std::optional<storage::request_key> key,
        std::string flow
    );

private:
    class waiting_place;
    void report_failure(std::string const& flow, base::error const& error);

    agent::flow::library const& flows_;
    agent::flow::execution_intake& executions_;
    start_limits limits_;
    base::outage outage_;
    std::map<std::string, std::size_t, std::less<>> waiting_; // by flow
    std::size_t all_waiting_ = 0;
};

} // namespace postrider::hooks
