#include "server/console/login.hpp"

#include "base/log.hpp"
#include "base/taken_place.hpp"
#include "server/api/answer_headers.hpp"
#include "server/api/authentication.hpp"
#include "server/api/inputs.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/api/session_cookie.hpp"
#include "storage/stores/audit.hpp"
#include "storage/stores/console.hpp"
#include "storage/transact.hpp"

namespace postrider::console {

namespace {

using net::http_request;
using net::http_response;

constexpr std::size_t largest_login = 4u << 10; // bytes
constexpr int most_slowed = 50;

api::caller caller_of(storage::console_session const& session) {
    return {session.role, token_id{}, session.user, session.id};
}

// A program that is no browser names no page, and brings no cookie that another could misuse.
std::optional<http_response> refuse_page(http_request const& request, api::own_names const& names) {
    bool const names_page =
        request.headers.count("Sec-Fetch-Site") > 0 || request.headers.count("Origin") > 0;
    bool const is_program = !names_page && !api::session_cookie(request.headers, false) &&
                            !api::session_cookie(request.headers, true);
    return is_program ? api::refuse_foreign_host(request, names)
                      : api::refuse_foreign_page(request, names);
}

using found_session = std::optional<storage::console_session>;

// `former`: the hash of the browser's session before, which ends; "" = it has none.
std::function<found_session(storage::transaction&)> opening(
    std::string link_hash, std::string session_hash, std::string former
) {
    return [link_hash = std::move(link_hash),
            session_hash = std::move(session_hash),
            former = std::move(former)](storage::transaction& tx) {
        auto session = storage::open_console_session(tx, link_hash, session_hash);
        if (!session) return session;
        storage::act_as(tx, api::actor_of(caller_of(*session)));
        if (!former.empty()) storage::leave_console_session(tx, former);
        return session;
    };
}

std::function<found_session(storage::transaction&)> leaving(std::string session_hash) {
    return [session_hash = std::move(session_hash)](storage::transaction& tx) {
        auto session = storage::leave_console_session(tx, session_hash);
        if (session) storage::act_as(tx, api::actor_of(caller_of(*session)));
        return session;
    };
}

} // namespace

std::vector<net::route> login_desk::routes() {
    return {
        to_route("POST", "/api/v1/login", &login_desk::log_in),
        to_route("DELETE", "/api/v1/session", &login_desk::log_out)};
}

net::route login_desk::to_route(std::string method, std::string pattern, handler handle) {
    net::route route;
    route.method = std::move(method);
    route.pattern = std::move(pattern);
    route.body_limit = largest_login;
    // Not at a gate: what passes one and succeeds proves its connection (net/router.hpp), and anybody
    // may log out.
    route.handle = [this, handle](http_request request) {
        return respond(handle, std::move(request));
    };
    return route;
}

base::awaitable<http_response> login_desk::respond(handler handle, http_request request) {
    http_response result;
    if (auto refused = refuse_page(request, services_.names))
        result = std::move(*refused);
    else
        result = co_await (this->*handle)(std::move(request));
    api::add_protective_headers(result);
    co_return result;
}

std::string login_desk::own_session_hash(http_request const& request) const {
    auto const https = api::is_https(request, services_.names);
    auto const session = api::session_cookie(request.headers, https);
    if (!session || !services_.mint.is_genuine(*session, api::token_kind::session)) return {};
    return api::hash_of(base::secret(std::string(*session)));
}

base::awaitable<http_response> login_desk::log_in(http_request request) {
    api::members body(request);
    auto token = body.required_text("token");
    if (auto const wrong = body.mistakes(); !wrong.empty()) co_return api::invalid(wrong);
    if (!services_.mint.is_genuine(token, api::token_kind::link))
        co_return co_await refuse(request.remote);
    co_return co_await open_session(std::move(request), std::move(token));
}

base::awaitable<http_response> login_desk::open_session(http_request request, std::string token) {
    auto const session = services_.mint.make_token(services_.random, api::token_kind::session);
    auto link_hash = api::hash_of(base::secret(std::move(token)));
    auto work = opening(std::move(link_hash), api::hash_of(session), own_session_hash(request));
    auto opened = co_await storage::transact(
        services_.db, "console.login", std::move(work), api::database_waits.change
    );
    if (!opened) co_return api::problem_of(opened.error(), api::database_use::change);
    if (!*opened) co_return co_await refuse(request.remote);
    base::log::info(
        "console.login",
        {{"session", (*opened)->id}, {"remote", request.remote}, {"request", request.id}}
    );
    auto answer = http_response::empty(204);
    answer.headers.add(
        "Set-Cookie",
        api::new_session_cookie(
            session, api::is_https(request, services_.names), storage::console_session_longest
        )
    );
    co_return answer;
}

base::awaitable<http_response> login_desk::refuse(std::string remote) {
    if (auto const times = refusals_.note(services_.clock.steady()))
        base::log::warn("console.login_refused", {{"remote", remote}, {"times", *times}});
    if (slowed_ >= most_slowed) {
        auto busy = http_response::problem(
            429, "too_many_logins", "many logins have failed just now: try again"
        );
        busy.headers.add("Retry-After", "1");
        co_return busy;
    }
    base::taken_place const waiting(slowed_);
    co_await base::sleep_for(services_.pause_after_failure);
    co_return http_response::problem(
        401,
        "login_refused",
        "this link does not work, or no longer: each is for one login within 15 minutes. "
        "`postrider console link` makes a new one"
    );
}

base::awaitable<http_response> login_desk::log_out(http_request request) {
    bool const https = api::is_https(request, services_.names);
    auto answer = http_response::empty(204);
    if (auto session_hash = own_session_hash(request); !session_hash.empty()) {
        auto work = leaving(std::move(session_hash));
        auto const left = co_await storage::transact(
            services_.db, "console.logout", std::move(work), api::database_waits.change
        );
        if (!left) answer = api::problem_of(left.error(), api::database_use::change);
    }
    if (answer.status == 204) answer.headers.add("Set-Cookie", api::no_session_cookie(https));
    co_return answer;
}

} // namespace postrider::console
