#pragma once
// Vectors of parts of documents (sql/functions/knowledge_search.sql): as those of memories (agent/recall/vectors.hpp),
// in a table of their own.
#include "agent/recall/vectors.hpp"

#include <optional>

namespace postrider::agent::knowledge {

struct bare_part {
    std::int64_t id = 0;
    std::string text;
};

struct bare_question {
    std::optional<std::int64_t> document = {}; // nothing = all that answer
    std::int64_t generation = 0;               // of the document
    std::int64_t after = 0;                    // ids behind this one
    int most = 0;
};

// Those without a vector that were not refused, by their ids; none where no vectors can be stored. Fails as batcher::commit().
base::awaitable<base::result<std::vector<bare_part>>> read_bare_parts(
    storage::batcher& reads, bare_question question, base::duration deadline
);

// Order 81; returns no row that matters. A part that was removed meanwhile gets none.
storage::write keep_part_vector(
    std::int64_t part, std::span<float const> numbers, recall::vector_model const& model
);
// The model takes the part in no call: it is not asked for again. Order 81.
storage::write refuse_part(std::int64_t part, recall::vector_model const& model);

// After recall::prepare_vectors(), where that is ready: makes the table, anew for another model or dimension.
// Throws as transaction::query() does.
recall::vector_state prepare_part_vectors(
    storage::transaction& tx, recall::vector_model const& model
);

// Whether a part that answers has none, though the model did not refuse it, where vectors can be stored.
bool lacks_part_vectors(storage::transaction& tx);
// What was refused is asked for again.
void forget_refused_parts(storage::transaction& tx);

} // namespace postrider::agent::knowledge
