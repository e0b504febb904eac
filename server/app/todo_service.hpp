#pragma once
// The todo server of this process with its own connection to Postgres: what changes tasks locks
// their owners, so it shares no batch with anything else.
#include "agent/mcp/in_process_caller.hpp"
#include "server/api/endpoints.hpp"
#include "server/start/config.hpp"
#include "storage/batcher.hpp"

#include <memory>
#include <vector>

namespace postrider::server {

class todo_service {
public:
    // The reads outlive it.
    todo_service(
        boost::asio::any_io_executor executor,
        storage::database_options database,
        storage::batcher& reads,
        config const& settings
    );
    todo_service(todo_service const&) = delete;
    todo_service& operator=(todo_service const&) = delete;

    agent::mcp::server const& server() const noexcept { return server_; }
    // For the agents of this process.
    agent::mcp::in_process_caller& caller() noexcept { return caller_; }
    // For the API, which it outlives.
    api::mcp_services for_api(base::random_source& random) const {
        return {server_, *writes_, reads_, random, hosts_};
    }
    storage::batcher_counts counts() const { return writes_->counts(); }
    // What still waits becomes unavailable.
    void close() { writes_->close(); }

private:
    storage::batcher& reads_;
    std::unique_ptr<storage::batcher> writes_;
    agent::mcp::server server_;
    agent::mcp::in_process_caller caller_;
    std::vector<std::string> hosts_;
};

} // namespace postrider::server
