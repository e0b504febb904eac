#pragma once
// The tools of servers of the Model Context Protocol as they were agreed to: the first definition that
// is seen of a tool is, a changed one once an owner accepts it.
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

struct mcp_pin {
    std::string digest;  // that was agreed to
    std::string waiting; // that waits for consent; "" = none
};

// Of a server's tools, by name. Errors as query().
base::awaitable<base::result<std::map<std::string, mcp_pin, std::less<>>>> read_mcp_pins(
    batcher& reads, std::string server, base::duration deadline
);

// A definition as the server gives it now: agreed to when it is the tool's first, no longer waiting when
// it is the one that was agreed to, else waiting. Order 64; returns no row.
write note_mcp_tool(
    std::string_view server,
    std::string_view tool,
    std::string_view digest,
    boost::json::value const& definition
);

struct mcp_tool_name {
    std::string server;
    std::string tool;
};

// All that servers have ever offered, in order. It throws as transaction::query() does.
std::vector<mcp_tool_name> known_mcp_tools(transaction& tx);

// A tool as it was agreed to, and what is offered instead of it.
struct pinned_mcp_tool {
    std::string server;
    std::string tool;
    boost::json::value agreed;
    std::string pinned_at; // ISO 8601 in UTC
    std::string digest;    // of what is offered; "" = nothing else is
    boost::json::value offered;
    std::string offered_at;
};

// By server and tool, those behind `after`; an empty server is every one. It throws likewise.
std::vector<pinned_mcp_tool> list_mcp_tools(
    transaction& tx, std::string const& server, mcp_tool_name const& after, int limit
);

struct mcp_tool_counts {
    std::int64_t known = 0;
    std::int64_t waiting = 0; // for consent
};
// By server. It throws likewise.
std::map<std::string, mcp_tool_counts, std::less<>> count_mcp_tools(transaction& tx);

struct waiting_mcp_tool {
    std::string server;
    std::string tool;
    std::string digest; // of what is offered
    boost::json::value agreed;
    boost::json::value offered;
    std::string offered_at = {}; // ISO 8601 in UTC
};

// Those that wait for consent. They throw as transaction::query() does.
std::vector<waiting_mcp_tool> waiting_mcp_tools(transaction& tx);
// Agrees to what waits and has a digest that begins so; of all of the server's tools where none is
// named. What it was.
std::vector<waiting_mcp_tool> accept_mcp_tools(
    transaction& tx, std::string_view server, std::string_view tool, std::string_view digest
);

} // namespace postrider::storage
