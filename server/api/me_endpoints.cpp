// Whom the server takes the caller for.
#include "server/api/console_link.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/start/version.hpp"
#include "server/views/console_json.hpp"
#include "server/views/json_values.hpp"
#include "storage/stores/console.hpp"

namespace postrider::api {

namespace {

constexpr storage::statement select_time{"me.time", "select postrider.iso(postrider.now())"};

std::optional<std::string> expiry_of(storage::transaction& tx, caller const& caller) {
    if (caller.is_configured_owner()) return std::nullopt;
    if (caller.session != console_session_id{}) return storage::session_expiry(tx, caller.session);
    return storage::token_expiry(tx, caller.token);
}

boost::json::value session_or_null(console_session_id session) {
    return session == console_session_id{} ? boost::json::value()
                                           : boost::json::value(base::raw(session));
}

// Where others reach the server; null where nothing is configured.
boost::json::value public_url_or_null(server::config const* settings) {
    if (!settings || settings->public_url.empty()) return nullptr;
    return boost::json::value(console_base(settings->public_url, ""));
}

planned show_caller(
    bool demo,
    server::config const* settings,
    net::http_request const& request,
    caller const& caller
) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([demo, url = public_url_or_null(settings), caller](storage::transaction& tx) {
        return json_answer(
            200,
            {{"role", std::string(storage::to_string(caller.role))},
             {"user_id", server::person_or_null(caller.user)},
             {"actor", actor_of(caller)},
             {"session_id", session_or_null(caller.session)},
             {"expires_at", server::or_null(expiry_of(tx, caller))},
             {"demo", demo},
             {"public_url", url},
             {"version", std::string(server::this_version().product)},
             {"time", tx.query(select_time).at(0).text(0)}}
        );
    });
}

} // namespace

std::vector<endpoint> me_endpoints(resources const& resources) {
    auto const* settings = resources.installed ? &resources.installed->settings : nullptr;
    auto const show = [demo = resources.demo != nullptr, settings](
                          net::http_request const& request, caller const& caller
                      ) { return show_caller(demo, settings, request, caller); };
    endpoint me{"GET", "/api/v1/me", in_a_transaction(show)};
    me.open_to = audience::oneself;
    return {std::move(me)};
}

} // namespace postrider::api
