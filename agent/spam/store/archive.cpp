#include "agent/spam/store/archive.hpp"

#include <limits>

namespace postrider::agent::spam {

namespace {

constexpr storage::statement select_archived_groups{"spam.archived_groups", R"(
select distinct l.chat_id
from postrider.bot b
cross join lateral (select x.chat_id from postrider.lane x
                    where x.bot_id = b.bot_id and x.chat_id between $1::bigint and $2::bigint) l
order by l.chat_id)"};

constexpr storage::statement select_first_job{"spam.first_archived_job", R"(
select m.job_id from postrider.message m
where m.created_at >= postrider.now() - make_interval(secs => $1::bigint)
order by m.created_at limit 1)"};

constexpr storage::statement select_archive_page{"spam.archive_page", R"(
select m.job_id, m.position, m.telegram_message_id, coalesce(m.sender_id, 0), m.sender_chat_id, coalesce(m.sender_name, ''), m.content,
       extract(epoch from m.said_at)::bigint, m.author, j.input -> 'seen'
from (
    select x.*
    from postrider.bot b
    cross join lateral (select l.lane_id from postrider.lane l where l.bot_id = b.bot_id and l.chat_id = $1::bigint) l
    cross join lateral (
        select m.*, coalesce(m.sent_at, m.created_at) as said_at from postrider.message m
        where m.lane_id = l.lane_id and (m.job_id, m.position) > ($2::bigint, $3::bigint)
          and m.chat_id = $1::bigint and m.role = 'user' and m.telegram_message_id is not null
          and coalesce(m.sent_at, m.created_at) >= postrider.now() - make_interval(secs => $4::bigint)
        order by m.job_id, m.position limit $5::bigint) x
    order by x.job_id, x.position limit $5::bigint) m
left join lateral (select j.input from postrider.job j where j.job_id = m.job_id) j on true
order by m.job_id, m.position)"};

constexpr storage::statement select_earlier_members{"spam.earlier_members", R"(
select m.user_id, m.approved_by <> 'messages'
from postrider.spam_member m
where m.chat_id = $1::bigint
  and (m.approved_by <> 'messages' or m.approved_at < postrider.now() - make_interval(secs => $2::bigint)))"};

archived_line line_in(storage::row const& row) {
    archived_line line;
    line.job = row.int64(0);
    line.position = row.int64(1);
    line.message = row.int64(2);
    line.user = row.int64(3);
    line.sender_chat = row.optional_int64(4);
    line.name = row.text(5);
    line.content = row.text(6);
    line.sent_at = row.int64(7);
    if (!row.null(8)) line.author = row.json(8);
    if (!row.null(9)) line.seen = row.json(9);
    return line;
}

} // namespace

std::vector<chat_id> archived_groups(storage::transaction& tx, std::optional<chat_id> chat) {
    auto const least = chat ? base::raw(*chat) : std::numeric_limits<std::int64_t>::min();
    auto const most = chat ? base::raw(*chat) : std::int64_t{-1};
    std::vector<chat_id> groups;
    for (auto const& row : tx.query(select_archived_groups, {least, most}))
        groups.push_back(row.id<chat_id>(0));
    return groups;
}

std::int64_t first_job_since(storage::transaction& tx, std::chrono::seconds age) {
    auto const rows = tx.query(select_first_job, {std::int64_t{age.count()}});
    return rows.empty() ? std::numeric_limits<std::int64_t>::max() : rows.front().int64(0);
}

std::vector<archived_line> archive_page(
    storage::transaction& tx,
    chat_id chat,
    std::int64_t behind_job,
    std::int64_t behind_position,
    std::chrono::seconds age,
    int limit
) {
    auto const seconds = std::int64_t{age.count()};
    std::vector<archived_line> lines;
    for (auto const& row :
         tx.query(select_archive_page, {chat, behind_job, behind_position, seconds, limit}))
        lines.push_back(line_in(row));
    return lines;
}

earlier_members members_before(storage::transaction& tx, chat_id chat, std::chrono::seconds age) {
    earlier_members members;
    for (auto const& row : tx.query(select_earlier_members, {chat, std::int64_t{age.count()}}))
        (row.boolean(1) ? members.trusted : members.approved).insert(row.int64(0));
    return members;
}

} // namespace postrider::agent::spam
