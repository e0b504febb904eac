#include "storage/stores/approvals.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

#include <algorithm>
#include <array>

namespace postrider::storage {

namespace json = boost::json;

namespace {

// A commit whose answer was lost is sent again: the rows may stand already.
constexpr statement insert_approval{
    "add_approvals",
    R"(
insert into postrider.approval (approval_id, job_id, lane_id, requester, question, call, tool, arguments, digest, expires_at)
select id, job_id, lane_id, requester, question, call, tool, arguments, digest,
       postrider.now() + lifetime * interval '1 ms'
from json_to_recordset($1::json) as t(i int, id text, job_id bigint, lane_id bigint, requester bigint, question text,
                                        call text, tool text, arguments json, digest text, lifetime bigint)
on conflict do nothing
)",
    61};

constexpr statement end_questions{
    "end_questions",
    R"(
update postrider.approval a
set state = t.state, decided_at = postrider.now(), decided_by = t.by, decided_via = t.via
from json_to_recordset($1::json) as t(i int, job_id bigint, question text, state text, by bigint, via text, overrules boolean)
where a.question = t.question and a.job_id = t.job_id and a.used_at is null and (a.state = 'waiting' or t.overrules)
)",
    62};

constexpr statement use{
    "use_approvals",
    R"(
update postrider.approval a
set used_at = postrider.now()
from json_to_recordset($1::json) as t(i int, question text, call text)
where a.question = t.question and a.call = t.call and a.state = 'approved' and a.used_at is null
)",
    63};

constexpr statement withdraw{
    "withdraw_approvals",
    R"(
update postrider.approval a
set state = 'withdrawn'
from json_to_recordset($1::json) as t(i int, job_id bigint, question text, call text)
where a.question = t.question and a.job_id = t.job_id and a.call = t.call and a.state = 'approved' and a.used_at is null
)",
    63};

constexpr statement look_for_decisions{
    "decided_calls",
    R"(
select t.i, a.call, a.state
from json_to_recordset($1::json) as t(i int, question text)
join postrider.approval a on a.question = t.question and a.state <> 'waiting'
)",
    10};

constexpr statement look_for_waiting{
    "waiting_approvals",
    R"(
select t.i, a.tool, a.arguments, a.expires_us
from json_to_recordset($1::json) as t(i int, requester bigint, bot_id bigint, chat_id bigint, newest int)
cross join lateral (
    select a.tool, a.arguments::text as arguments, (extract(epoch from a.expires_at) * 1000000)::bigint as expires_us
    from postrider.approval a join postrider.lane l on l.lane_id = a.lane_id
    where a.state = 'waiting' and (a.requester = t.requester or l.bot_id = t.bot_id)
      and (t.chat_id is null or l.chat_id = t.chat_id) and postrider.approval_state(a) = 'waiting'
    order by a.created_at, a.approval_id limit t.newest) a
)",
    10};

