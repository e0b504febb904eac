#include "server/api/authentication.hpp"

#include "base/log.hpp"
#include "net/digest.hpp"
#include "server/api/problem.hpp"
#include "server/api/session_cookie.hpp"
#include "storage/query.hpp"

#include <algorithm>

namespace postrider::api {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view unknown_token = "the token is not known";
constexpr std::string_view no_session_counts = "the session is over: log in again";
constexpr std::size_t longest_token = 512; // an owner may have configured a long one
constexpr std::string_view reach_of_sessions = "/api/v1/";

// RFC 6750: the scheme's name in any case, one blank or more, then the token.
std::optional<std::string_view> bearer(std::string_view header) {
    constexpr std::string_view scheme = "Bearer ";
    if (!net::equals_without_case(header.substr(0, scheme.size()), scheme)) return std::nullopt;
    header.remove_prefix(scheme.size());
    header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
    auto const printable = [](char c) { return c > ' ' && c < '\x7f'; };
    bool const fits =
        !header.empty() && header.size() <= longest_token && std::ranges::all_of(header, printable);
    if (!fits) return std::nullopt;
    return header;
}

std::string_view reason_against(std::optional<storage::presented_token> const& token) {
    if (!token) return unknown_token;
    if (token->revoked) return "the token was revoked";
    if (token->expired) return "the token has expired";
    return {};
}

bool only_looks_at(std::string_view method) {
    return method == "GET" || method == "HEAD";
}

} // namespace

std::string actor_of(caller const& caller) {
    if (caller.is_configured_owner()) return "owner";
    if (caller.session == console_session_id{}) return "token:" + base::to_string(caller.token);
    auto const session = "console:" + base::to_string(caller.session);
    if (caller.user == user_id{}) return session;
    return "user:" + base::to_string(caller.user) + "/" + session;
}

bool may(storage::token_role role, std::string_view method, audience open_to) noexcept {
    if (open_to == audience::oneself) return true;
    bool const shown_to_operators = open_to == audience::operators ||
                                    open_to == audience::editors || open_to == audience::everybody;
    bool const looks = shown_to_operators && only_looks_at(method);
    switch (role) {
    case storage::token_role::owner:
        return true;
    case storage::token_role::editor:
        return looks || open_to == audience::editors;
    case storage::token_role::reader:
        return looks;
    case storage::token_role::user:
        return open_to == audience::people || open_to == audience::everybody;
    }
    return false;
}

bool authentication::may_count(std::string_view token) const {
    bool const owners = secrets_.owner.matches(token);
    return secrets_.mint.is_genuine(token) || owners;
}

authentication::credential authentication::shown_by(net::http_request const& head) const {
    using sort = credential::sort;
    auto const count = head.headers.count("Authorization");
    if (count > 1) return {sort::malformed};
    if (count == 1) {
        auto const token = bearer(head.headers.find("Authorization"));
        return token ? credential{sort::bearer, *token} : credential{sort::malformed};
    }
    if (!head.path.starts_with(reach_of_sessions)) return {};
    auto const session = session_cookie(head.headers, is_https(head, secrets_.names));
    return session ? credential{sort::session, *session} : credential{};
}

std::optional<net::http_response> authentication::refuse_at_head(net::http_request const& head) {
    auto const shown = shown_by(head);
    switch (shown.is) {
    case credential::sort::none:
        if (is_from_own_page(head)) return ask_for_login(head.remote, "nobody is logged in");
        return refuse(head.remote, "a bearer token is needed", false);
    case credential::sort::malformed:
        return refuse(head.remote, "the Authorization header is not one bearer token", true);
    case credential::sort::bearer:
        if (!may_count(shown.text)) return refuse(head.remote, unknown_token, true);
        return std::nullopt;
    case credential::sort::session:
        break;
    }
    if (auto foreign = refuse_foreign_page(head, secrets_.names)) {
        report(head.remote, "a foreign page or host used a session");
        return foreign;
    }
    if (!secrets_.mint.is_genuine(shown.text, token_kind::session))
        return ask_for_login(head.remote, no_session_counts);
    return std::nullopt;
}

