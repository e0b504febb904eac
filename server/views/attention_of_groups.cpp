// What groups need: rights of their bots, and a look at what members reported and what Telegram refused.
#include "base/texts.hpp"
#include "base/utf8.hpp"
#include "server/views/attention_items.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace {

constexpr std::size_t longest_reported_text = 300; // bytes

// Of the newest 5,000 reports: messages that are still there, and that nobody decided about. That members reported it, or a dry run
// caught it, is no decision.
constexpr storage::statement undecided_reports{"attention.spam_reports", R"sql(
select r.chat_id, r.message_id, count(*), postrider.iso(max(r.reported_at)), coalesce(said.sender_chat_id, said.sender_id),
       coalesce(said.sender_name, ''), coalesce(said.content, '')
from (select r.* from postrider.spam_report r order by r.reported_at desc limit 5000) r
left join lateral (
    select m.sender_id, m.sender_chat_id, m.sender_name, m.content, m.removed_at from postrider.message m
    where m.chat_id = r.chat_id and m.number_elsewhere = r.message_id limit 1) said on true
where said.removed_at is null
  and not exists (select from postrider.spam_catch c where c.chat_id = r.chat_id and c.message_id = r.message_id
                  and (c.undone_at is not null or c.action <> 'dry_run'))
  and not exists (select from postrider.spam_member b where b.chat_id = r.chat_id
                  and b.user_id = coalesce(said.sender_chat_id, said.sender_id) and b.banned_at is not null)
group by r.chat_id, r.message_id, coalesce(said.sender_chat_id, said.sender_id), said.sender_name, said.content
order by max(r.reported_at) desc, r.chat_id, r.message_id limit $1::bigint)sql"};

constexpr storage::statement refused_catches{"attention.refused_catches", R"sql(
select c.chat_id, c.message_id, c.user_id, postrider.iso(c.caught_at), c.name, c.refused
from postrider.spam_catch c
where c.refused is not null and c.undone_at is null and c.caught_at > postrider.now() - interval '7 days'
order by c.caught_at desc, c.chat_id, c.message_id limit $1::bigint)sql"};

attention_action ban_action(std::int64_t chat, std::int64_t author) {
    attention_action ban;
    ban.name = "ban";
    ban.path = fmt::format("/api/v1/spam/members/{}/{}/ban", chat, author);
    ban.says = "Bans the author of the message from the group.";
    ban.label = "Ban the author";
    return ban;
}

attention_action undo_action(std::int64_t chat, std::int64_t message) {
    attention_action undo;
    undo.name = "undo";
    undo.path = fmt::format("/api/v1/spam/verdicts/{}/{}/undo", chat, message);
    undo.says = "Says that the message is no spam: approves its author, and the filter learns it.";
    undo.label = "Not spam";
    return undo;
}

attention_item report_item(storage::row const& row) {
    auto const chat = row.int64(0);
    auto const count = row.int64(2);
    attention_item item{
        .id = fmt::format("{}/{}", chat, row.int64(1)),
        .since = row.text(3),
        .title = fmt::format(
            "{} reported a message{}{}",
            count == 1 ? "A member" : fmt::format("{} members", count),
            row.view(5).empty() ? "" : " of ",
            row.view(5)
        ),
        .detail = base::shortened(row.text(6), longest_reported_text),
        .link_to = {{"chat", chat}}};
    auto const author = row.optional_int64(4);
    if (!author) return item;
    item.actions.push_back(ban_action(chat, *author));
    item.actions.push_back(undo_action(chat, row.int64(1)));
    return item;
}

attention_item refusal_item(storage::row const& row) {
    auto const chat = row.int64(0);
    attention_item item{
        .id = fmt::format("{}/{}/{}", chat, row.int64(1), row.int64(2)),
        .since = row.text(3),
        .title = fmt::format(
            "Telegram refused to act on spam{}{}", row.view(4).empty() ? "" : " of ", row.view(4)
        ),
        .detail = base::shortened(row.text(5), longest_reported_text),
        .link_to = {{"chat", chat}}};
    item.actions.push_back(ban_action(chat, row.int64(2)));
    if (row.int64(1) > 0) item.actions.push_back(undo_action(chat, row.int64(1)));
    return item;
}

} // namespace

attention_items limited_groups(std::vector<group_state> const& groups) {
    attention_items items;
    for (auto const& group : groups) {
        auto const problems = problems_of(group);
        if (problems.empty() || std::ssize(items) >= most_attention_items) continue;
        auto const chat = base::raw(group.place.chat);
        items.push_back(
            {.id = fmt::format("{}/{}", group.bot_name, chat),
             .title = fmt::format(
                 "Bot {} cannot do its work in {}",
                 group.bot_name,
                 group.title.empty() ? fmt::format("the group {}", chat) : group.title
             ),
             .detail = base::joined(problems, ". "),
             .link_to = {{"bot", group.bot_name}, {"chat", chat}}}
        );
    }
    return items;
}

attention_items reported_messages(storage::transaction& tx) {
    attention_items items;
    for (auto const& row : tx.query(undecided_reports, {most_attention_items}))
        items.push_back(report_item(row));
    return items;
}

attention_items refused_acts(storage::transaction& tx) {
    attention_items items;
    for (auto const& row : tx.query(refused_catches, {most_attention_items}))
        items.push_back(refusal_item(row));
    return items;
}

} // namespace postrider::server
