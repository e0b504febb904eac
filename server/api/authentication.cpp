#include "server/api/authentication.hpp"

#include "base/log.hpp"
#include "net/digest.hpp"
#include "server/api/problem.hpp"
#include "storage/query.hpp"

#include <algorithm>

namespace postrider::api {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view unknown_token = "the token is not known";
constexpr std::size_t longest_token = 512; // an owner may have configured a long one

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

} // namespace

std::string actor_of(caller const& caller) {
    return caller.token == token_id{} ? "owner" : "token:" + base::to_string(caller.token);
}

bool may(storage::token_role role, std::string_view method, audience open_to) noexcept {
    switch (role) {
    case storage::token_role::owner:
        return true;
    case storage::token_role::reader:
        return (open_to == audience::operators || open_to == audience::everybody) &&
               (method == "GET" || method == "HEAD");
    case storage::token_role::user:
        return open_to == audience::people || open_to == audience::everybody;
    }
    return false;
}

bool authentication::may_count(std::string_view token) const {
    bool const owners = secrets_.owner.matches(token);
    return secrets_.mint.is_genuine(token) || owners;
}

std::optional<net::http_response> authentication::refuse_at_head(net::http_request const& head) {
    auto const count = head.headers.count("Authorization");
    if (count == 0) return refuse(head.remote, "a bearer token is needed", false);
    auto const token = bearer(head.headers.find("Authorization"));
    if (count > 1 || !token)
        return refuse(head.remote, "the Authorization header is not one bearer token", true);
    if (!may_count(*token)) return refuse(head.remote, unknown_token, true);
    return std::nullopt;
}

base::awaitable<std::variant<caller, net::http_response>> authentication::identify(
    std::string method, std::string authorization, std::string remote, audience open_to
) {
    auto const token = bearer(authorization);
    if (!token) co_return refuse(remote, "a bearer token is needed", false);
    if (!may_count(*token)) co_return refuse(remote, unknown_token, true);
    caller identified{storage::token_role::owner, {}, secrets_.person};
    if (!secrets_.owner.matches(*token)) {
        auto found = co_await look_up(net::sha256_hex(*token), remote);
        if (auto* refused = std::get_if<net::http_response>(&found)) co_return std::move(*refused);
        identified = std::get<caller>(found);
    }
    if (!may(identified.role, method, open_to)) {
        auto const role = std::string(storage::to_string(identified.role));
        co_return net::http_response::problem(
            403, "forbidden", "a token of the role " + role + " may not do this"
        );
    }
    co_return identified;
}

net::body_stream authentication::limited(
    net::body_stream stream, caller const& caller, std::string_view authorization
) {
    return streams_.limited(
        std::move(stream), caller, net::sha256_hex(bearer(authorization).value_or(""))
    );
}

// A database that does not tell in time: nothing was begun.
base::awaitable<std::variant<caller, net::http_response>> authentication::look_up(
    std::string hash, std::string remote
) {
    auto found = co_await storage::query(reads_, storage::find_token(hash), database_waits.token);
    if (!found) co_return problem_of(base::errc::unavailable, database_use::read);
    std::optional<storage::presented_token> token;
    if (!found->empty()) token = storage::read_token(found->front());
    if (auto const reason = reason_against(token); !reason.empty())
        co_return refuse(remote, reason, true);
    if (!token->use_noted) used_.insert(token->id);
    co_return caller{token->role, token->id, token->user};
}

base::awaitable<void> authentication::note_uses() {
    for (auto const token : std::exchange(used_, {})) {
        auto const noted = co_await storage::note_token_use(db_, token, database_waits.token);
        if (!noted)
            base::log::warn("api.use_not_noted", {{"token", token}, {"error", noted.error()}});
    }
}

net::http_response authentication::refuse(
    std::string_view remote, std::string_view reason, bool had_token
) {
    if (auto const times = refusals_.note(clock_.steady()))
        base::log::warn("api.refused", {{"remote", remote}, {"reason", reason}, {"times", *times}});
    auto refusal = net::http_response::problem(401, "unauthorized", reason);
    std::string challenge = R"(Bearer realm="postrider")";
    if (had_token) challenge += R"(, error="invalid_token")";
    refusal.headers.add("WWW-Authenticate", std::move(challenge));
    return refusal;
}

} // namespace postrider::api
