#include "server/views/memory_checks.hpp"

#include "agent/recall/vectors.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace {

constexpr storage::statement vectors_of_database{"check.vectors", R"(
select postrider.vector_schema() is not null, exists (select from pg_available_extensions a where a.name = 'vector'))"};

finding by_words_alone(std::string_view reason, std::string advice) {
    return {
        "memories",
        verdict::warn,
        fmt::format("agents find memories by their words alone: {}", reason),
        std::move(advice)};
}

} // namespace

findings look_at_memories(storage::transaction& tx, config const& settings) {
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
    return {
        {"memories",
         verdict::ok,
         fmt::format("{} by words and meaning, {} by words yet", counts.memories, counts.bare)}};
}

} // namespace postrider::server
