// Sessions of the console, and links that open one. The routes that begin and leave one are in server/console.
#include "server/api/console_link.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/console_json.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

// An owner's are all; anybody else's are those of their person with a role not above the caller's, and
// the one that they use. Or a weak token of a person could end the sessions of an owner.
storage::console_scope visible_to(caller const& caller) {
    return {
        .all = caller.role == storage::token_role::owner,
        .user = caller.user,
        .own = caller.session,
        .role = caller.role};
}

planned list_sessions(net::http_request const& request, caller const& caller) {
    parameters query(request);
    auto const below = read_id_cursor<console_session_id>(query);
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([below, limit, caller](storage::transaction& tx) {
        auto const page = storage::list_console_sessions(tx, visible_to(caller), below, limit);
        return json_answer(200, server::console_sessions_json(page, limit, caller.session));
    });
}

planned revoke_session(net::http_request const& request, caller const& caller) {
    parameters query(request);
    auto const id = id_from(request.param("id"));
    if (!id) query.mistake("the session's id in the path is not a positive integer");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([id, caller](storage::transaction& tx) {
        if (storage::revoke_console_session(tx, visible_to(caller), console_session_id{*id}))
            return net::http_response::empty(204);
        return net::http_response::problem(
            404, "not_found", fmt::format("there is no session {}, or it is over", *id)
        );
    });
}

// For one login within minutes. Where browsers reach the server, whoever asks knows.
planned plan_link(
    token_mint const& mint, base::random_source& random, net::http_request const& request
) {
    parameters query(request);
    members body(request);
    auto const word = body.required_text("role");
    auto const role = storage::token_role_from_string(word);
    if (!word.empty() && !(role && storage::opens_console(*role)))
        body.mistake("role is not owner, editor or reader");
    user_id const user{body.integer("user_id", 1, INT64_MAX).value_or(0)};
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    auto const token = mint.make_token(random, token_kind::link);
    return work([token, role = *role, user](storage::transaction& tx) {
        auto const link = make_link(tx, token, role, user);
        auto response = json_answer(
            201,
            {{"path", url_of("", link.token)},
             {"role", std::string(storage::to_string(role))},
             {"user_id", server::person_or_null(user)},
             {"expires_at", link.expires_at}}
        );
        response.headers.add("Cache-Control", "no-store");
        return response;
    });
}

} // namespace

std::vector<endpoint> console_session_endpoints(resources const& resources) {
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/console/sessions", in_a_transaction(list_sessions)},
        {"DELETE", "/api/v1/console/sessions/{id}", in_a_transaction(revoke_session)},
    };
    for (auto& endpoint : endpoints) endpoint.open_to = audience::oneself;
    auto const link = [&resources](net::http_request const& request) {
        return plan_link(resources.mint, resources.random, request);
    };
    endpoints.push_back({"POST", "/api/v1/console/links", in_a_transaction(link)});
    endpoints.back().open_to = audience::owners;
    return endpoints;
}

} // namespace postrider::api
