#include "agent/recall/vectors.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

#include <fmt/format.h>

namespace postrider::agent::recall {

namespace {

constexpr storage::statement select_bare{
    "read_bare_memories",
    R"(
select t.i, m.memory_id, m.content
from json_to_recordset($1::json) as t(i int, after bigint, most int)
cross join lateral (select x.memory_id, x.content from postrider.memory x
                    where x.embedding_model is null and x.embedding_refused is null and x.memory_id > t.after order by x.memory_id limit t.most) m
order by t.i, m.memory_id
)",
    20};

constexpr storage::statement select_other{
    "read_other_vectors",
    R"(
select t.i, m.memory_id, m.content
from json_to_recordset($1::json) as t(i int, after bigint, most int, model text, dimension int)
cross join lateral (select x.memory_id, x.content from postrider.memory x
                    where x.memory_id > t.after and x.embedding_refused is null
                      and (x.embedding_model is distinct from t.model or x.embedding_dimension is distinct from t.dimension)
                    order by x.memory_id limit t.most) m
order by t.i, m.memory_id
)",
    20};

constexpr storage::statement find_bare{
    "owner_lacks_vectors",
    R"(
select t.i
from json_to_recordset($1::json) as t(i int, user_id bigint, chat_id bigint, bot_id bigint)
where exists (select from postrider.memory m
              where m.user_id = t.user_id and m.chat_id = t.chat_id and m.bot_id = t.bot_id and m.embedding_model is null
                and m.embedding_refused is null offset 0)
)",
    20};

constexpr storage::statement store_vector{
    "keep_memory_vector",
    R"(
select w.i, k.kept
from (select * from json_to_recordset($1::json) as t(i int, memory_id bigint, vector text, model text, dimension int)
      order by t.memory_id) w
cross join lateral (select postrider.keep_embedding(w.memory_id, w.vector, w.model, w.dimension) as kept offset 0) k
)",
    77};

constexpr storage::statement refuse_memory{
    "mark_refused_memory",
    R"(
update postrider.memory m set embedding_refused = w.model
from (select x.memory_id, t.model
      from (select * from json_to_recordset($1::json) as t(i int, memory_id bigint, model text) order by t.memory_id) t
      cross join lateral (select x.memory_id from postrider.memory x
                          where x.memory_id = t.memory_id and x.embedding_refused is null for no key update) x) w
where m.memory_id = w.memory_id
)",
    77};

constexpr storage::statement clear_refusals{
    "memories.clear_refusals",
    "update postrider.memory set embedding_refused = null where embedding_refused is not null"};

constexpr storage::statement look_for_bare{"memories.wants_vectors", R"(
select exists (select from postrider.memory where embedding_model is null and embedding_refused is null)
    or exists (select from postrider.memory where embedding_model < $1)
    or exists (select from postrider.memory where embedding_model > $1)
    or exists (select from postrider.memory where embedding_model = $1 and embedding_dimension <> $2::int))"};

constexpr storage::statement make_table{
    "memories.prepare_vectors", "select postrider.prepare_vectors($1::text, $2::int)"};

constexpr storage::statement count_by_model{"memories.count_vectors", R"(
select count(*), count(*) filter (where x.embedding_model is null),
       count(*) filter (where x.embedding_model <> $1 or x.embedding_dimension <> $2::int),
       count(*) filter (where x.embedding_refused is not null)
from (select m.embedding_model, m.embedding_dimension, m.embedding_refused from postrider.memory m limit 100000) x)"};

} // namespace

std::string vector_text(std::span<float const> numbers) {
    std::string text = "[";
    for (float const number : numbers)
        fmt::format_to(std::back_inserter(text), "{}{}", text.size() > 1 ? "," : "", number);
    return text + "]";
}

base::awaitable<base::result<std::vector<bare_memory>>> read_bare(
    storage::batcher& reads,
    vector_model const& model,
    std::int64_t after,
    bool again,
    int most,
    base::duration deadline
) {
    base::json_row row{{"after", after}, {"most", most}};
    if (again) {
        row.add({"model", model.name});
        row.add({"dimension", model.dimension});
    }
    storage::write look{again ? &select_other : &select_bare, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    std::vector<bare_memory> memories;
    for (auto const& stored : *rows) memories.push_back({stored.int64(1), stored.text(2)});
    co_return memories;
}

base::awaitable<base::result<bool>> lacks_vectors(
    storage::batcher& reads, memory_owner const& owner, base::duration deadline
) {
    base::json_row row{
        {"user_id", base::raw(owner.user)},
        {"chat_id", base::raw(owner.chat)},
        {"bot_id", base::raw(owner.bot)}};
    storage::write look{&find_bare, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    co_return !rows->empty();
}

storage::write keep_vector(
    std::int64_t memory, std::span<float const> numbers, vector_model const& model
) {
    auto const text = vector_text(numbers);
    base::json_row row{
        {"memory_id", memory},
        {"vector", text},
        {"model", model.name},
        {"dimension", model.dimension}};
    return {&store_vector, std::move(row).text()};
}

storage::write mark_refused(std::int64_t memory, vector_model const& model) {
    base::json_row row{{"memory_id", memory}, {"model", model.name}};
    return {&refuse_memory, std::move(row).text()};
}

void forget_refusals(storage::transaction& tx) {
    tx.query(clear_refusals);
}

bool wants_vectors(storage::transaction& tx, vector_model const& model) {
    return tx.query(look_for_bare, {model.name, model.dimension}).front().boolean(0);
}

vector_state prepare_vectors(storage::transaction& tx, vector_model const& model) {
    auto const state = tx.query(make_table, {model.name, model.dimension}).front().text(0);
    if (state == "ready") return vector_state::ready;
    return state == "denied" ? vector_state::denied : vector_state::missing;
}

vector_counts count_vectors(storage::transaction& tx, vector_model const& model) {
    auto const row = tx.query(count_by_model, {model.name, model.dimension}).front();
    return {row.int64(0), row.int64(1), row.int64(2), row.int64(3)};
}

} // namespace postrider::agent::recall
