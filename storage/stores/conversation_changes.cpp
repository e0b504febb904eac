#include "storage/stores/conversation_changes.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <charconv>

namespace postrider::storage {

namespace json = boost::json;

namespace {

constexpr statement this_moment{"conversation.moment", R"(
select w.i, s.now::text, coalesce(pg_snapshot_xmax(w.known::pg_snapshot) > pg_snapshot_xmax(s.now), false),
       coalesce((select true from postrider.api_conversation c where c.lane_id = w.lane_id limit 1), false), t.job_id, t.state, t.flow, t.version,
       t.paused, t.lane_key
from json_to_recordset($1::json) as w(i int, lane_id bigint, known text)
cross join (select pg_current_snapshot() as now) s
left join lateral (select j.job_id, j.state, j.input ->> 'flow' as flow, (j.input ->> 'version')::bigint as version,
                          l.lane_key,
                          case when j.state not in ('available', 'retryable') then null
                               when exists (select from postrider.pause p where p.scope = 'all') then 'all'
                               when l.paused_at is not null then 'lane' end as paused
                   from (select r.lane_id, r.head from postrider.lane_run r where r.lane_id = w.lane_id
                         order by r.epoch desc limit 1) r
                   cross join lateral (select l.lane_key, l.paused_at from postrider.lane l where l.lane_id = r.lane_id offset 0) l
                   cross join lateral postrider.first_live_job(r.lane_id, r.head) f
                   cross join lateral (select j.job_id, j.state, j.input from postrider.job j where j.job_id = f.job_id offset 0) j) t on true
)"};

// job_id and position: the place behind which a change stands.
constexpr statement changed_messages{"conversation.changed_messages", R"(
select w.i, m.job_id, m.position, m.id, m.role, coalesce(m.shown ->> 'text', m.content), postrider.iso(m.created_at), c.call ->> 'name', c.call -> 'arguments',
       m.shown - '{key,text}'::text[], coalesce(m.shown ? 'removed', false), postrider.origin_of(m), postrider.author_of(m)
from json_to_recordset($1::json) as w(i int, lane_id bigint, until text, since text, job_id bigint, position bigint)
cross join lateral (select m.job_id, m.position, postrider.full_xid(m.xmin, w.until::pg_snapshot) as version
                    from postrider.message m
                    where m.lane_id = w.lane_id order by m.job_id desc, m.position desc limit 300) n
join postrider.message m on m.lane_id = w.lane_id and m.job_id = n.job_id and m.position = n.position
left join lateral (select x.call from postrider.message a, jsonb_array_elements(a.detail -> 'calls') x(call)
                   where m.role = 'tool' and a.lane_id = m.lane_id and a.job_id = m.job_id and a.role = 'assistant'
                     and x.call ->> 'id' = m.detail ->> 'call_id' and a.position < m.position
                   order by a.position desc limit 1) c on true
where pg_visible_in_snapshot(n.version, w.until::pg_snapshot) and not pg_visible_in_snapshot(n.version, w.since::pg_snapshot)
  and (m.job_id, m.position) > (w.job_id, w.position)
  and m.role <> 'system' and m.delivery is distinct from 'pending'
  and not (m.role = 'assistant' and m.content = '' and m.shown is null)
order by w.i, m.job_id, m.position
)"};

constexpr statement ended_turns{"conversation.ended_turns", R"(
select w.i, e.job_id, e.state, e.error_class, e.answered_by, e.reply, e.finished_at
from json_to_recordset($1::json) as w(i int, lane_id bigint, until text, since text, least bigint)
cross join lateral (select distinct m.job_id from (select m.job_id from postrider.message m where m.lane_id = w.lane_id
                                                   order by m.job_id desc, m.position desc limit 300) m
                    order by m.job_id desc limit 100) t
cross join lateral (select j.job_id, postrider.full_xid(j.xmin, w.until::pg_snapshot) as version from postrider.job j
                    where j.job_id = t.job_id and j.lane_id = w.lane_id and j.finished_at is not null offset 0) j
cross join lateral postrider.ended_turn(j.job_id) e
where pg_visible_in_snapshot(j.version, w.until::pg_snapshot) and not pg_visible_in_snapshot(j.version, w.since::pg_snapshot)
  and j.job_id >= w.least
order by w.i, j.job_id
)"};

// It may have ended behind that moment: its transaction is counted from now.
constexpr statement ended_turn_of{"conversation.ended_turn", R"(
select w.i, e.job_id, e.state, e.error_class, e.answered_by, e.reply, e.finished_at
from json_to_recordset($1::json) as w(i int, job_id bigint, moment text)
cross join lateral (select * from postrider.ended_turn(w.job_id) offset 0) e
where pg_visible_in_snapshot(postrider.full_xid(e.xid, pg_current_snapshot()), w.moment::pg_snapshot)
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
    message.at = {row.int64(1), row.int64(2)};
    message.id = row.text(3);
    changed.removed = row.boolean(10);
    if (changed.removed) return changed;
    message.role = row.text(4);
    message.content = row.text(5);
    message.created_at = row.text(6);
    message.tool = row.optional_text(7).value_or("");
    if (!row.null(8)) message.arguments = row.json(8);
    if (!row.null(9)) message.shown = row.json(9);
    message.origin = row.text(11);
    if (!row.null(12)) message.author = row.json(12);
    return changed;
}

ended_turn read_end(row const& row) {
    ended_turn end;
    end.job = row.id<job_id>(1);
    end.state = row.text(2);
    end.error_class = row.optional_text(3).value_or("");
    if (auto const other = row.optional_int64(4)) end.answered_by = job_id{*other};
    end.reply = row.optional_text(5);
    end.finished_at = row.text(6);
    return end;
}

std::size_t query_of(row const& row) {
    return static_cast<std::size_t>(row.int64(0));
}

json::value known_moment(changes_query const& query) {
    auto const& until = query.until.empty() ? query.since : query.until;
    return until.empty() ? json::value() : json::value(until);
}

void read_moment(row const& row, changes_query const& query, conversation_changes& to) {
    to.foreign = row.boolean(2);
    to.exists = row.boolean(3);
    to.until = query.until.empty() ? row.text(1) : query.until;
    if (row.null(4)) return;
    to.turn = {
        row.id<job_id>(4),
        row.text(5),
        row.optional_text(6).value_or(""),
        row.optional_int64(7).value_or(0),
        row.optional_text(8).value_or(""),
        row.text(9)};
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

std::vector<conversation_changes> read_changes(
    transaction& tx, std::span<changes_query const> queries
) {
    std::vector<conversation_changes> all(queries.size());
    json::array moments;
    for (std::size_t at = 0; at < queries.size(); ++at)
        moments.push_back(
            {{"i", at},
             {"lane_id", base::raw(queries[at].lane)},
             {"known", known_moment(queries[at])}}
        );
    for (auto const& row : tx.query(this_moment, {json::serialize(moments)}))
        read_moment(row, queries[query_of(row)], all[query_of(row)]);
    json::array messages;
    json::array turns;
    for (std::size_t at = 0; at < queries.size(); ++at) {
        auto const& query = queries[at];
        auto const& until = all[at].until;
        if (all[at].foreign || query.since.empty() || until == query.since) continue;
        json::object range{
            {"i", at},
            {"lane_id", base::raw(query.lane)},
            {"until", until},
            {"since", query.since}};
        auto const least =
            query.after.position == end_of_turn ? query.after.job + 1 : query.after.job;
        range["least"] = least;
        turns.push_back(range);
        range["job_id"] = query.after.job;
        range["position"] = query.after.position;
        messages.push_back(std::move(range));
    }
    if (messages.empty()) return all;
    for (auto const& row : tx.query(changed_messages, {json::serialize(messages)}))
        all[query_of(row)].messages.push_back(read_message(row));
    for (auto const& row : tx.query(ended_turns, {json::serialize(turns)}))
        all[query_of(row)].ends.push_back(read_end(row));
    return all;
}

std::vector<std::optional<ended_turn>> find_ended_turns(
    transaction& tx, std::span<end_query const> queries
) {
    std::vector<std::optional<ended_turn>> all(queries.size());
    if (queries.empty()) return all;
    json::array turns;
    for (std::size_t at = 0; at < queries.size(); ++at)
        turns.push_back(
            {{"i", at}, {"job_id", base::raw(queries[at].job)}, {"moment", queries[at].moment}}
        );
    for (auto const& row : tx.query(ended_turn_of, {json::serialize(turns)}))
        all[query_of(row)] = read_end(row);
    return all;
}

} // namespace postrider::storage
