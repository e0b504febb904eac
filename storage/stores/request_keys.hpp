#pragma once
// Which job the request with an Idempotency-Key started. A key counts within its scope and for a
// day. All of it throws as transaction::query() does.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <optional>
#include <string>

namespace postrider::storage {

struct request_key {
    std::string scope;
    std::string key;
    std::string digest; // of the request: SHA-256 in hexadecimal
};

struct answered_key {
    job_id job{};
    bool same_request = false;
};

// Nothing: the key is new, and nobody else's until the transaction ends; name its job with
// answer_key(). A second one with the key waits here until then.
std::optional<answered_key> claim_key(transaction& tx, request_key const& which);
void answer_key(transaction& tx, request_key const& which, job_id job);

} // namespace postrider::storage