base::awaitable<std::variant<caller, net::http_response>> authentication::identify(
    net::http_request const& request, audience open_to
) {
    if (auto refused = refuse_at_head(request)) co_return std::move(*refused);
    auto const shown = shown_by(request);
    caller identified{storage::token_role::owner, {}, secrets_.person};
    if (shown.is == credential::sort::session) {
        auto holder = co_await look_up_session(net::sha256_hex(shown.text), request.remote);
        if (auto* refused = std::get_if<net::http_response>(&holder)) co_return std::move(*refused);
        identified = std::get<caller>(holder);
    } else if (!secrets_.owner.matches(shown.text)) {
        auto holder = co_await look_up_token(net::sha256_hex(shown.text), request.remote);
        if (auto* refused = std::get_if<net::http_response>(&holder)) co_return std::move(*refused);
        identified = std::get<caller>(holder);
    }
    if (!may(identified.role, request.method, open_to)) {
        auto const role = std::string(storage::to_string(identified.role));
        co_return net::http_response::problem(
            403, "forbidden", "a token or session of the role " + role + " may not do this"
        );
    }
    co_return identified;
}

net::body_stream authentication::limited(
    net::body_stream stream, caller const& caller, net::http_request const& request
) {
    return streams_.limited(std::move(stream), caller, net::sha256_hex(shown_by(request).text));
}

// A database that does not tell in time: nothing was begun.
base::awaitable<std::variant<caller, net::http_response>> authentication::look_up_token(
    std::string hash, std::string remote
) {
    auto tokens = co_await storage::query(reads_, storage::find_token(hash), database_waits.token);
    if (!tokens) co_return problem_of(base::errc::unavailable, database_use::read);
    std::optional<storage::presented_token> token;
    if (!tokens->empty()) token = storage::read_token(tokens->front());
    if (auto const reason = reason_against(token); !reason.empty())
        co_return refuse(remote, reason, true);
    if (!token->use_noted) used_.insert(token->id);
    co_return caller{token->role, token->id, token->user};
}

base::awaitable<std::variant<caller, net::http_response>> authentication::look_up_session(
    std::string hash, std::string remote
) {
    auto const sessions =
        co_await storage::query(reads_, storage::find_console_session(hash), database_waits.token);
    if (!sessions) co_return problem_of(base::errc::unavailable, database_use::read);
    if (sessions->empty()) co_return ask_for_login(remote, no_session_counts);
    auto const session = storage::read_console_session(sessions->front());
    if (session.over) co_return ask_for_login(remote, no_session_counts);
    if (!session.seen_noted) seen_.insert(session.id);
    co_return caller{session.role, token_id{}, session.user, session.id};
}

base::awaitable<void> authentication::note_uses() {
    for (auto const token : std::exchange(used_, {})) {
        auto const noted = co_await storage::note_token_use(db_, token, database_waits.token);
        if (!noted)
            base::log::warn("api.use_not_noted", {{"token", token}, {"error", noted.error()}});
    }
    if (seen_.empty()) co_return;
    std::vector<console_session_id> const seen(seen_.begin(), seen_.end());
    seen_.clear();
    auto const noted = co_await storage::note_console_sessions(db_, seen, database_waits.token);
    if (!noted)
        base::log::warn("api.use_not_noted", {{"session", seen.front()}, {"error", noted.error()}});
}

void authentication::report(std::string_view remote, std::string_view reason) {
    if (auto const times = refusals_.note(clock_.steady()))
        base::log::warn("api.refused", {{"remote", remote}, {"reason", reason}, {"times", *times}});
}

net::http_response authentication::refuse(
    std::string_view remote, std::string_view reason, bool had_token
) {
    report(remote, reason);
    auto refusal = net::http_response::problem(401, "unauthorized", reason);
    std::string challenge = R"(Bearer realm="postrider")";
    if (had_token) challenge += R"(, error="invalid_token")";
    refusal.headers.add("WWW-Authenticate", std::move(challenge));
    return refusal;
}

net::http_response authentication::ask_for_login(std::string_view remote, std::string_view reason) {
    report(remote, reason);
    auto refusal = net::http_response::problem(401, "login_required", reason);
    refusal.headers.add("WWW-Authenticate", R"(Bearer realm="postrider")");
    return refusal;
}

} // namespace postrider::api
