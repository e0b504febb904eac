#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/approval_json.hpp"

namespace postrider::api {

namespace {

// Of a user only what they asked for themselves.
std::optional<user_id> only_of(caller const& caller) {
    return caller.role == storage::token_role::user ? std::optional(caller.user) : std::nullopt;
}

planned list_approvals(net::http_request const& request, caller const& caller) {
    parameters query(request);
    storage::approval_filter filter;
    if (auto const state = query.text("state"); state && *state != "all") filter.state = *state;
    if (!filter.state.empty() && !storage::is_approval_state(filter.state))
        query.mistake("state is not waiting, approved, rejected, expired, withdrawn or all");
    filter.before = query.text("cursor");
    filter.limit = read_limit(query);
    filter.requester = only_of(caller);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([filter](storage::transaction& tx) {
        // A cursor is an approval, which the caller may see.
        if (filter.before && !storage::find_approval(tx, *filter.before, filter.requester))
            return invalid({std::string(wrong_cursor)});
        auto const approvals = storage::list_approvals(tx, filter);
        return json_answer(200, server::approvals_json(approvals, filter.limit));
    });
}

planned show_approval(net::http_request const& request, caller const& caller) {
    parameters query(request);
    auto const id = path_text(request, "id", query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([id, whose = only_of(caller)](storage::transaction& tx) {
        auto const approval = storage::find_approval(tx, id, whose);
        if (approval) return json_answer(200, server::approval_json(*approval));
        return net::http_response::problem(404, "not_found", "there is no approval " + id);
    });
}

net::http_response decision_answer(storage::approval_decision const& decision) {
    if (decision.code == "not_found")
        return net::http_response::problem(404, "not_found", decision.detail);
    if (!decision.done) return net::http_response::problem(409, decision.code, decision.detail);
    return json_answer(200, {{"state", decision.state}});
}

template<bool Approve>
planned decide(net::http_request const& request, caller const& caller) {
    members body(request);
    auto const id = path_text(request, "id", body);
    if (auto const wrong = body.mistakes(); !wrong.empty()) return invalid(wrong);
    // The configured owner's token is an operator's: it need not be the person that it acts as.
    bool const is_person = !caller.is_configured_owner() && caller.user != user_id{};
    auto const decider = is_person ? std::optional(caller.user) : std::nullopt;
    return work([id, decider, whose = only_of(caller)](storage::transaction& tx) {
        return decision_answer(storage::decide_approval(tx, id, Approve, decider, "api", whose));
    });
}

} // namespace

std::vector<endpoint> approval_endpoints(resources const&) {
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/approvals", in_a_transaction(list_approvals)},
        {"GET", "/api/v1/approvals/{id}", in_a_transaction(show_approval)},
        {"POST", "/api/v1/approvals/{id}/approve", in_a_transaction(decide<true>)},
        {"POST", "/api/v1/approvals/{id}/reject", in_a_transaction(decide<false>)}};
    for (auto& endpoint : endpoints) endpoint.open_to = audience::everybody;
    return endpoints;
}

} // namespace postrider::api
