// What groups need: rights of their bots, and a look at what members reported.
#include "base/texts.hpp"
#include "base/utf8.hpp"
#include "server/views/attention_items.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace {

constexpr std::size_t longest_reported_text = 300; // bytes

// Of the newest 5,000 reports: messages that nothing was done about, and that are still there.
constexpr storage::statement undecided_reports{"attention.spam_reports", R"sql(
select r.chat_id, r.message_id, count(*), postrider.iso(max(r.reported_at)), said.sender_id, coalesce(said.sender_name, ''),
       coalesce(said.content, '')
from (select r.* from postrider.spam_report r where r.reported_at > postrider.now() - interval '7 days'
      order by r.reported_at desc limit 5000) r
left join lateral (
    select m.sender_id, m.sender_name, m.content, m.removed_at from postrider.message m
    where m.chat_id = r.chat_id and m.number_elsewhere = r.message_id limit 1) said on true
where said.removed_at is null
  and not exists (select from postrider.spam_catch c where c.chat_id = r.chat_id and c.message_id = r.message_id)
group by r.chat_id, r.message_id, said.sender_id, said.sender_name, said.content
order by max(r.reported_at) desc, r.chat_id, r.message_id limit $1::bigint)sql"};

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
    attention_action ban;
    ban.name = "ban";
    ban.path = fmt::format("/api/v1/spam/members/{}/{}/ban", chat, *author);
    ban.says = "Bans the author of the message from the group.";
    ban.label = "Ban the author";
    item.actions.push_back(std::move(ban));
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

} // namespace postrider::server
