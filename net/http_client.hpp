#pragma once
// One HTTP(S) client for the whole process: pooled keep-alive connections per origin, hard
// deadlines, verified TLS. On the executor's one thread.
//
// The failure tells whether the other side may have acted:
//   unavailable  no connection, or nothing of the request was written: certainly not done
//   timeout      no connection within the deadline: certainly not done
//   ambiguous    the request was (partly) written and no complete answer came: may have been done
//   invalid      a malformed URL or answer; too_large: the answer is beyond the limit. Where an answer is the
//                reason, the failure's reason is was_answered: the other side has the request
//   refused      http_client_options::egress admits none of the origin's addresses: not done
// An answer of any status is a value. A pooled connection that turns out closed before a byte of
// the answer is replaced once, and only for a request that is marked idempotent or was not written.
// A redirect is an answer like any other and is not followed. A caller that follows it sends
// another call, which is checked like the first. Error details never hold the target or a header
// (Telegram's token is in the path).
#include "base/async.hpp"
#include "net/http.hpp"
#include "net/resolver.hpp"

#include <functional>
#include <memory>
#include <string>

namespace postrider::net {

// The reason of a failure behind an answer: the request arrived.
inline constexpr std::string_view was_answered = "was_answered";

struct http_answer {
    int status = 0;
    header_list headers;
    std::string body;
};

struct http_call {
    std::string method = "POST";
    std::string origin; // "https://api.telegram.org", "http://127.0.0.1:9000", "unix:/run/x.sock"
    std::string target; // path and query, encoded
    header_list headers;
    std::string body;
    bool idempotent = false;
    // Gets the answer's status and headers before any of its body, likewise.
    std::function<void(http_answer const&)> take_head = {};
    // Gets the body of an answer of status 200 as it comes, instead of the answer; on the
    // executor's thread, and not after send() has ended.
    std::function<void(std::string_view)> take_body = {};
    // A body of this media type that take_body gets has no limit: an endless stream of events.
    std::string endless_type = {};

    base::duration connect_timeout = base::duration{std::chrono::seconds{10}};
    base::duration first_byte_timeout = base::duration{std::chrono::seconds{60}};
    base::duration idle_timeout = base::duration{std::chrono::seconds{30}}; // between two reads
    base::duration total_timeout = base::duration{std::chrono::seconds{120}};
    std::size_t answer_limit = 16u << 20;
};

// Whether a connection to the address may be made. It is asked after the name was resolved and for
// each address, so that no name leads past it. An IPv4 address mapped into IPv6 comes as IPv4.
using address_filter = std::function<bool(boost::asio::ip::address const&)>;

struct http_client_options {
    std::size_t connections_per_origin =
        512; // more calls wait for one, inside their total deadline
    base::duration keep_alive = base::duration{std::chrono::seconds{50}};
    std::string ca_file;        // extra trusted certificates; empty = the system's
    address_filter egress = {}; // none: all addresses, and Unix sockets; any: no Unix socket
    name_lookup look_up = look_up_by_system;
};

class http_client {
public:
    virtual ~http_client() = default;
    // Cancelling the awaiting coroutine closes the connection.
    virtual base::awaitable<base::result<http_answer>> send(http_call call) = 0;
    // Closes pooled connections; calls in flight end as cancelled.
    virtual void close() = 0;
};

// Throws boost::system::system_error when ca_file cannot be read.
std::unique_ptr<http_client> make_http_client(
    boost::asio::any_io_executor executor, http_client_options options = {}
);

struct base_url {
    std::string origin; // scheme://host[:port]
    std::string path;   // "" or "/v1", without a trailing slash
};
// "https://api.openai.com/v1/" → origin and path. invalid: no http(s) URL, or one with user info or
// a query.
base::result<base_url> parse_base_url(std::string_view url);

// The target that a reference leads to from there: "/messages?id=1". invalid: no reference, or one that
// leads to another origin.
base::result<std::string> target_within(base_url const& from, std::string_view reference);

// Retry-After: seconds or an HTTP date, as a delay from now.
std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view value, base::sys_time now
);

} // namespace postrider::net
