// What jobs wait for, and what became of those that did not end well.
#include "agent/talk/content.hpp"
#include "agent/talk/press.hpp"
#include "base/json/text.hpp"
#include "base/utf8.hpp"
#include "net/http.hpp"
#include "queue/admin/job_views.hpp"
#include "server/views/attention_items.hpp"
#include "storage/stores/approvals.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace json = boost::json;

namespace {

constexpr std::size_t longest_detail = 300; // bytes

// Those whose job is over wait in vain. With what was sent: its text, and the buttons that answer it.
constexpr storage::statement asked_questions{"attention.questions", R"sql(
with open as materialized (
    select q.question_id, q.job_id, q.user_id, q.asked_at, q.until_at, q.effect from postrider.question q
    where q.until_at > postrider.now()
      and not exists (select from postrider.approval a where a.question = q.question_id)
    order by q.asked_at desc, q.question_id limit $1::bigint)
select o.question_id, o.job_id, o.user_id, postrider.iso(o.asked_at), postrider.iso(o.until_at), l.lane_key, postrider.lane_name(l.lane_key),
       coalesce(sent.text, ''), coalesce(sent.buttons, '[]')
from open o
cross join lateral (select j.lane_id from postrider.job j where j.job_id = o.job_id and j.finished_at is null offset 0) j
join postrider.lane l on l.lane_id = j.lane_id
left join lateral (
    select e.request ->> 'text' as text, e.request -> 'buttons' as buttons from postrider.effect e
    where e.job_id = o.job_id and e.key = o.effect offset 0) sent on true
order by o.asked_at desc, o.question_id)sql"};

// With the newest of its messages that was refused; restarting from its step sends it again.
constexpr storage::statement unsent_answers{"attention.undelivered", R"sql(
with newest as materialized (
    select j.job_id, j.lane_id, j.kind, j.error, j.finished_at from postrider.job j
    where j.degraded and j.degraded_reason = 'undelivered' and j.finished_at > postrider.now() - interval '7 days'
    order by j.job_id desc limit $1::bigint)
select n.job_id, n.kind, postrider.iso(n.finished_at), coalesce(n.error, ''), l.lane_key,
       postrider.lane_name(l.lane_key), m.key
from newest n
join postrider.lane l on l.lane_id = n.lane_id
left join lateral (
    select e.key from postrider.effect e
    where e.job_id = n.job_id and e.state = 'failed' and e.kind like '%.send' and position('~' in e.key) = 0
      and exists (select from postrider.step s where s.job_id = n.job_id and s.key = e.key)
    order by e.planned_at desc limit 1) m on true
order by n.job_id desc)sql"};

constexpr storage::statement failed_letters{"attention.dead_letters", R"sql(
with newest as materialized (
    select j.job_id, j.lane_id, j.kind, j.error_class, j.error, j.finished_at, j.input ->> 'flow' as flow
    from postrider.job j where j.failed order by j.job_id desc limit $1::bigint)
select n.job_id, n.kind, postrider.iso(n.finished_at), n.error_class, coalesce(n.error, ''), n.flow,
       l.lane_key, postrider.lane_name(l.lane_key)
from newest n join postrider.lane l on l.lane_id = n.lane_id
order by n.job_id desc)sql"};

std::string cut_detail(std::string_view text) {
    return base::shortened(text, longest_detail);
}

std::string job_path(std::int64_t job, std::string_view operation) {
    return fmt::format("/api/v1/jobs/{}/{}", job, operation);
}

std::string approval_path(storage::approval const& approval, std::string_view operation) {
    return fmt::format("/api/v1/approvals/{}/{}", net::percent_encoded(approval.id), operation);
}

attention_item approval_item(storage::approval const& approval) {
    return {
        .id = approval.id,
        .since = approval.created_at,
        .title = fmt::format("{} waits for approval", approval.tool),
        .detail = cut_detail(base::json_text(approval.arguments)),
        .link_to =
            {{"approval_id", approval.id},
             {"job_id", base::raw(approval.job)},
             {"lane", approval.lane},
             {"lane_name", approval.lane_name}},
        .actions = {
            {"approve",
             approval_path(approval, "approve"),
             fmt::format("Lets {} run with these arguments.", approval.tool)},
            {"reject",
             approval_path(approval, "reject"),
             fmt::format("Refuses the call. The agent continues without {}.", approval.tool)}}};
}

std::string effect_path(queue::doubtful_effect const& doubtful, std::string_view settlement) {
    return fmt::format(
        "/api/v1/jobs/{}/effects/{}/{}",
        doubtful.job,
        net::percent_encoded(doubtful.effect.key),
        settlement
    );
}

attention_item effect_item(queue::doubtful_effect const& doubtful) {
    auto const& effect = doubtful.effect;
    bool const is_unknown = effect.state == "unknown";
    attention_item item{
        .id = fmt::format("{}/{}", doubtful.job, effect.key),
        .since = doubtful.planned_at,
        .title = fmt::format(
            "{} {}", effect.kind, is_unknown ? "may have happened" : "may have happened twice"
        ),
        .detail = fmt::format("Effect {} of job {}, {}", effect.key, doubtful.job, effect.state),
        .link_to =
            {{"job_id", doubtful.job},
             {"effect", effect.key},
             {"lane", doubtful.lane},
             {"lane_name", doubtful.lane_name}},
        .actions = {
            {"done", effect_path(doubtful, "done"), "Records that it happened once."},
            {"resend", effect_path(doubtful, "resend"), "Does it again."}}};
    if (effect.state != "done")
        item.actions.push_back(
            {"drop",
             effect_path(doubtful, "drop"),
             "Records that it did not happen. It is not done again."}
        );
    return item;
}

} // namespace

