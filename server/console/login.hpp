#pragma once
// How a browser gets a session of the console, and leaves it: POST /api/v1/login takes the token of a
// one-time link, DELETE /api/v1/session ends the session of the cookie. Pages of other servers may do
// neither.
//
// A link that opens nothing is refused in the same words, whether it never was, was used, or has
// expired. Such refusals are counted and slow; when many wait, the next ones are 429 at once. A login
// that is right waits for none of them. Of tokens and cookies nothing is logged. On the loop's thread.
#include "base/async.hpp"
#include "base/random.hpp"
#include "base/report_pace.hpp"
#include "net/router.hpp"
#include "server/api/browser_rules.hpp"
#include "server/api/token_mint.hpp"
#include "storage/database.hpp"

#include <string>
#include <vector>

namespace postrider::console {

struct login_services {
    storage::database& db; // outlives the desk
    api::token_mint mint;
    base::random_source& random;
    base::clock& clock;
    api::own_names names;
    base::duration pause_after_failure = std::chrono::seconds{1};
};

class login_desk {
public:
    explicit login_desk(login_services services) : services_(std::move(services)) {}
    login_desk(login_desk const&) = delete;
    login_desk& operator=(login_desk const&) = delete;

    // The desk outlives them.
    std::vector<net::route> routes();
    // Logins that opened no session.
    std::uint64_t refusals() const noexcept { return refusals_.total(); }

private:
    using handler = base::awaitable<net::http_response> (login_desk::*)(net::http_request);
    net::route to_route(std::string method, std::string pattern, handler handle);
    base::awaitable<net::http_response> respond(handler handle, net::http_request request);
    base::awaitable<net::http_response> log_in(net::http_request request);
    base::awaitable<net::http_response> log_out(net::http_request request);
    base::awaitable<net::http_response> open_session(net::http_request request, std::string token);
    base::awaitable<net::http_response> refuse(std::string remote);
    // Of the session whose cookie the browser brings; "" = none.
    std::string own_session_hash(net::http_request const& request) const;

    login_services services_;
    base::report_pace refusals_;
    int slowed_ = 0; // refusals that wait
};

} // namespace postrider::console
