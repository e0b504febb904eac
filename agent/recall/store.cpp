#include "agent/recall/store.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <map>

namespace postrider::agent::recall {

namespace {

namespace json = boost::json;

// Scores travel as millionths.
constexpr double score_units = 1'000'000;

// A source that is locked cannot be edited or deleted before this is committed; then its trigger finds the memory. A
// group may have become a supergroup since the turn or the job began. What somebody asks for again is a note from then
// on, and stays for the longer time.
constexpr storage::statement insert_memory{
    "add_memory",
    R"(
with w as materialized (
    select t.key, t.user_id, coalesce(c.migrated_to, t.chat_id) as chat_id, t.bot_id, t.kind, t.content, t.language, t.keep_ms,
           t.needs_sources, t.sources
    from json_to_recordset($1::json) as t(i int, key text, user_id bigint, chat_id bigint, bot_id bigint, kind text, content text,
                                          language text, keep_ms bigint, needs_sources boolean, sources json)
    left join lateral (select x.migrated_to from postrider.chat x
                       where x.bot_id = t.bot_id and x.chat_id = t.chat_id limit 1) c on true
), source as materialized (
    select p.key, m.lane_id, m.job_id, m.position, m.sender_id
    from (select w.key, s.*
          from w
          cross join lateral json_to_recordset(w.sources) as s(lane_id bigint, job_id bigint, position bigint, digest text)
          order by s.lane_id, s.job_id, s.position) p
    cross join lateral (select x.lane_id, x.job_id, x.position, x.sender_id from postrider.message x
                        where x.lane_id = p.lane_id and x.job_id = p.job_id and x.position = p.position and x.removed_at is null
                          and (p.digest is null or md5(x.content) = p.digest) for share) m
), again as materialized (
    select x.memory_id, w.keep_ms
    from w
    cross join lateral (select m.memory_id from postrider.memory m
                        where m.user_id = w.user_id and m.chat_id = w.chat_id and m.bot_id = w.bot_id
                          and md5(case when m.kind = 'summary' then m.made_by else m.content end) = md5(w.content)
                          and m.kind <> 'summary' and m.made_by <> w.key
                        limit 1) x
    where w.kind = 'note'
), locked as materialized (
    select m.memory_id from postrider.memory m
    where m.memory_id = any(array(select g.memory_id from again g)) order by m.memory_id for no key update
), extended as (
    update postrider.memory m
    set kind = 'note', expires_at = case when m.expires_at is null or a.keep_ms is null then null
                                         else greatest(m.expires_at, postrider.now() + a.keep_ms * interval '1 ms') end
    from (select g.memory_id, case when bool_and(g.keep_ms is not null) then max(g.keep_ms) end as keep_ms
          from again g join locked k using (memory_id) group by g.memory_id) a
    where m.memory_id = a.memory_id
), kept as (
    insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, words, made_by, expires_at)
    select w.user_id, w.chat_id, w.bot_id, w.kind, w.content, l.language, postrider.memory_vector(w.content, l.language), w.key,
           postrider.now() + w.keep_ms * interval '1 ms'
    from w
    cross join lateral (select postrider.memory_language(w.content, w.language, case when w.language = ''
                               then postrider.owner_language(w.user_id, w.chat_id, w.bot_id) else '' end) as language offset 0) l
    where not w.needs_sources or (select count(*) from source s where s.key = w.key) = json_array_length(w.sources)
    order by w.key
    on conflict do nothing
    returning memory_id, made_by
)
insert into postrider.memory_source (memory_id, lane_id, job_id, position, user_id)
select k.memory_id, s.lane_id, s.job_id, s.position, s.sender_id from kept k join source s on s.key = k.made_by
)",
    74};

constexpr storage::statement delete_memory{
    "remove_memory",
    R"(
delete from postrider.memory m where m.memory_id = any(array(
    select own.memory_id
    from (select * from json_to_recordset($1::json) as t(i int, memory_id bigint, user_id bigint, chat_id bigint, bot_id bigint)
          order by t.memory_id) w
    cross join lateral (select x.memory_id from postrider.memory x
                        where x.memory_id = w.memory_id and x.user_id = w.user_id and x.chat_id = w.chat_id and x.bot_id = w.bot_id
                        for update) own))
)",
    75};

