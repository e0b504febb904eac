#pragma once
// A server's tools, whatever carries its messages. On the executor's one thread.
//
// Connects when something is first asked, again when the connection was lost, and after failures
// only after a growing delay. A session that the server has forgotten is begun again, once per
// request.
//
// Errors of its calls:
//   unavailable   no connection, with the delay after which one is tried again; not done
//   ambiguous     may have been done: no answer, or one to a call of a tool that makes no sense
//   unauthorized, rate_limited, overloaded, too_large   as the transport says
//   refused, invalid, not_found   the server's own words in an error of the protocol, or an answer
//                 that makes no sense, but to a call; cancelled: the client was closed before
// A tool that failed is a result. One that no model could be offered is dropped from lists, with a line
// in the log when it is found. Keywords that cannot be used are skipped, with such a line.
#include "agent/json_schema/json_schema.hpp"
#include "agent/mcp/handshake.hpp"
#include "agent/mcp/header_value.hpp"
#include "agent/mcp/tool.hpp"
#include "base/backoff.hpp"

#include <functional>
#include <memory>

namespace postrider::agent::mcp {

struct client_options {
    std::string name; // of the server in logs
    handshake_options handshake;
    base::duration list_timeout = base::duration{std::chrono::seconds{30}}; // of a page
    base::duration call_timeout = base::duration{std::chrono::seconds{60}}; // anew with progress
    base::duration longest_call = base::duration{std::chrono::minutes{10}};
    std::size_t most_pages = 50;
    std::size_t most_tools = 500;
    base::retry_policy reconnection = {
        .delay = std::chrono::seconds{1}, .backoff = base::backoff_shape::exponential};
};

struct tool_list {
    std::vector<tool_definition> tools; // names are unique
    std::vector<tool_note> dropped;
    std::vector<tool_note> unchecked; // of the tools: keywords that were skipped
    std::optional<std::chrono::milliseconds> fresh_for;
    std::uint64_t version = 0; // client::list_version() when it was asked for
};

using transport_factory = std::function<std::unique_ptr<transport>()>;

class client {
public:
    client(
        boost::asio::any_io_executor executor, transport_factory factory, client_options options
    );
    ~client();
    client(client const&) = delete;
    client& operator=(client const&) = delete;

    base::awaitable<base::result<tool_list>> list_tools();
    // Cancelling the awaiting coroutine tells the server to give up. `meta` is said beside the
    // arguments, in _meta.
    base::awaitable<base::result<tool_result>> call_tool(
        std::string name,
        json::object arguments,
        std::function<void(progress_report const&)> on_progress = {},
        json::object meta = {}
    );

    // The longest time that a call takes, whatever progress it tells.
    base::duration longest_call() const noexcept { return options_.longest_call; }

    // Grows when the list may have changed: the server said so, or there is another connection.
    std::uint64_t list_version() const noexcept { return list_version_; }
    // Of the present connection; nothing while there is none.
    std::optional<agreement> agreed() const;
    // Of the present connection, or of the last that was closed; see transport.
    std::string diagnostics() const;

    // Ends what is asked as cancelled. Await it, and the end of what asks, before destruction.
    base::awaitable<void> close();

private:
    struct connection;
    using connection_ptr = std::shared_ptr<connection>;
    struct known_tool {
        std::vector<header_mark> marks;
        std::optional<json_schema::schema> output;
        std::string unchecked; // "" = nothing
    };
    using reported_notes = std::map<std::string, std::string, std::less<>>; // reasons by tool

    base::awaitable<base::result<connection_ptr>> connect();
    base::awaitable<void> connect_in_background();
    base::awaitable<base::result<connection_ptr>> try_to_connect();
    base::awaitable<base::result<rpc_outcome>> ask(
        std::string method, json::object params, request_options options
    );
    base::awaitable<void> listen(connection_ptr connection);
    void retire(connection_ptr old, base::duration patience = {});
    base::awaitable<void> end(connection_ptr old, base::duration patience);
    void note_failure(base::error const& failure, bool was_connected);
    void hear(rpc_notification const& notification);
    base::awaitable<base::result<tool_page>> ask_page(std::optional<std::string> cursor);
    base::result<void> take_page(tool_page page, tool_list& list);
    static base::result<known_tool> read_known(tool_definition const& tool);
    void remember(tool_list& list);
    static std::vector<tool_note> news(
        std::vector<tool_note> const& notes, reported_notes& reported
    );
    base::result<tool_result> check(std::string const& tool, tool_result result) const;

    boost::asio::any_io_executor executor_;
    transport_factory factory_;
    client_options options_;
    connection_ptr current_;
    connection_ptr opening_; // its handshake is under way
    bool closed_ = false;
    bool connecting_ = false;
    bool greets_at_once_ = false; // a server did not survive being asked for its revisions
    base::signal connected_;
    base::error last_failure_;
    std::string last_words_;
    int failures_ = 0; // since something was last answered
    base::steady_time not_before_{};
    std::uint64_t list_version_ = 0;
    std::map<std::string, known_tool, std::less<>> known_;
    reported_notes dropped_; // as last reported
    reported_notes unchecked_;
    base::task_group tasks_;
    base::task_group retiring_; // what closes connections is never cancelled
};

} // namespace postrider::agent::mcp
