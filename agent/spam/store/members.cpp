#include "agent/spam/store/members.hpp"

#include "agent/spam/store/optional_param.hpp"
#include "agent/spam/store/rows.hpp"
#include "base/names.hpp"

namespace postrider::agent::spam {

namespace {

constexpr base::names<member_state, 3> member_states{
    {{member_state::approved, "approved"},
     {member_state::struck, "struck"},
     {member_state::banned, "banned"}}};

// The name stands with the message that was judged last.
constexpr storage::statement select_member{"spam.member", R"(
select m.chat_id, m.user_id, m.messages, cardinality(m.strikes), postrider.iso(m.approved_at), m.approved_by,
       postrider.iso(m.banned_at), m.banned_by,
       (select x.sender_name from postrider.message x
        where x.chat_id = m.chat_id and x.number_elsewhere = (
            select v.message_id from postrider.spam_verdict v where v.user_id = m.user_id and v.chat_id = m.chat_id
            order by v.judged_at desc limit 1) limit 1)
from postrider.spam_member m where m.chat_id = postrider.current_chat($1::bigint) and m.user_id = $2::bigint)"};

constexpr storage::statement select_members{"spam.members", R"(
select m.chat_id, m.user_id, m.messages, cardinality(m.strikes), postrider.iso(m.approved_at), m.approved_by,
       postrider.iso(m.banned_at), m.banned_by,
       (select x.sender_name from postrider.message x
        where x.chat_id = m.chat_id and x.number_elsewhere = (
            select v.message_id from postrider.spam_verdict v where v.user_id = m.user_id and v.chat_id = m.chat_id
            order by v.judged_at desc limit 1) limit 1)
from postrider.spam_member m
where m.chat_id = postrider.current_chat($1::bigint)
  and case $2::text when 'approved' then m.approved_at is not null when 'struck' then m.strikes <> '{}'
                    when 'banned' then m.banned_at is not null else true end
  and ($3::bigint is null or (m.messages, m.user_id) < ($3, $4::bigint))
order by m.messages desc, m.user_id desc limit $5::bigint)"};

constexpr storage::statement disapprove_member{"spam.disapprove", R"(
update postrider.spam_member set approved_at = null, approved_by = null, messages = 0
where chat_id = $1::bigint and user_id = $2::bigint)"};

// The newest 20 are kept.
constexpr storage::statement strike_member{"spam.strike", R"(
insert into postrider.spam_member as m (chat_id, user_id, strikes)
values ($1::bigint, $2::bigint, array[postrider.now()])
on conflict (chat_id, user_id) do update
set strikes = m.strikes[greatest(cardinality(m.strikes) - 18, 1):] || postrider.now()
returning (select count(*) from unnest(m.strikes) s(struck_at) where s.struck_at > postrider.now() - make_interval(secs => $3::bigint)))"};

member member_in(storage::row const& row) {
    return {
        .chat = row.id<chat_id>(0),
        .user = row.id<user_id>(1),
        .name = row.optional_text(8).value_or(""),
        .messages = static_cast<int>(row.int64(2)),
        .strikes = static_cast<int>(row.int64(3)),
        .approved_at = row.optional_text(4),
        .approved_by = row.optional_text(5),
        .banned_at = row.optional_text(6),
        .banned_by = row.optional_text(7)};
}

} // namespace

member find_member(storage::transaction& tx, chat_id chat, user_id user) {
    auto const rows = tx.query(select_member, {chat, user});
    if (rows.empty()) {
        member fresh;
        fresh.chat = chat;
        fresh.user = user;
        return fresh;
    }
    return member_in(rows.front());
}

std::string_view name_of(member_state state) noexcept {
    return base::name_of(member_states, state);
}

std::optional<member_state> member_state_named(std::string_view name) noexcept {
    return base::named(member_states, name);
}

std::vector<member> list_members(storage::transaction& tx, member_filter const& filter) {
    auto const state = filter.state ? std::optional(name_of(*filter.state)) : std::nullopt;
    auto const& before = filter.before;
    std::vector<member> members;
    for (auto const& row : tx.query(
             select_members,
             {filter.chat,
              or_null(state),
              or_null(before ? std::optional(before->messages) : std::nullopt),
              or_null(before ? std::optional(before->user) : std::nullopt),
              filter.limit}
         ))
        members.push_back(member_in(row));
    return members;
}

void approve(storage::transaction& tx, chat_id chat, user_id user, std::string_view by_word_of) {
    apply(tx, {approve_row({chat, user, std::string(by_word_of)})});
}

void disapprove(storage::transaction& tx, chat_id chat, user_id user) {
    tx.query(disapprove_member, {chat, user});
}

int add_strike(storage::transaction& tx, chat_id chat, user_id user, std::chrono::seconds window) {
    auto const seconds = std::int64_t{window.count()};
    return static_cast<int>(tx.query(strike_member, {chat, user, seconds}).front().int64(0));
}

void ban(storage::transaction& tx, chat_id chat, user_id user, std::string_view by_word_of) {
    apply(tx, {ban_row({chat, user, std::string(by_word_of)})});
}

} // namespace postrider::agent::spam
