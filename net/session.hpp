#pragma once
// One connection of the server: reads requests one after the other, lets the route's gate and
// handler answer, writes the answers. Knows nothing of listening.
//
// A request is read in this order: head, framing guard, route, gate, "100 Continue" when it is
// expected, body. Pipelined requests wait in the buffer while the one before is answered.
// On the executor's one thread.
#include "net/eviction_queue.hpp"
#include "net/forwarded.hpp"
#include "net/http_server.hpp"
#include "net/request_id.hpp"
#include "net/request_parser.hpp"
#include "net/response_stream.hpp"
#include "net/watchdog.hpp"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>

namespace postrider::net {

// What the sessions of one server share; it outlives them.
struct session_context {
    http_server_options options;
    router routes;
    trusted_proxies proxies;
    http_server_counts counts;
    request_id_source request_ids;
    eviction_queue waiting = {}; // for their clients
    bool stopping = false;
};

struct session_peer {
    std::string text; // an address, or "unix"
    bool trusted = false;
};

class session {
public:
    using socket = boost::asio::generic::stream_protocol::socket;

    session(session_context& context, socket connected, session_peer peer);

    // Returns when the connection is done with; the destructor closes it.
    base::awaitable<void> run();

    // The context is stopping now: ends the wait for a next request, or a stream.
    void stop();

private:
    // What follows a request: another, or the end. Lingering gives a client that is still sending
    // the time to read the answer; a plain close with unread input would reset the connection.
    enum class next { request, close, linger };
    enum class head_end { complete, too_large, gone };
    enum class body_end { complete, cut, too_large, malformed, late, gone };

    base::awaitable<next> serve_request();
    base::awaitable<next> serve(request_parser& parser);
    base::awaitable<head_end> read_head(std::size_t& size);
    base::awaitable<body_end> read_body(request_parser& parser);
    base::awaitable<next> turn_away(request_parser& parser, http_response response);
    bool skip_received_body(request_parser& parser);
    base::awaitable<http_response> call(route const& route, http_request request);
    base::awaitable<next> refuse(int status, std::string_view code, std::string_view detail);
    base::awaitable<bool> answer(http_response response);
    base::awaitable<void> stream(body_stream body);
    base::awaitable<bool> write(std::string_view head, std::string_view body);
    base::awaitable<bool> fill(std::size_t room);
    base::awaitable<void> linger();

    void begin_wait();
    void allow(std::size_t bytes, base::duration limit);
    void abort();
    void identify(http_request& request);
    std::string_view unread() const noexcept;

    session_context& context_;
    socket socket_;
    session_peer peer_;
    watchdog deadline_;
    eviction_queue::entry place_;
    base::steady_time wait_begun_; // of the current wait for the client
    boost::beast::flat_buffer buffer_;
    std::string out_;
    bool fresh_ = true;    // no request has come yet
    bool waiting_ = false; // for the first byte of a request
    bool writing_ = false; // what the kernel had no room for
    std::optional<response_stream> streaming_;
    // Of the request being answered.
    struct {
        std::string id;
        bool keep_alive = false;
        bool http_1_0 = false;
        bool head_only = false;
    } current_;
};

} // namespace postrider::net
