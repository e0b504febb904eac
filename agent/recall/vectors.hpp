#pragma once
// Vectors of memories in the database (sql/functions/memory_vectors.sql): which memories lack one of the model
// in use, and how one is stored. All rows have one model and dimension; others are made anew.
#include "agent/recall/memory_owner.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::recall {

// As Postgres reads it, whatever the locale: "[0.5,-1]".
std::string vector_text(std::span<float const> numbers);

struct vector_model {
    std::string name;
    int dimension = 0;
};

struct bare_memory {
    std::int64_t id = 0;
    std::string text;
};

// Those without a vector behind an id, by their ids; with `again` those of another model or dimension, too. Without
// those that a server refuses. Fails as batcher::commit(), as the next one.
base::awaitable<base::result<std::vector<bare_memory>>> read_bare(
    storage::batcher& reads,
    vector_model const& model,
    std::int64_t after,
    bool again,
    int most,
    base::duration deadline
);

// Whether an owner has some without a vector.
base::awaitable<base::result<bool>> lacks_vectors(
    storage::batcher& reads, memory_owner const& owner, base::duration deadline
);

// Order 77; returns no row that matters. A memory that was forgotten meanwhile gets none.
storage::write keep_vector(
    std::int64_t memory, std::span<float const> numbers, vector_model const& model
);

// The server refuses this text alone: it is found by its words, and no job asks again. Order 77; returns no row.
storage::write mark_refused(std::int64_t memory, vector_model const& model);
// Jobs may ask again for all of them.
void forget_refusals(storage::transaction& tx);

enum class vector_state { ready, missing, denied };
// Makes the table of vectors, where pgvector is there, and anew for another model or dimension. Throws as
// transaction::query() does.
vector_state prepare_vectors(storage::transaction& tx, vector_model const& model);

struct vector_counts {
    std::int64_t memories = 0;
    std::int64_t bare = 0;    // without a vector
    std::int64_t other = 0;   // with one of another model or dimension
    std::int64_t refused = 0; // by the server
};
// Whether some have none, or one of another model or dimension, but for those that were refused.
bool wants_vectors(storage::transaction& tx, vector_model const& model);
// Counted up to 100,000 of each.
vector_counts count_vectors(storage::transaction& tx, vector_model const& model);

} // namespace postrider::agent::recall
