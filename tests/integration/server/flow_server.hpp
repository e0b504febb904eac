#pragma once
// One process that runs flows: a real engine and a real HTTP server on a database that outlives it.
#include "agent/flow/catalog.hpp"
#include "agent/flow/library/library.hpp"
#include "agent/flow/watch/live.hpp"
#include "agent/spam/store/knowledge_cache.hpp"
#include "net/http_client.hpp"
#include "net/http_server.hpp"
#include "queue/node/engine.hpp"
#include "server/bots/intake_adapters.hpp"
#include "server/chat/conversation_messenger.hpp"
#include "server/chat/switchboard.hpp"
#include "storage/connections.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <memory>
#include <string>

namespace postrider::tests {

class flow_server {
public:
    explicit flow_server(test_database const& database);
    ~flow_server(); // as a crash would: nothing is drained

    // Publishes the flow; from then on its triggers start it.
    void publish(std::string_view document);
    // Serves the routes at a port of its own.
    void serve(std::vector<net::route> routes);
    // Jobs run from now on.
    void start_engine();
    // Where the doors bring what starts an execution.
    agent::flow::execution_intake& executions() { return executions_; }
    agent::flow::node_services const& nodes() const { return services_; }
    void link_to(std::string base, std::string key) {
        services_.links = {std::move(base), base::secret(std::move(key))};
    }
    void limit_messages(int a_minute) { services_.messages_per_minute = a_minute; }

    net::http_answer send(
        std::string method, std::string target, net::header_list headers, std::string body = {}
    );
    net::http_call call_of(
        std::string method, std::string target, net::header_list headers, std::string body = {}
    ) const;
    // Runs the loop until the query gives the value; throws when it does not in time.
    void until(std::string sql, std::string wanted);

    loop io;
    scripted_model model;
    recording_chat chat;
    storage::connections postgres;
    postrider::chat::conversation_messenger conversations{
        *postgres.checkpoints, *postgres.reads, base::system_random()};
    agent::flow::catalog types = agent::flow::builtin_types();
    agent::flow::library library{io.executor(), *postgres.db, types};
    agent::flow::live live{io.executor()};
    std::unique_ptr<net::http_client> client = net::make_http_client(io.executor());

private:
    agent::flow::node_services services();

    test_database const& database_;
    postrider::chat::switchboard out_{chat, conversations};
    agent::spam::knowledge_cache spam_{*postgres.db};
    agent::flow::node_services services_ = services();
    std::unique_ptr<queue::limiter> limits_;
    std::unique_ptr<queue::engine> engine_;
    postrider::server::engine_slots slots_;
    agent::flow::execution_intake executions_;
    std::unique_ptr<net::http_server> server_;
};

} // namespace postrider::tests
