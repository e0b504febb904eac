#include "storage/stores/group_activity.hpp"

namespace postrider::storage {

namespace {

constexpr statement activity_of_groups{"groups.activity", R"(
select postrider.iso(said.at), day.judged, day.spam
from unnest($1::bigint[], $2::bigint[]) with ordinality as g(bot_id, chat_id, place)
left join lateral (
    select max(x.at) as at from postrider.lane l
    cross join lateral (select coalesce(m.sent_at, m.created_at) as at from postrider.message m
                        where m.lane_id = l.lane_id order by m.job_id desc, m.position desc limit 1) x
    where l.bot_id = g.bot_id and l.chat_id = g.chat_id) said on true
left join lateral (
    select count(*) as judged, count(*) filter (where v.is_spam) as spam
    from (select v.is_spam from postrider.spam_verdict v
          where v.chat_id = g.chat_id and v.judged_at > postrider.now() - interval '1 day' limit $3::bigint) v) day on true
order by g.place)"};

// Messages that started no job have a number of their own in its place.
constexpr statement newest_turn_of_group{"groups.newest_turn", R"(
select x.lane_id, x.job_id
from postrider.lane l
cross join lateral (
    select m.lane_id, m.job_id
    from (select m.lane_id, m.job_id from postrider.message m
          where m.lane_id = l.lane_id order by m.job_id desc, m.position desc limit 200) m
    where exists (select from postrider.job j where j.job_id = m.job_id)
    order by m.job_id desc limit 1) x
where l.bot_id = $1::bigint and l.chat_id = $2::bigint
order by x.job_id desc limit 1)"};

template<class Id>
std::string array_text(std::vector<served_group> const& groups, Id served_group::*member) {
    std::string text = "{";
    for (auto const& group : groups) {
        if (text.size() > 1) text += ',';
        text += base::to_string(group.*member);
    }
    return text + "}";
}

} // namespace

std::vector<group_activity> read_group_activity(
    transaction& tx, std::vector<served_group> const& groups
) {
    std::vector<group_activity> activities;
    for (auto const& row : tx.query(
             activity_of_groups,
             {array_text(groups, &served_group::bot),
              array_text(groups, &served_group::chat),
              most_judged_in_a_day}
         ))
        activities.push_back({row.optional_text(0).value_or(""), row.int64(1), row.int64(2)});
    return activities;
}

std::optional<group_turn> find_newest_turn(transaction& tx, served_group group) {
    auto const rows = tx.query(newest_turn_of_group, {group.bot, group.chat});
    if (rows.empty()) return std::nullopt;
    return group_turn{rows.front().id<lane_id>(0), rows.front().id<job_id>(1)};
}

} // namespace postrider::storage