constexpr storage::statement select_by_words{
    "recall_memories",
    R"(
select t.i, m.memory_id, m.kind, m.content, postrider.iso(m.created_at), (r.score * 1000000)::bigint,
       (select coalesce(json_agg(distinct s.user_id), '[]') from postrider.memory_source s
                                         where s.memory_id = m.memory_id and s.user_id is not null)
from json_to_recordset($1::json) as t(i int, user_id bigint, chat_id bigint, bot_id bigint, question text, language text, vector text,
                                        least bigint, most int, shown_lane bigint, shown_since bigint, as_of bigint)
left join lateral (select coalesce(j.started_at, j.created_at) as at from postrider.job j where j.job_id = t.as_of limit 1) begun on true
cross join lateral postrider.recall_fused(t.bot_id, t.user_id, t.chat_id, t.question, t.language, t.vector, t.least / 1000000.0::float8,
                                          t.most, t.shown_lane, t.shown_since, begun.at) with ordinality r(memory_id, score, place)
cross join lateral (select * from postrider.memory x where x.memory_id = r.memory_id limit 1) m
order by t.i, r.place
)",
    20};

constexpr storage::statement select_newest{
    "newest_memories",
    R"(
select t.i, m.memory_id, m.kind, m.content, postrider.iso(m.created_at), 1000000,
       (select coalesce(json_agg(distinct s.user_id), '[]') from postrider.memory_source s
                                         where s.memory_id = m.memory_id and s.user_id is not null)
from json_to_recordset($1::json) as t(i int, user_id bigint, chat_id bigint, bot_id bigint, most int)
cross join lateral (select * from postrider.memory x
                    where x.user_id = t.user_id and x.chat_id = t.chat_id and x.bot_id = t.bot_id
                      and (x.expires_at is null or x.expires_at > postrider.now())
                    order by x.created_at desc, x.memory_id desc limit t.most) m
order by t.i, m.created_at desc, m.memory_id desc
)",
    20};

constexpr storage::statement select_own{
    "find_own_memory",
    R"(
select t.i, m.memory_id, m.kind, m.content, postrider.iso(m.created_at), 1000000,
       (select coalesce(json_agg(distinct s.user_id), '[]') from postrider.memory_source s
                                         where s.memory_id = m.memory_id and s.user_id is not null)
from json_to_recordset($1::json) as t(i int, memory_id bigint, user_id bigint, chat_id bigint, bot_id bigint)
cross join lateral (select * from postrider.memory x
                    where x.memory_id = t.memory_id and x.user_id = t.user_id and x.chat_id = t.chat_id and x.bot_id = t.bot_id
                    limit 1) m
)",
    20};

#define POSTRIDER_MEMORY                                                                           \
    "select m.memory_id, m.user_id, m.chat_id, m.bot_id, m.kind, m.content, m.language, "          \
    "postrider.iso(m.created_at), postrider.iso(m.expires_at) from postrider.memory m "

constexpr storage::statement page_of_memories{"memories.page", POSTRIDER_MEMORY R"(
where ($1::bigint is null or m.user_id = $1) and ($2::bigint is null or m.chat_id = $2) and ($3::bigint is null or m.bot_id = $3)
  and ($4::text is null or m.kind = $4) and ($5::bigint = 0 or m.memory_id < $5)
order by m.memory_id desc limit $6::bigint)"};

constexpr storage::statement memory_by_id{
    "memories.find", POSTRIDER_MEMORY "where m.memory_id = $1::bigint"};

#undef POSTRIDER_MEMORY

constexpr storage::statement select_sources{"memories.sources", R"(
select s.memory_id, s.lane_id, s.job_id, s.position, m.id, m.content
from postrider.memory_source s
left join postrider.message m on m.lane_id = s.lane_id and m.job_id = s.job_id and m.position = s.position
where s.memory_id = any($1::bigint[])
order by s.memory_id, s.lane_id, s.job_id, s.position)"};

constexpr storage::statement forget_by_hand{
    "memories.forget", "select postrider.forget_memory($1::bigint)"};

void add_owner(base::json_row& row, memory_owner const& owner) {
    row.add({"user_id", base::raw(owner.user)});
    row.add({"chat_id", base::raw(owner.chat)});
    row.add({"bot_id", base::raw(owner.bot)});
}

json::array places_of(std::vector<memory_source> const& sources) {
    json::array places;
    for (auto const& source : sources) {
        json::object place{
            {"lane_id", base::raw(source.lane)},
            {"job_id", base::raw(source.job)},
            {"position", source.position}};
        if (!source.digest.empty()) place["digest"] = source.digest;
        places.push_back(std::move(place));
    }
    return places;
}

base::awaitable<base::result<std::vector<recalled_memory>>> recalled_by(
    storage::batcher& reads, storage::write look, base::duration deadline
) {
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    std::vector<recalled_memory> memories;
    for (auto const& row : *rows) {
        memories.push_back(
            {.id = row.int64(1),
             .kind = memory_kind_from_string(row.view(2)).value(),
             .text = row.text(3),
             .created_at = row.text(4),
             .score = static_cast<double>(row.int64(5)) / score_units}
        );
        auto const people = row.json(6);
        for (auto const& person : people.as_array())
            memories.back().said_by.push_back(user_id{person.as_int64()});
    }
    co_return memories;
}

