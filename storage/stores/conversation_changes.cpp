#include "storage/stores/conversation_changes.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::storage {

namespace {

constexpr statement this_moment{"conversation.moment", R"(
select s.now::text, coalesce(pg_snapshot_xmax($2::pg_snapshot) > pg_snapshot_xmax(s.now), false),
       exists (select from postrider.api_conversation c where c.lane_id = $1), t.job_id, t.state, t.flow, t.version,
       t.paused, t.lane_key
from (select pg_current_snapshot() as now) s
left join lateral (select j.job_id, j.state, j.input ->> 'flow' as flow, (j.input ->> 'version')::bigint as version,
                          l.lane_key,
                          case when j.state not in ('available', 'retryable') then null
                               when exists (select from postrider.pause p where p.scope = 'all') then 'all'
                               when l.paused_at is not null then 'lane' end as paused
                   from (select r.lane_id, r.head from postrider.lane_run r where r.lane_id = $1::bigint
                         order by r.epoch desc limit 1) r
                   join postrider.lane l using (lane_id)
                   cross join lateral postrider.first_live_job(r.lane_id, r.head) f
                   join postrider.job j on j.job_id = f.job_id) t on true
)"};

// $2 until, $3 since, $4 and $5 the place behind which a change stands.
constexpr statement changed_messages{"conversation.changed_messages", R"(
select m.job_id, m.position, m.id, m.role, coalesce(m.shown ->> 'text', m.content), postrider.iso(m.created_at), c.call ->> 'name', c.call -> 'arguments',
       m.shown - '{key,text}'::text[], coalesce(m.shown ? 'removed', false)
from (select m.job_id, m.position, postrider.full_xid(m.xmin, $2::pg_snapshot) as version from postrider.message m
      where m.lane_id = $1 order by m.job_id desc, m.position desc limit 300) n
join postrider.message m on m.lane_id = $1 and m.job_id = n.job_id and m.position = n.position
left join lateral (select x.call from postrider.message a, jsonb_array_elements(a.detail -> 'calls') x(call)
                   where m.role = 'tool' and a.lane_id = m.lane_id and a.job_id = m.job_id and a.role = 'assistant'
                     and x.call ->> 'id' = m.detail ->> 'call_id' and a.position < m.position
                   order by a.position desc limit 1) c on true
where pg_visible_in_snapshot(n.version, $2::pg_snapshot) and not pg_visible_in_snapshot(n.version, $3::pg_snapshot)
  and (m.job_id, m.position) > ($4::bigint, $5::bigint)
  and m.role <> 'system' and m.delivery is distinct from 'pending'
  and not (m.role = 'assistant' and m.content = '' and m.shown is null)
order by m.job_id, m.position
)"};

constexpr statement ended_turns{"conversation.ended_turns", R"(
select e.job_id, e.state, e.error_class, e.answered_by, e.reply, e.finished_at
from (select distinct m.job_id from (select m.job_id from postrider.message m where m.lane_id = $1
                                     order by m.job_id desc, m.position desc limit 300) m
      order by m.job_id desc limit 100) t
cross join lateral (select j.job_id, postrider.full_xid(j.xmin, $2::pg_snapshot) as version from postrider.job j
                    where j.job_id = t.job_id and j.lane_id = $1 and j.finished_at is not null offset 0) j
cross join lateral postrider.ended_turn(j.job_id) e
where pg_visible_in_snapshot(j.version, $2::pg_snapshot) and not pg_visible_in_snapshot(j.version, $3::pg_snapshot)
  and j.job_id >= $4::bigint
order by j.job_id
)"};

// It may have ended behind that moment: its transaction is counted from now.
constexpr statement ended_turn_of{"conversation.ended_turn", R"(
select job_id, state, error_class, answered_by, reply, finished_at from postrider.ended_turn($1)
where pg_visible_in_snapshot(postrider.full_xid(xid, pg_current_snapshot()), $2::pg_snapshot)
)"};

// The number at the text's front, which it loses.
std::optional<std::uint64_t> take_number(std::string_view& text) {
    std::uint64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || number == 0 || number > INT64_MAX) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take(std::string_view& text, char mark) {
    if (!text.starts_with(mark)) return false;
    text.remove_prefix(1);
    return true;
}

changed_message read_message(row const& row) {
    changed_message changed;
    auto& message = changed.message;
    message.at = {row.int64(0), row.int64(1)};
    message.id = row.text(2);
    changed.removed = row.boolean(9);
    if (changed.removed) return changed;
    message.role = row.text(3);
    message.content = row.text(4);
    message.created_at = row.text(5);
    message.tool = row.optional_text(6).value_or("");
    if (!row.null(7)) message.arguments = row.json(7);
    if (!row.null(8)) message.shown = row.json(8);
    return changed;
}

ended_turn read_end(row const& row) {
    ended_turn end;
    end.job = row.id<job_id>(0);
    end.state = row.text(1);
    end.error_class = row.optional_text(2).value_or("");
    if (auto const other = row.optional_int64(3)) end.answered_by = job_id{*other};
    end.reply = row.optional_text(4);
    end.finished_at = row.text(5);
    return end;
}

} // namespace

bool is_snapshot(std::string_view text) {
    constexpr std::size_t longest = 8u << 10;
    if (text.size() > longest) return false;
    auto const least = take_number(text);
    if (!least || !take(text, ':')) return false;
    auto const next = take_number(text);
    if (!next || *next < *least || !take(text, ':')) return false;
    for (std::uint64_t before = *least - 1; !text.empty();) {
        auto const open = take_number(text);
        if (!open || *open <= before || *open >= *next) return false;
        before = *open;
        if (!text.empty() && (!take(text, ',') || text.empty())) return false;
    }
    return true;
}

conversation_changes read_changes(transaction& tx, changes_wish const& wish) {
    conversation_changes changes;
    std::optional<std::string> const since =
        wish.since.empty() ? std::nullopt : std::optional(wish.since);
    auto const& until = wish.until.empty() ? wish.since : wish.until;
    auto const known = until.empty() ? param(std::nullopt) : param(until);
    auto const now = tx.query(this_moment, {wish.lane, known}).front();
    changes.foreign = now.boolean(1);
    changes.exists = now.boolean(2);
    changes.until = wish.until.empty() ? now.text(0) : wish.until;
    if (!now.null(3))
        changes.turn = {
            now.id<job_id>(3),
            now.text(4),
            now.optional_text(5).value_or(""),
            now.optional_int64(6).value_or(0),
            now.optional_text(7).value_or(""),
            now.text(8)};
    if (changes.foreign || !since || changes.until == *since) return changes;
    auto const& after = wish.after;
    std::vector<param> const range{wish.lane, changes.until, *since, after.job, after.position};
    for (auto const& row : tx.query(changed_messages, range))
        changes.messages.push_back(read_message(row));
    std::vector<param> const turns{
        wish.lane,
        changes.until,
        *since,
        after.position == end_of_turn ? after.job + 1 : after.job};
    for (auto const& row : tx.query(ended_turns, turns)) changes.ends.push_back(read_end(row));
    return changes;
}

std::optional<ended_turn> find_ended_turn(transaction& tx, job_id job, std::string const& moment) {
    auto const found = tx.query(ended_turn_of, {job, moment});
    if (found.empty()) return std::nullopt;
    return read_end(found.front());
}

} // namespace postrider::storage
