#pragma once
// Which job the request with an Idempotency-Key started, and which an album's first part did. A key
// counts within its scope and for a day. Rows for the intake's batches; keys are locked in their order, before
// any lane is; that of an album behind the row of the lane that its message makes.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>

namespace postrider::storage {

struct request_key {
    std::string scope;
    std::string key;
    std::string digest; // of the request: SHA-256 in hexadecimal
};

struct answered_key {
    std::optional<job_id> job; // absent: claimed in this transaction and not answered yet
    bool same_request = false;
};

// Its unit gets a row when the key is new, and then nobody else's until the transaction ends: name
// its job with answer_key(). A second one with the key waits for that, or, in the same batch, gets
// no row. Order 12.
write claim_key(request_key const& key);
// Order 41; returns no row.
write answer_key(request_key const& key, job_id job);
// Takes a claim of this transaction back. Order 41; returns no row.
write release_key(request_key const& key);
// A row for a key that is there: read_key(). Order 42, so behind the answers of the same stage.
write find_key(request_key const& key);
answered_key read_key(row const& returned);

// The same within a transaction, which throws as transaction::query() does. Nothing: the key is new, and nobody
// else's until the transaction ends. Another transaction with the key waits for that.
std::optional<answered_key> claim_key(transaction& tx, request_key const& key);
void answer_key(transaction& tx, request_key const& key, job_id job);
void release_key(transaction& tx, request_key const& key);

} // namespace postrider::storage