constexpr statement select_approvals{"list_approvals", R"(
select a.approval_id, a.job_id, l.lane_key, l.chat_id, a.requester, a.tool, a.arguments::text, postrider.approval_state(a),
       a.decided_by,
       a.decided_via,
       to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       to_char(a.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       to_char(a.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), postrider.lane_name(l.lane_key)
from postrider.approval a left join postrider.lane l using (lane_id)
where ($1::text is null or (a.state in ('waiting', $1) and postrider.approval_state(a) = $1)) and ($2::bigint is null or a.requester = $2)
  and ($3::text is null or (a.created_at, a.approval_id) <
           (select b.created_at, b.approval_id from postrider.approval b where b.approval_id = $3))
order by a.created_at desc, a.approval_id desc limit $4::bigint)"};

// The columns of the list.
constexpr statement select_approval{"find_approval", R"(
select a.approval_id, a.job_id, l.lane_key, l.chat_id, a.requester, a.tool, a.arguments::text, postrider.approval_state(a),
       a.decided_by,
       a.decided_via,
       to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       to_char(a.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       to_char(a.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), postrider.lane_name(l.lane_key)
from postrider.approval a left join postrider.lane l using (lane_id)
where a.approval_id = $1 and ($2::bigint is null or a.requester = $2))"};

constexpr statement decide{"decide_approval", R"(
select d.done, d.state, d.code, d.detail
from postrider.approval_decide(
    (select coalesce(
        (select a.approval_id from postrider.approval a
         where a.approval_id = $1 and ($5::bigint is null or a.requester = $5)), '')),
    $2::boolean, $3::bigint, $4) d)"};

param approval_param(std::string const& text) {
    return text.empty() ? param(std::nullopt) : param(text);
}

param approval_param(std::optional<user_id> user) {
    return user ? param(*user) : param(std::nullopt);
}

approval read_approval(row const& r) {
    approval read;
    read.id = r.text(0);
    read.job = r.id<job_id>(1);
    read.lane = r.optional_text(2).value_or("");
    if (auto chat = r.optional_int64(3)) read.chat = chat_id{*chat};
    read.requester = r.id<user_id>(4);
    read.tool = r.text(5);
    read.arguments = r.json(6);
    read.state = r.text(7);
    if (auto by = r.optional_int64(8)) read.decided_by = user_id{*by};
    read.decided_via = r.optional_text(9).value_or("");
    read.created_at = r.text(10);
    read.expires_at = r.text(11);
    read.decided_at = r.optional_text(12).value_or("");
    read.lane_name = r.optional_text(13).value_or("");
    return read;
}

} // namespace

write add_approval(new_approval const& added) {
    json::value const arguments(added.arguments);
    base::json_row row{
        {"id", added.id},
        {"job_id", base::raw(added.job)},
        {"lane_id", base::raw(added.lane)},
        {"requester", base::raw(added.requester)},
        {"question", added.question},
        {"call", added.call},
        {"tool", added.tool},
        {"arguments", arguments},
        {"digest", added.digest},
        {"lifetime", added.lifetime.count()}};
    return {&insert_approval, std::move(row).text()};
}

base::awaitable<base::result<std::map<std::string, std::string>>> decided_calls(
    batcher& reads, std::string question, base::duration deadline
) {
    write look{&look_for_decisions, base::json_row{{"question", question}}.text()};
    auto const found = co_await query(reads, std::move(look), deadline);
    if (!found) co_return found.error();
    std::map<std::string, std::string> states;
    for (auto const& row : *found) states.emplace(row.text(1), row.text(2));
    co_return states;
}

write end_question(question_end const& end) {
    base::json_row row{
        {"job_id", base::raw(end.job)},
        {"question", end.question},
        {"state", end.state},
        {"overrules", end.overrules}};
    if (end.by) row.add({"by", base::raw(*end.by)});
    if (!end.via.empty()) row.add({"via", end.via});
    return {&end_questions, std::move(row).text()};
}

write use_approval(std::string_view question, std::string_view call) {
    return {&use, base::json_row{{"question", question}, {"call", call}}.text()};
}

write withdraw_approval(job_id job, std::string_view question, std::string_view call) {
    base::json_row row{{"job_id", base::raw(job)}, {"question", question}, {"call", call}};
    return {&withdraw, std::move(row).text()};
}

bool is_approval_state(std::string_view word) noexcept {
    constexpr std::array<std::string_view, 5> states{
        "waiting", "approved", "rejected", "expired", "withdrawn"};
    return std::ranges::find(states, word) != states.end();
}

std::vector<approval> list_approvals(transaction& tx, approval_filter const& filter) {
    std::vector<approval> approvals;
    auto const approval_rows = tx.query(
        select_approvals,
        {approval_param(filter.state),
         approval_param(filter.requester),
         approval_param(filter.before.value_or("")),
         filter.limit}
    );
    for (auto const& row : approval_rows) approvals.push_back(read_approval(row));
    return approvals;
}

std::optional<approval> find_approval(
    transaction& tx, std::string_view id, std::optional<user_id> requester
) {
    auto const found = tx.query(select_approval, {id, approval_param(requester)});
    if (found.empty()) return std::nullopt;
    return read_approval(found.front());
}

base::awaitable<base::result<std::vector<waiting_approval>>> read_waiting_approvals(
    batcher& reads, approval_place place, int limit, base::duration deadline
) {
    base::json_row row{{"requester", base::raw(place.requester)}, {"newest", limit}};
    if (place.of_bot) row.add({"bot_id", base::raw(*place.of_bot)});
    if (place.chat) row.add({"chat_id", base::raw(*place.chat)});
    write question{&look_for_waiting, std::move(row).text()};
    auto const entries = co_await query(reads, std::move(question), deadline);
    if (!entries) co_return entries.error();
    std::vector<waiting_approval> approvals;
    for (auto const& entry : *entries)
        approvals.push_back({entry.text(1), entry.text(2), entry.time(3)});
    co_return approvals;
}

approval_decision decide_approval(
    transaction& tx,
    std::string_view id,
    bool approve,
    std::optional<user_id> by,
    std::string_view via,
    std::optional<user_id> requester
) {
    auto const found =
        tx.query(decide, {id, approve, approval_param(by), via, approval_param(requester)});
    auto const& r = found.at(0);
    approval_decision decision{
        .done = r.boolean(0),
        .state = r.optional_text(1).value_or(""),
        .code = r.text(2),
        .detail = r.optional_text(3).value_or("")};
    if (decision.code == "not_found") decision.detail = "there is no approval " + std::string(id);
    return decision;
}

} // namespace postrider::storage