shown_memory memory_in(storage::row const& row) {
    shown_memory shown;
    auto& memory = shown.memory;
    memory.id = row.int64(0);
    memory.owner = {row.id<bot_id>(3), row.id<user_id>(1), row.id<chat_id>(2)};
    memory.kind = memory_kind_from_string(row.view(4)).value();
    memory.text = row.text(5);
    memory.language = row.text(6);
    memory.created_at = row.text(7);
    memory.expires_at = row.optional_text(8);
    return shown;
}

void read_sources(storage::transaction& tx, std::vector<shown_memory>& memories) {
    std::map<std::int64_t, shown_memory*> by_id;
    std::string ids = "{";
    for (auto& shown : memories) {
        by_id.emplace(shown.memory.id, &shown);
        ids += (ids.size() > 1 ? "," : "") + std::to_string(shown.memory.id);
    }
    for (auto const& row : tx.query(select_sources, {ids + "}"})) {
        shown_source source;
        source.place = {row.id<lane_id>(1), row.id<job_id>(2), row.int64(3)};
        source.message = row.optional_text(4).value_or("");
        source.text = row.optional_text(5);
        by_id.at(row.int64(0))->sources.push_back(std::move(source));
    }
}

template<class Id>
storage::param id_or_null(std::optional<Id> id) {
    return id ? storage::param(*id) : storage::param(std::nullopt);
}

} // namespace

storage::write add_memory(new_memory const& memory) {
    base::json_row row{
        {"key", memory.key},
        {"kind", to_string(memory.kind)},
        {"content", memory.text},
        {"language", language_of_memory(memory.text)},
        {"needs_sources", memory.needs_sources}};
    add_owner(row, memory.owner);
    if (memory.keep) row.add({"keep_ms", std::int64_t{memory.keep->count()}});
    json::value const sources(places_of(memory.sources));
    row.add({"sources", sources});
    return {&insert_memory, std::move(row).text()};
}

storage::write remove_memory(std::int64_t id, memory_owner const& owner) {
    base::json_row row{{"memory_id", id}};
    add_owner(row, owner);
    return {&delete_memory, std::move(row).text()};
}

base::awaitable<base::result<std::vector<recalled_memory>>> recall_memories(
    storage::batcher& reads, recall_question question, base::duration deadline
) {
    base::json_row row{{"most", question.most}};
    add_owner(row, question.owner);
    if (question.text.empty())
        return recalled_by(reads, {&select_newest, std::move(row).text()}, deadline);
    row.add({"question", question.text});
    row.add({"language", language_of_memory(question.text)});
    if (!question.vector.empty()) row.add({"vector", question.vector});
    row.add({"least", static_cast<std::int64_t>(question.least_score * score_units)});
    row.add({"shown_lane", base::raw(question.shown_lane)});
    row.add({"shown_since", base::raw(question.shown_since)});
    if (question.as_of != job_id{}) row.add({"as_of", base::raw(question.as_of)});
    return recalled_by(reads, {&select_by_words, std::move(row).text()}, deadline);
}

base::awaitable<base::result<std::optional<recalled_memory>>> find_own_memory(
    storage::batcher& reads, std::int64_t id, memory_owner const& owner, base::duration deadline
) {
    base::json_row row{{"memory_id", id}};
    add_owner(row, owner);
    storage::write question{
        &select_own, std::move(row).text()}; // apart: g++ 12 would destroy it twice
    auto memories = co_await recalled_by(reads, std::move(question), deadline);
    if (!memories) co_return memories.error();
    std::optional<recalled_memory> own;
    if (!memories->empty()) own = std::move(memories->front());
    co_return own;
}

std::vector<shown_memory> list_memories(storage::transaction& tx, memory_filter const& filter) {
    auto const kind =
        filter.kind ? storage::param(to_string(*filter.kind)) : storage::param(std::nullopt);
    auto const user = filter.chat && !filter.user ? std::optional(user_id{}) : filter.user;
    std::vector<shown_memory> memories;
    for (auto const& row : tx.query(
             page_of_memories,
             {id_or_null(user),
              id_or_null(filter.chat),
              id_or_null(filter.bot),
              kind,
              filter.below,
              filter.limit}
         ))
        memories.push_back(memory_in(row));
    read_sources(tx, memories);
    return memories;
}

std::optional<shown_memory> find_memory(storage::transaction& tx, std::int64_t id) {
    std::vector<shown_memory> memories;
    for (auto const& row : tx.query(memory_by_id, {id})) memories.push_back(memory_in(row));
    if (memories.empty()) return std::nullopt;
    read_sources(tx, memories);
    return std::move(memories.front());
}

bool forget_memory(storage::transaction& tx, std::int64_t id) {
    return tx.query(forget_by_hand, {id}).front().boolean(0);
}

} // namespace postrider::agent::recall
