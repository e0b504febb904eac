#pragma once
// Executions of a flow to look at, and what looking at them needs of the process.
#include "agent/flow/catalog.hpp"
#include "server/api/endpoints.hpp"
#include "storage/batcher.hpp"
#include "tests/support/unread_chat.hpp"

#include <map>
#include <memory>
#include <string>

namespace postrider::tests {

// Of the flow "greeting", which waits for an answer and notes it (the versions 3 and 5; 5 is
// current): 51 is over, 52 waits, 53 of version 5 failed. Beside what `scene` holds.
extern char const* const executions;

class executions_scene {
public:
    executions_scene(
        boost::asio::any_io_executor executor,
        storage::database_options const& database,
        base::clock& clock
    );
    ~executions_scene();

    api::execution_services for_api() { return {services_, hub, types_}; }
    std::vector<api::endpoint> endpoints() {
        api::resources with{base::system_random()};
        with.executions.emplace(for_api());
        return api::execution_endpoints(with);
    }

    agent::flow::node_services const& services() const noexcept { return services_; }
    // What the process has of them; it outlives the requests.
    void use(agent::embedder& embedder) { services_.embedder = &embedder; }
    void use(agent::budgets budgets) { services_.budgets = std::move(budgets); }

    agent::flow::live hub;
    unread_chat chat;

private:
    using graph_ptr = std::shared_ptr<agent::flow::graph const>;
    base::awaitable<base::result<graph_ptr>> find(std::string name, std::int64_t version);

    agent::flow::catalog types_ = agent::flow::builtin_types();
    std::map<std::int64_t, graph_ptr> graphs_; // by version
    std::unique_ptr<storage::batcher> reads_;
    agent::flow::node_services services_;
};

} // namespace postrider::tests
