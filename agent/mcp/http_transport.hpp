#pragma once
// A server that is reached by Streamable HTTP: each message is a POST, answered as JSON or as
// server-sent events.
//
// Revisions with a handshake: the session that the server begins is named in each request and ended
// by close(); a stream that broke off is taken up again where the server lets it; listen() keeps a
// stream for what answers nothing. A server that refuses the handshake's POST and names an endpoint on
// a stream is spoken to by HTTP+SSE, the transport of revision 2024-11-05 (endpoint_stream.hpp): there
// the end of the stream ends the connection. Revision 2026-07-28: no session, header fields that repeat the
// message, and a request is cancelled by closing its stream.
//
// A stream that goes on behind the answer to its request is closed soon.
//
// What a request fails with, besides what net::http_client says:
//   stale         the server has forgotten the session: begin another; nothing was done
//   unauthorized  401, 403
//   rate_limited  429, with the delay that was asked for
//   unavailable   503;  ambiguous: another 5xx, or a stream that ended without the answer
//   not_found, refused, invalid   another status, or a body that cannot be read
//   too_large     the answer is beyond the limit of a message
// An error object in a body of any status is the request's answer.
#include "agent/mcp/transport.hpp"
#include "base/secret.hpp"
#include "net/http_client.hpp"

#include <memory>

namespace postrider::agent::mcp {

struct http_options {
    net::base_url address;
    // Of every request: credentials for the most part.
    std::vector<std::pair<std::string, base::secret>> headers = {};
    message_limits limits = {};
    base::duration connect_timeout = base::duration{std::chrono::seconds{10}};
    base::duration resume_delay = base::duration{std::chrono::seconds{1}}; // unless it says its own
    base::duration endpoint_timeout = base::duration{std::chrono::seconds{10}}; // of HTTP+SSE
    base::duration grace = base::duration{std::chrono::seconds{1}}; // of a stream behind the answer
    int most_resumptions = 5;     // of one answer without a word between
    std::size_t most_calls = 256; // in flight
};

// The client outlives the transport.
std::unique_ptr<transport> make_http_transport(
    boost::asio::any_io_executor executor, net::http_client& client, http_options options
);

} // namespace postrider::agent::mcp
