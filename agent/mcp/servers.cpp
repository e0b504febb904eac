#include "agent/mcp/servers.hpp"

#include <algorithm>

namespace postrider::agent::mcp {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds longest_kept = 1min;
constexpr milliseconds failure_kept = 30s;
constexpr milliseconds failing_pause = 5s;

} // namespace

servers::servers(base::clock& clock, clients by_name, base::duration patience)
    : clock_(clock),
      clients_(std::move(by_name)),
      patience_(patience) {}

std::vector<std::string> servers::names() const {
    std::vector<std::string> names;
    for (auto const& [name, client] : clients_) names.push_back(name);
    return names;
}

client* servers::find(std::string_view name) const {
    auto const entry = clients_.find(name);
    return entry == clients_.end() ? nullptr : entry->second.get();
}

base::awaitable<base::result<tool_definitions>> servers::list_tools(std::string name) {
    auto* const client = find(name);
    if (!client)
        co_return base::error(
            base::errc::not_found, "no server is configured as [mcp." + name + "]"
        );
    auto& cached = answers_[name];
    if (cached.version == client->list_version() && clock_.steady() < cached.until)
        co_return cached.tools;
    auto list = co_await base::with_timeout(client->list_tools(), patience_);
    auto const failing_since = cached.failing_since.value_or(clock_.now());
    cached = list ? kept(std::move(*list)) : kept(list.error(), client->list_version());
    if (!cached.tools) cached.failing_since = failing_since;
    co_return cached.tools;
}

base::awaitable<void> servers::ask_failing() {
    std::vector<base::awaitable<void>> asking;
    for (auto const& state : states())
        if (state.failure) asking.push_back(ask(state.name));
    co_await base::run_together("mcp.ask_failing", std::move(asking));
}

base::awaitable<void> servers::keep_asking_failing() {
    for (;;) {
        co_await base::sleep_for(failing_pause);
        co_await ask_failing();
    }
}

base::awaitable<void> servers::ask(std::string name) {
    (void)co_await list_tools(std::move(name));
}

std::vector<server_state> servers::states() const {
    std::vector<server_state> all;
    for (auto const& [name, client] : clients_) {
        server_state state{.name = name, .agreed = client->agreed()};
        if (auto const entry = answers_.find(name); entry != answers_.end()) {
            auto const& answer = entry->second;
            if (answer.tools)
                state.tools = *answer.tools;
            else if (answer.failing_since)
                state.failure = answer.tools.error();
            state.failing_since = answer.failing_since;
        }
        all.push_back(std::move(state));
    }
    return all;
}

servers::known_answer servers::kept(tool_list list) const {
    return {
        .tools = std::make_shared<std::vector<tool_definition> const>(std::move(list.tools)),
        .version = list.version,
        .until = clock_.steady() + std::min(list.fresh_for.value_or(longest_kept), longest_kept)};
}

// Asked for again when there is a connection, or would be one.
servers::known_answer servers::kept(base::error failure, std::uint64_t version) const {
    auto const delay = std::min(failure.retry_after.value_or(failure_kept), failure_kept);
    return {.tools = std::move(failure), .version = version, .until = clock_.steady() + delay};
}

base::awaitable<void> servers::close() {
    // All at once: some take seconds.
    std::vector<base::awaitable<void>> closing;
    for (auto& [name, client] : clients_) closing.push_back(client->close());
    co_await base::run_together("mcp.close", std::move(closing));
}

} // namespace postrider::agent::mcp
