#pragma once
// Who asks, by bearer token, and whether they may: the owner everything, a reader whatever only
// looks (GET) at the server's work, a user what is their own. There are no cookies, so there is
// nothing to forge across sites.
//
// What is neither the configured owner's token nor genuine (token_mint.hpp) is refused by its head
// alone: it costs no query, and its body is not read. Both are compared in constant time. The
// owner's token works without the database; a genuine one is looked up by its SHA-256, so that it
// ends when it is revoked. On the loop's thread.
#include "base/async.hpp"
#include "base/report_pace.hpp"
#include "base/secret.hpp"
#include "net/http.hpp"
#include "server/api/caller.hpp"
#include "server/api/stream_access.hpp"
#include "server/api/token_mint.hpp"
#include "storage/database.hpp"
#include "storage/stores/tokens.hpp"

#include <optional>
#include <set>
#include <string>
#include <variant>

namespace postrider::api {

// As the audit names them: "owner", "token:7".
std::string actor_of(caller const& caller);

// Those that a part of the API is open to.
enum class audience {
    operators, // of the server: owners, and readers, who only look
    owners,    // alone
    people,    // users, and owners as users; everybody has their own
    everybody, // both: operators see all of it, users what is their own
};

bool may(
    storage::token_role role, std::string_view method, audience open_to = audience::operators
) noexcept;

// By what callers are known.
struct access_secrets {
    base::secret owner; // the configured owner's token; empty = there is none
    token_mint mint;
    user_id person = {}; // the owner's token acts as this one; 0 = as nobody
};

class authentication {
public:
    // Tokens are looked up in batches. The database that notes their use is not waited for.
    authentication(
        access_secrets secrets, storage::batcher& reads, storage::database& db, base::clock& clock
    )
        : secrets_(std::move(secrets)),
          reads_(reads),
          db_(db),
          clock_(clock),
          streams_(reads) {}

    // 401 unless the head holds a token that may count: before the body is read.
    std::optional<net::http_response> refuse_at_head(net::http_request const& head);
    // The caller, or 401, 403, or 503 when the database does not tell in time.
    base::awaitable<std::variant<caller, net::http_response>> identify(
        std::string method,
        std::string authorization,
        std::string remote,
        audience open_to = audience::operators
    );
    // The stream, which ends once the caller's token no longer counts as it does now.
    net::body_stream limited(
        net::body_stream stream, caller const& caller, std::string_view authorization
    );

    // Notes the uses since the last time. A use that cannot be noted is logged; the next one of its
    // token is noted instead.
    base::awaitable<void> note_uses();
    std::uint64_t refusals() const noexcept { return refusals_.total(); }

private:
    bool may_count(std::string_view token) const;
    base::awaitable<std::variant<caller, net::http_response>> look_up(
        std::string hash, std::string remote
    );
    net::http_response refuse(std::string_view remote, std::string_view reason, bool had_token);

    access_secrets secrets_;
    storage::batcher& reads_;
    storage::database& db_;
    base::clock& clock_;
    stream_access streams_;
    base::report_pace refusals_;
    std::set<token_id> used_; // and not yet noted
};

} // namespace postrider::api
