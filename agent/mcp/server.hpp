#pragma once
// A server of tools as an object: what it answers to a request, whoever carries the messages. It
// keeps nothing between requests; what a client agreed on stands in its session, which the carrier
// owns. On the executor's one thread.
//
// It speaks the revisions of revision.hpp, each request by the rules of its own: one that names
// 2026-07-28 in its _meta needs no handshake, any other one has to be behind initialize. A tool that
// fails, and arguments that do not fit its schema, are results with isError, for the model; what is
// wrong with the message itself is an error of the protocol.
//
// Who calls is known from the session, and the key under which a call is done once comes from _meta
// ("postrider/key"), which no model fills in.
#include "agent/json_schema/json_schema.hpp"
#include "agent/mcp/peer.hpp"
#include "agent/mcp/tool.hpp"
#include "base/ids.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::mcp {

// In the _meta of tools/call: a call with the same key, repeated, is not done again. 1 to 200
// characters; counts for its caller alone.
inline constexpr std::string_view call_key_member = "postrider/key";
inline constexpr std::size_t longest_call_key = 200;

struct served_call {
    user_id caller{};
    std::string key; // "" = none
    json::object arguments;
    json::object origin = {}; // as of the session
};

struct served_tool {
    tool_definition definition;
    // The arguments fit the schema. What it returns is the structured result; the detail of an error
    // is shown to the model.
    std::function<base::awaitable<base::result<json::object>>(served_call)> run;
};

struct server_description {
    std::string name;
    std::string title;
    std::string version;
    std::string instructions; // for the model
    std::vector<served_tool> tools;
};

// What one client and the server agreed on.
struct served_session {
    user_id caller{};          // authenticated by the carrier
    std::string revision = {}; // "" before initialize
    // What the carrier knows of where the calls come from, for the tools; no message says it.
    json::object origin = {};
};

class server {
public:
    // Throws std::invalid_argument when a tool's schema is none: a defect of ours.
    explicit server(server_description description);

    // Outlives the coroutine, as the session does. An initialize settles the session's revision.
    base::awaitable<rpc_outcome> answer(rpc_request request, served_session& session) const;

    // The revision that the request names itself; "" = it relies on a handshake.
    static std::string named_revision(rpc_request const& request);

    // The tool that the request calls, where it may change something; "" otherwise.
    std::string changing_tool(rpc_request const& request) const;

private:
    struct compiled_tool {
        served_tool tool;
        json_schema::schema input;
    };

    rpc_outcome initialize(json::object const& params, served_session& session) const;
    base::awaitable<rpc_outcome> answer_in(
        std::string revision, rpc_request request, served_session const& session
    ) const;
    rpc_outcome discover() const;
    rpc_outcome list_tools(json::object const& params, bool stateless) const;
    base::awaitable<rpc_outcome> call_tool(json::object params, served_session const& session)
        const;
    json::object identity() const;

    server_description description_;
    std::map<std::string, compiled_tool, std::less<>> tools_;
};

// The answer to a text that may be a message: nothing to a notification and to an answer. What throws
// is an internal error.
base::awaitable<std::optional<message>> answer_text(
    server const& serving, std::string text, served_session& session
);

} // namespace postrider::agent::mcp
