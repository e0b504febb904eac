#pragma once
// The servers that the configuration names, and what they offer; and the one of this process. On the executor's one thread.
//
// A list of tools is asked for once and kept for as long as its server lets it, a minute at most, and
// until the server says that it has changed: turns do not ask for it again. Nor do they wait again, for
// half a minute, for a server that failed.
#include "agent/mcp/client.hpp"
#include "base/clock.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::mcp {

class in_process_caller;

using tool_definitions = std::shared_ptr<std::vector<tool_definition> const>;

// A server as this process last saw it. Asking for it asks no server.
struct server_state {
    std::string name;
    std::optional<agreement> agreed;         // of the present connection
    tool_definitions tools = {};             // as it last listed them; null = never, or it fails
    std::optional<base::error> failure = {}; // of the last time that its list was asked for
    std::optional<base::sys_time> failing_since = {};
};

class servers {
public:
    using clients = std::map<std::string, std::unique_ptr<client>, std::less<>>;

    // The clock outlives it. `patience`: how long a list is waited for.
    servers(
        base::clock& clock,
        clients by_name,
        base::duration patience = base::duration{std::chrono::seconds{10}}
    );

    std::vector<std::string> names() const; // in alphabetical order
    // Null: none of that name.
    client* find(std::string_view name) const;
    std::vector<server_state> states() const; // in the same order
    // not_found: no such server; timeout: it takes too long; otherwise as client::list_tools(). A
    // failure may be that of an earlier call.
    base::awaitable<base::result<tool_definitions>> list_tools(std::string name);
    // As list_tools(), of those that failed when they were last asked; of all at the same time.
    base::awaitable<void> ask_failing();
    // The same again and again until it is cancelled: they may be well by now.
    base::awaitable<void> keep_asking_failing();
    base::duration patience() const noexcept { return patience_; }

    // The todo server of this process, which is asked for each person in their own name. Null: there
    // is none. It outlives what asks.
    void set_tasks(in_process_caller* tasks) noexcept { tasks_ = tasks; }
    in_process_caller* tasks() const noexcept { return tasks_; }

    // As client::close(), of each.
    base::awaitable<void> close();

private:
    struct known_answer {
        base::result<tool_definitions> tools;
        std::uint64_t version = 0;
        base::steady_time until{}; // it is asked for again
        std::optional<base::sys_time> failing_since = {};
    };

    base::awaitable<void> ask(std::string name);
    known_answer kept(tool_list list) const;
    known_answer kept(base::error failure, std::uint64_t version) const;

    base::clock& clock_;
    clients clients_;
    base::duration patience_;
    std::map<std::string, known_answer, std::less<>> answers_;
    in_process_caller* tasks_ = nullptr;
};

} // namespace postrider::agent::mcp
