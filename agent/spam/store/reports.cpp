#include "agent/spam/store/reports.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::agent::spam {

namespace {

constexpr storage::statement insert_reports{
    "report_spam",
    R"(
insert into postrider.spam_report (chat_id, message_id, user_id)
select t.chat_id, t.message_id, t.user_id
from json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint, user_id bigint)
order by t.chat_id, t.message_id, t.user_id
on conflict do nothing
)",
    88};

constexpr storage::statement settle_reports{
    "settle_reports",
    R"(
delete from postrider.spam_report r
using json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint)
where r.chat_id = t.chat_id and r.message_id = t.message_id
)",
    90};

constexpr storage::statement select_report_state{
    "report_state",
    R"(
select t.i,
       exists (select from postrider.spam_member m
               where m.chat_id = t.chat_id and m.user_id = t.user_id and m.approved_at is not null and m.banned_at is null),
       exists (select from postrider.spam_report r
               where r.chat_id = t.chat_id and r.message_id = t.message_id and r.user_id = t.user_id),
       (select count(*) from postrider.spam_report r
        where r.chat_id = t.chat_id and r.message_id = t.message_id and r.user_id <> t.user_id)
from json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint, user_id bigint)
)",
    10};

std::string report_json(spam_report const& report) {
    base::json_row row{
        {"chat_id", base::raw(report.chat)},
        {"message_id", base::raw(report.message)},
        {"user_id", base::raw(report.reporter)},
    };
    return std::move(row).text();
}

} // namespace

storage::write report_row(spam_report const& report) {
    return {&insert_reports, report_json(report)};
}

storage::write settled_reports_row(chat_id chat, telegram_message_id message) {
    base::json_row row{{"chat_id", base::raw(chat)}, {"message_id", base::raw(message)}};
    return {&settle_reports, std::move(row).text()};
}

base::awaitable<base::result<report_state>> read_report_state(
    storage::batcher& reads, spam_report report, base::duration deadline
) {
    storage::write look{&select_report_state, report_json(report)};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    auto const& state = rows->front();
    co_return report_state{
        .may_report = state.boolean(1),
        .is_repeated = state.boolean(2),
        .others = static_cast<int>(state.int64(3))};
}

} // namespace postrider::agent::spam
