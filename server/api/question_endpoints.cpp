// Questions with buttons, answered by an operator for the person who is asked.
#include "agent/talk/press.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "storage/stores/audit.hpp"

namespace postrider::api {

namespace {

// A question about calls of tools is answered by deciding these.
constexpr storage::statement open_question{"questions.find", R"(
select q.job_id, q.place, coalesce((':' || $2::text) = any(q.choices), true) from postrider.question q
where q.question_id = $1 and not exists (select from postrider.approval a where a.question = q.question_id)
)"};

net::http_response not_open() {
    return net::http_response::problem(
        409, "not_open", "none of the question's buttons says this, or the question is over"
    );
}

planned answer_question(net::http_request const& request, caller const& caller) {
    parameters query(request);
    members body(request);
    auto const question = path_text(request, "id", query);
    auto const choice = body.required_text("choice", agent::most_choice_value);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([question, choice, user = caller.user](storage::transaction& tx) {
        auto const found = tx.query(open_question, {question, choice});
        if (found.empty())
            return net::http_response::problem(
                404, "not_found", "there is no such question, or it is answered"
            );
        auto const& row = found.front();
        auto const job = row.id<job_id>(0);
        auto const place = row.text(1);
        agent::press pressed;
        pressed.user = user;
        pressed.choice = choice;
        storage::press_row press;
        press.question = question;
        press.place = place;
        press.user = user;
        press.is_owner = true;
        press.closes = row.boolean(2);
        press.payload = agent::to_json(pressed, agent::address_at(place));
        auto const outcome = storage::press_button(tx, press);
        if (outcome == storage::press_outcome::not_yours)
            return net::http_response::problem(
                409, "not_yours", "only the people who were asked may answer it"
            );
        if (outcome == storage::press_outcome::not_open) return not_open();
        storage::audit_operation(
            tx, "question_answer", job, "question:" + question, {{"choice", choice}}
        );
        return json_answer(200, {{"state", "taken"}, {"job_id", base::raw(job)}});
    });
}

} // namespace

std::vector<endpoint> question_endpoints(resources const&) {
    return {{"POST", "/api/v1/questions/{id}/answer", in_a_transaction(answer_question)}};
}

} // namespace postrider::api
