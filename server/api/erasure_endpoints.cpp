#include "agent/flow/nodes/person_erasure.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::api {

namespace {

constexpr int rows_of_an_erasure = 1000;

// It would end in the middle: an erasure ends the sessions and tokens of its person.
net::http_response own_access(user_id person) {
    return net::http_response::problem(
        409,
        "own_access",
        fmt::format(
            "you act as this person, and the erasure would end your own access before it is "
            "through: run "
            "`postrider erase --user {}` where the server runs, or ask another owner",
            base::raw(person)
        )
    );
}

// A page of it, so that no request takes long: what was cleared stays so.
planned erase_page(net::http_request const& request, caller const& caller) {
    parameters query(request);
    members body(request);
    user_id const person{body.required_integer("user_id", 1, INT64_MAX)};
    storage::erasure_cursor at;
    if (auto const cursor = body.text("cursor")) {
        auto const read = storage::erasure_cursor_from_string(*cursor);
        if (read) at = *read;
        if (!read) body.mistake(std::string(wrong_cursor));
    }
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    if (person == caller.user && !caller.is_configured_owner()) return own_access(person);
    return work([person, at](storage::transaction& tx) {
        auto const page =
            agent::flow::erase_person(tx, at.place, person, at.after, rows_of_an_erasure);
        boost::json::object cleared;
        boost::json::object answer{
            {"user_id", base::raw(person)}, {"running", 0}, {"unknown", 0}, {"quoted", 0}};
        for (auto const& [name, rows] : page.cleared)
            (answer.contains(name) ? answer : cleared)[name] = rows;
        answer["cleared"] = std::move(cleared);
        if (auto const next = storage::cursor_behind(at, page))
            answer["next"] = storage::to_string(*next);
        return json_answer(200, answer);
    });
}

} // namespace

std::vector<endpoint> erasure_endpoints(resources const&) {
    endpoint erase{"POST", "/api/v1/erasures", in_a_transaction(erase_page)};
    erase.open_to = audience::owners;
    return {std::move(erase)};
}

} // namespace postrider::api
