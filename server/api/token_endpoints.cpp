#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/token_json.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

constexpr std::int64_t longest_lifetime = 3650LL * 86'400; // seconds

planned list_tokens(net::http_request const& request) {
    parameters query(request);
    auto const below = read_id_cursor<token_id>(query);
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([below, limit](storage::transaction& tx) {
        return json_answer(200, server::tokens_json(storage::list_tokens(tx, below, limit), limit));
    });
}

// Without the hash, which belongs to a token that does not exist yet.
storage::new_token read_new_token(members& body) {
    storage::new_token token;
    token.user = user_id{body.required_integer("user_id", 1, INT64_MAX)};
    auto const word = body.required_text("role");
    auto const role = storage::token_role_from_string(word);
    if (!role && !word.empty()) body.mistake("role is not owner, editor, user or reader");
    token.role = role.value_or(storage::token_role::reader);
    token.name = body.text("name").value_or("");
    if (!storage::fits_token_name(token.name))
        body.mistake(fmt::format("name has over {} characters", storage::token_name_limit));
    if (auto seconds = body.integer("expires_in", 1, longest_lifetime))
        token.lifetime = std::chrono::seconds{*seconds};
    return token;
}

planned create_token(
    token_mint const& mint, base::random_source& random, net::http_request const& request
) {
    parameters query(request);
    members body(request);
    auto definition = read_new_token(body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    auto const token = mint.make_token(random);
    definition.sha256 = hash_of(token);
    return work([definition, token](storage::transaction& tx) {
        auto const row = storage::add_token(tx, definition);
        auto answer = server::token_json(row);
        answer["token"] = token.reveal();
        auto response = json_answer(201, answer);
        response.headers.add("Location", "/api/v1/tokens/" + base::to_string(row.id));
        response.headers.add("Cache-Control", "no-store");
        return response;
    });
}

planned revoke_token(net::http_request const& request) {
    parameters query(request);
    auto const id = id_from(request.param("id"));
    if (!id) query.mistake("the token's id in the path is not a positive integer");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([id](storage::transaction& tx) {
        auto const row = storage::revoke_token(tx, token_id{*id});
        if (row) return json_answer(200, server::token_json(*row));
        return net::http_response::problem(
            404, "not_found", fmt::format("there is no token {}", *id)
        );
    });
}

} // namespace

std::vector<endpoint> token_endpoints(resources const& resources) {
    auto const create = [&resources](net::http_request const& request) {
        return create_token(resources.mint, resources.random, request);
    };
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/tokens", in_a_transaction(list_tokens)},
        {"POST", "/api/v1/tokens", in_a_transaction(create)},
        {"DELETE", "/api/v1/tokens/{id}", in_a_transaction(revoke_token)},
    };
    return endpoints;
}

} // namespace postrider::api
