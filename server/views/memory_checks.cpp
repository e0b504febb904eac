#include "server/views/memory_checks.hpp"

#include "agent/recall/vectors.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace {

constexpr storage::statement vectors_of_database{"check.vectors", R"(
select postrider.vector_schema() is not null, exists (select from pg_available_extensions a where a.name = 'vector'))"};

constexpr storage::statement failures_of_readings{"check.memory_failures", R"(
select count(*) filter (where f.failures > 0), coalesce(sum(f.skipped), 0)::bigint from (select * from postrider.memory_failures limit 1000) f)"};

finding by_words_alone(std::string_view reason, std::string advice) {
    return {
        "memories",
        verdict::warn,
        fmt::format("agents find memories by their words alone: {}", reason),
        std::move(advice)};
}

findings look_at_vectors(storage::transaction& tx, config const& settings) {
    if (!settings.embeddings)
        return {{"memories", verdict::ok, "by their words; there is no [embeddings.default]"}};
    auto const facts = tx.query(vectors_of_database).front();
    bool const is_installed = facts.boolean(0);
    if (!is_installed && !facts.boolean(1))
        return {by_words_alone("Postgres has no pgvector", "scripts/install-pgvector")};
    if (!is_installed)
        return {by_words_alone(
            "pgvector is not installed in this database", in_psql("create extension vector")
        )};
    agent::recall::vector_model const model{
        agent::name_of(*settings.embeddings), settings.embeddings->dimension};
    auto const counts = agent::recall::count_vectors(tx, model);
    if (counts.other > 0)
        return {
            {"memories",
             verdict::warn,
             fmt::format("{} memories have vectors of another model", counts.other),
             "postrider memory reembed"}};
    if (counts.refused > 0)
        return {
            {"memories",
             verdict::warn,
             fmt::format(
                 "{} are found by their words alone: {} refuses their texts",
                 counts.refused,
                 model.name
             ),
             "postrider memory reembed asks again"}};
    return {
        {"memories",
         verdict::ok,
         fmt::format("{} by words and meaning, {} by words yet", counts.memories, counts.bare)}};
}

} // namespace

findings look_at_memories(storage::transaction& tx, config const& settings) {
    auto checked = look_at_vectors(tx, settings);
    auto const failures = tx.query(failures_of_readings).front();
    if (failures.int64(0) > 0)
        checked.push_back(
            {"memories",
             verdict::warn,
             fmt::format(
                 "the model fails at the older messages of {} conversations; {} messages were "
                 "skipped",
                 failures.int64(0),
                 failures.int64(1)
             ),
             in_psql("select * from postrider.memory_failures")}
        );
    return checked;
}

} // namespace postrider::server