attention_items waiting_approvals(storage::transaction& tx) {
    storage::approval_filter filter;
    filter.state = "waiting";
    filter.limit = most_attention_items;
    attention_items items;
    for (auto const& approval : storage::list_approvals(tx, filter))
        items.push_back(approval_item(approval));
    return items;
}

namespace {

// A button for each answer that ends the wait. An operator chooses for the person, and does not speak for them.
std::vector<attention_action> answers_of(
    std::string const& question, std::string const& whom, json::value const& rows
) {
    std::vector<attention_action> actions;
    auto const path = fmt::format("/api/v1/questions/{}/answer", net::percent_encoded(question));
    for (auto const& row : agent::buttons_from(rows))
        for (auto const& button : row) {
            auto const pressed = agent::read_button_data(button.data);
            if (pressed.question != question || !pressed.closes) continue;
            actions.push_back(
                {"answer",
                 path,
                 fmt::format("Answers “{}” for {}. The turn continues.", button.text, whom),
                 {{"choice", pressed.value}},
                 button.text}
            );
        }
    return actions;
}

} // namespace

attention_items open_questions(storage::transaction& tx) {
    attention_items items;
    for (auto const& row : tx.query(asked_questions, {most_attention_items})) {
        auto const job = row.int64(1);
        auto const user = row.optional_int64(2);
        auto const whom = user ? fmt::format("user {}", *user) : std::string("the chat");
        auto const said = row.text(7);
        auto const waits = fmt::format("{}: the turn waits until {}", row.text(6), row.text(4));
        items.push_back(
            {.id = row.text(0),
             .since = row.text(3),
             .title = user ? fmt::format("User {} is asked a question", *user)
                           : std::string("A chat is asked a question"),
             .detail = said.empty() ? waits : fmt::format("“{}” {}", cut_detail(said), waits),
             .link_to = {{"job_id", job}, {"lane", row.text(5)}, {"lane_name", row.text(6)}},
             .actions = answers_of(row.text(0), whom, row.json(8))}
        );
        items.back().actions.push_back(
            {"cancel", job_path(job, "cancel"), "Cancels the turn that waits for the answer."}
        );
    }
    return items;
}

attention_items undelivered_answers(storage::transaction& tx) {
    attention_items items;
    for (auto const& row : tx.query(unsent_answers, {most_attention_items})) {
        auto const job = row.int64(0);
        attention_item item{
            .id = row.text(0),
            .since = row.text(2),
            .title = fmt::format("An answer of job {} was not delivered", job),
            .detail = cut_detail(row.text(3)),
            .link_to = {{"job_id", job}, {"lane", row.text(4)}, {"lane_name", row.text(5)}}};
        if (auto const step = row.optional_text(6))
            item.actions.push_back(
                {"restart",
                 job_path(job, "restart"),
                 "Sends the answer again. Steps after it run again, too.",
                 {{"from_step", *step}}}
            );
        items.push_back(std::move(item));
    }
    return items;
}

attention_items effects_in_doubt(storage::transaction& tx) {
    attention_items items;
    auto const page = queue::list_effects_in_doubt(tx, std::nullopt, most_attention_items);
    for (auto const& doubtful : page.effects) items.push_back(effect_item(doubtful));
    return items;
}

attention_items dead_letters(storage::transaction& tx) {
    attention_items items;
    for (auto const& row : tx.query(failed_letters, {most_attention_items})) {
        auto const job = row.int64(0);
        attention_item item{
            .id = row.text(0),
            .since = row.text(2),
            .title = fmt::format("Job {} ({}) failed: {}", job, row.text(1), row.text(3)),
            .detail = cut_detail(row.text(4)),
            .link_to = {{"job_id", job}, {"lane", row.text(6)}, {"lane_name", row.text(7)}},
            .actions = {
                {"retry", job_path(job, "retry"), "Resumes the job at the step that failed."},
                {"restart",
                 job_path(job, "restart"),
                 "Runs the whole job again from its first step."}}};
        if (auto const flow = row.optional_text(5)) item.link_to["flow"] = *flow;
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace postrider::server
