#include "storage/stores/request_keys.hpp"

namespace postrider::storage {

namespace {

constexpr statement claim{"request_key.claim", R"(
insert into postrider.request_key (scope, key, digest) values ($1, $2, $3)
on conflict (scope, key) do update
set created_at = excluded.created_at, digest = excluded.digest, job_id = null
where request_key.created_at < postrider.now() - interval '1 day'
returning 1
)"};

constexpr statement find{
    "request_key.find",
    "select job_id, digest = $3 from postrider.request_key where scope = $1 and key = $2"};

constexpr statement answer{
    "request_key.answer",
    "update postrider.request_key set job_id = $3 where scope = $1 and key = $2"};

} // namespace

std::optional<answered_key> claim_key(transaction& tx, request_key const& which) {
    std::vector<param> const row{which.scope, which.key, which.digest};
    if (!tx.query(claim, row).empty()) return std::nullopt;
    auto const found = tx.query(find, row);
    if (found.empty()) throw database_error("a request's key went away meanwhile");
    return answered_key{found.front().id<job_id>(0), found.front().boolean(1)};
}

void answer_key(transaction& tx, request_key const& which, job_id job) {
    tx.query(answer, {which.scope, which.key, job});
}

} // namespace postrider::storage
