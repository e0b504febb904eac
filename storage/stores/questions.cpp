#include "storage/stores/questions.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

// A few rows that are over go with each new one, so that the table holds what is open.
constexpr statement open_questions{
    "open_questions",
    R"(
with over as (
    delete from postrider.question where question_id = any(array(
        select question_id from postrider.question where until_at < postrider.now() - interval '1 day'
        order by until_at limit 20 for update skip locked))
)
insert into postrider.question (question_id, job_id, place, effect, user_id, choices, words, people, until_at)
select question_id, job_id, place, nullif(effect, ''), user_id, array(select json_array_elements_text(choices)), array(select json_array_elements_text(words)),
       case when json_array_length(people) > 0 then array(select json_array_elements_text(people)::bigint) end, postrider.now() + open_ms * interval '1 ms'
from json_to_recordset($1::json) as t(question_id text, job_id bigint, place text, effect text, user_id bigint, choices json, words json, people json, open_ms bigint)
order by question_id
on conflict (question_id) do nothing
)",
    60};

constexpr statement begin_questions{
    "begin_questions",
    R"(
with opened as (
    select t.question_id, postrider.now() + t.open_ms * interval '1 ms' as until_at
    from json_to_recordset($1::json) as t(question_id text, open_ms bigint)
), approvals as (
    update postrider.approval a set expires_at = b.until_at
    from opened b where a.question = b.question_id and a.state = 'waiting'
)
update postrider.question q set until_at = b.until_at from opened b where q.question_id = b.question_id
)",
    61};

constexpr statement close_questions{
    "close_questions",
    R"(
delete from postrider.question where question_id = any(array(
    select question_id from json_to_recordset($1::json) as t(question_id text)))
)",
    62};

constexpr statement withdraw_job_questions{
    "withdraw_questions",
    R"(
select t.i, postrider.withdraw_questions(t.lane_id, t.job_id, postrider.asked_questions(t.job_id))
from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint)
)",
    76};

constexpr statement press_buttons{
    "press_buttons",
    R"(
select t.i, postrider.press_button(t.question_id, t.place, t.user_id, t.is_owner, t.closes, t.payload)
from json_to_recordset($1::json) as t(i int, question_id text, place text, user_id bigint, is_owner boolean,
                                        closes boolean, payload jsonb)
)",
    20};

} // namespace

write open_question(question_row const& row) {
    base::json_row json{
        {"question_id", row.id},
        {"job_id", base::raw(row.job)},
        {"place", row.place},
        {"effect", row.effect},
        {"open_ms", row.open_for.count()},
    };
    boost::json::value const choices(row.choices);
    json.add({"choices", choices});
    boost::json::value const words(row.words);
    json.add({"words", words});
    boost::json::value const people(row.people);
    json.add({"people", people});
    if (row.only) json.add({"user_id", base::raw(*row.only)});
    return {&open_questions, std::move(json).text()};
}

write begin_question(std::string_view id, std::chrono::milliseconds open_for) {
    base::json_row row{{"question_id", id}, {"open_ms", open_for.count()}};
    return {&begin_questions, std::move(row).text()};
}

write close_question(std::string_view id) {
    return {&close_questions, base::json_row{{"question_id", id}}.text()};
}

write withdraw_questions(lane_id lane, job_id job) {
    base::json_row row{{"lane_id", base::raw(lane)}, {"job_id", base::raw(job)}};
    return {&withdraw_job_questions, std::move(row).text()};
}

write press_button(press_row const& row) {
    base::json_row json{
        {"question_id", row.question},
        {"place", row.place},
        {"user_id", base::raw(row.user)},
        {"is_owner", row.is_owner},
        {"closes", row.closes},
        {"payload", row.payload},
    };
    return {&press_buttons, std::move(json).text()};
}

press_outcome read_press(row const& returned) {
    auto const outcome = returned.text(1);
    if (outcome == "taken") return press_outcome::taken;
    return outcome == "not_yours" ? press_outcome::not_yours : press_outcome::not_open;
}

press_outcome press_button(transaction& tx, press_row const& row) {
    auto numbered = press_button(row).row;
    numbered.insert(1, "\"i\":0,");
    return read_press(tx.query(press_buttons, {"[" + numbered + "]"}).front());
}

} // namespace postrider::storage
