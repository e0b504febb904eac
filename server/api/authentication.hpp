#pragma once
// Who asks, by bearer token or by the session of a browser, and whether they may: the owner
// everything, an editor what changes and tests drafts of flows, editors and readers whatever only
// looks (GET) at the server's work, a user what is their own.
//
// A session's cookie counts below /api/v1, where no bearer token is sent. Since a browser adds it by
// itself, such a request must come from a page of this server (browser_rules.hpp).
//
// What is neither the configured owner's token nor genuine (token_mint.hpp) is refused by its head
// alone: it costs no query, and its body is not read. All are compared in constant time. The
// owner's token works without the database; others are looked up by their SHA-256, so that they
// end when they are revoked. On the loop's thread.
#include "base/async.hpp"
#include "base/report_pace.hpp"
#include "base/secret.hpp"
#include "net/http.hpp"
#include "server/api/browser_rules.hpp"
#include "server/api/caller.hpp"
#include "server/api/stream_access.hpp"
#include "server/api/token_mint.hpp"
#include "storage/database.hpp"
#include "storage/stores/console.hpp"
#include "storage/stores/tokens.hpp"

#include <optional>
#include <set>
#include <string>
#include <variant>

namespace postrider::api {

// As the audit names them: "owner", "token:7"; of a session its person first, "user:42/console:7",
// or "console:7" where it acts as nobody.
std::string actor_of(caller const& caller);

// Those that a part of the API is open to.
enum class audience {
    operators, // of the server: owners, and editors and readers, who only look
    editors,   // the same, and editors may change, too
    owners,    // alone
    people,    // users, and owners as users; everybody has their own
    everybody, // operators see all of it, users what is their own
    oneself,   // whatever role: each sees and changes their own
};

bool may(
    storage::token_role role, std::string_view method, audience open_to = audience::operators
) noexcept;

// By what callers are known.
struct access_secrets {
    base::secret owner; // the configured owner's token; empty = there is none
    token_mint mint;
    user_id person = {};  // the owner's token acts as this one; 0 = as nobody
    own_names names = {}; // under which browsers may use their sessions
};

class authentication {
public:
    // Tokens and sessions are looked up in batches. The database that notes their use is not waited
    // for.
    authentication(
        access_secrets secrets, storage::batcher& reads, storage::database& db, base::clock& clock
    )
        : secrets_(std::move(secrets)),
          reads_(reads),
          db_(db),
          clock_(clock),
          streams_(reads) {}

    // 401 unless the head holds a token or a session that may count, 403 where a page of another site
    // shows the session: before the body is read.
    std::optional<net::http_response> refuse_at_head(net::http_request const& head);
    // The caller, or 401, 403, or 503 when the database does not tell in time.
    base::awaitable<std::variant<caller, net::http_response>> identify(
        net::http_request const& request, audience open_to = audience::operators
    );
    // The stream, which ends once the token or session of the request, its caller's, no longer counts
    // as it does now.
    net::body_stream limited(
        net::body_stream stream, caller const& caller, net::http_request const& request
    );

    // Notes the uses since the last time. A use that cannot be noted is logged; the next one of its
    // token or session is noted instead.
    base::awaitable<void> note_uses();
    std::uint64_t refusals() const noexcept { return refusals_.total(); }

private:
    // What a request shows.
    struct credential {
        enum class sort { none, malformed, bearer, session };
        credential::sort is = sort::none;
        std::string_view text = {};
    };
    using looked_up = std::variant<caller, net::http_response>;

    credential shown_by(net::http_request const& head) const;
    bool may_count(std::string_view token) const;
    base::awaitable<looked_up> look_up_token(std::string hash, std::string remote);
    base::awaitable<looked_up> look_up_session(std::string hash, std::string remote);
    net::http_response refuse(std::string_view remote, std::string_view reason, bool had_token);
    net::http_response ask_for_login(std::string_view remote, std::string_view reason);
    void report(std::string_view remote, std::string_view reason);

    access_secrets secrets_;
    storage::batcher& reads_;
    storage::database& db_;
    base::clock& clock_;
    stream_access streams_;
    base::report_pace refusals_;
    std::set<token_id> used_;           // and not yet noted
    std::set<console_session_id> seen_; // likewise
};

} // namespace postrider::api
