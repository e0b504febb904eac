#include "agent/knowledge/part_vectors.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::agent::knowledge {

namespace {

constexpr storage::statement select_bare_parts{
    "read_bare_parts",
    R"(
select t.i, p.part_id, p.content
from json_to_recordset($1::json) as t(i int, document_id bigint, generation int, after bigint, most int)
cross join lateral postrider.bare_parts(t.document_id, t.generation, t.after, t.most) p
order by t.i, p.part_id
)",
    20};

constexpr storage::statement store_part_vector{
    "keep_part_vector",
    R"(
select w.i, k.kept
from (select * from json_to_recordset($1::json) as t(i int, part_id bigint, vector text, model text) order by t.part_id) w
cross join lateral (select postrider.keep_part_embedding(w.part_id, w.vector, w.model) as kept offset 0) k
)",
    81};

constexpr storage::statement make_part_vectors{
    "knowledge.prepare_vectors", "select postrider.prepare_part_vectors($1::text, $2::int)"};

constexpr storage::statement any_bare_part{
    "knowledge.lacks_vectors",
    "select exists (select from postrider.bare_parts(null, null, 0, 1))"};

constexpr storage::statement drop_refused_parts{
    "knowledge.forget_refused", "select postrider.forget_refused_parts()"};

} // namespace

base::awaitable<base::result<std::vector<bare_part>>> read_bare_parts(
    storage::batcher& reads, bare_question question, base::duration deadline
) {
    base::json_row row{{"after", question.after}, {"most", question.most}};
    if (question.document) {
        row.add({"document_id", *question.document});
        row.add({"generation", question.generation});
    }
    storage::write look{&select_bare_parts, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    std::vector<bare_part> parts;
    for (auto const& stored : *rows) parts.push_back({stored.int64(1), stored.text(2)});
    co_return parts;
}

storage::write keep_part_vector(
    std::int64_t part, std::span<float const> numbers, recall::vector_model const& model
) {
    auto const text = recall::vector_text(numbers);
    base::json_row row{{"part_id", part}, {"vector", text}, {"model", model.name}};
    return {&store_part_vector, std::move(row).text()};
}

storage::write refuse_part(std::int64_t part, recall::vector_model const& model) {
    base::json_row row{{"part_id", part}, {"model", model.name}};
    return {&store_part_vector, std::move(row).text()};
}

recall::vector_state prepare_part_vectors(
    storage::transaction& tx, recall::vector_model const& model
) {
    auto const state = tx.query(make_part_vectors, {model.name, model.dimension}).front().text(0);
    return state == "ready" ? recall::vector_state::ready : recall::vector_state::missing;
}

bool lacks_part_vectors(storage::transaction& tx) {
    return tx.query(any_bare_part).front().boolean(0);
}

void forget_refused_parts(storage::transaction& tx) {
    tx.query(drop_refused_parts);
}

} // namespace postrider::agent::knowledge
