#include "storage/stores/request_keys.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

// Sorted, so that two nodes never wait for each other. Joined by one text: a join on two columns of
// a CTE is planned as one row.
constexpr statement claim_keys{
    "claim_request_keys",
    R"(
with r as materialized (
    select distinct on (scope, key) *
    from json_to_recordset($1::json) as t(i int, scope text, key text, digest text)
    order by scope, key, i
), claimed as (
    insert into postrider.request_key (scope, key, digest) select scope, key, digest from r
    on conflict (scope, key) do update
    set created_at = excluded.created_at, digest = excluded.digest, job_id = null
    where request_key.created_at < postrider.now() - interval '1 day'
    returning scope || chr(10) || key as name
)
select r.i from claimed c join r on r.scope || chr(10) || r.key = c.name
)",
    12};

// The arrays bound what is read through the index.
constexpr statement answer_keys{
    "answer_request_keys",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json) as t(i int, scope text, key text, job_id bigint)
)
update postrider.request_key k set job_id = w.job_id
from w
where k.scope = any(array(select distinct scope from w)) and k.key = any(array(select key from w))
  and k.scope || chr(10) || k.key = w.scope || chr(10) || w.key
)",
    41};

constexpr statement release_keys{
    "release_request_keys",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json) as t(i int, scope text, key text)
)
delete from postrider.request_key k using w
where k.scope = any(array(select distinct scope from w)) and k.key = any(array(select key from w))
  and k.scope || chr(10) || k.key = w.scope || chr(10) || w.key
)",
    41};

constexpr statement find_keys{
    "find_request_keys",
    R"(
select t.i, k.job_id, k.digest = t.digest
from json_to_recordset($1::json) as t(i int, scope text, key text, digest text)
cross join lateral (select k.job_id, k.digest from postrider.request_key k
                    where k.scope = t.scope and k.key = t.key offset 0) k
)",
    42};

base::json_row named(request_key const& key) {
    return {{"scope", key.scope}, {"key", key.key}};
}

// As a batch of one row.
rows written_rows(transaction& tx, write const& of) {
    return tx.query(*of.statement, {'[' + of.row + ']'});
}

} // namespace

write claim_key(request_key const& key) {
    auto row = named(key);
    row.add({"digest", key.digest});
    return {&claim_keys, std::move(row).text()};
}

write answer_key(request_key const& key, job_id job) {
    auto row = named(key);
    row.add({"job_id", base::raw(job)});
    return {&answer_keys, std::move(row).text()};
}

write release_key(request_key const& key) {
    return {&release_keys, named(key).text()};
}

write find_key(request_key const& key) {
    auto row = named(key);
    row.add({"digest", key.digest});
    return {&find_keys, std::move(row).text()};
}

answered_key read_key(row const& returned) {
    answered_key found;
    if (auto const job = returned.optional_int64(1)) found.job = job_id{*job};
    found.same_request = returned.boolean(2);
    return found;
}

std::optional<answered_key> claim_key(transaction& tx, request_key const& key) {
    if (!written_rows(tx, claim_key(key)).empty()) return std::nullopt;
    auto const found = written_rows(tx, find_key(key));
    if (found.empty()) throw database_error("a request's key went away meanwhile");
    return read_key(found.front());
}

void answer_key(transaction& tx, request_key const& key, job_id job) {
    (void)written_rows(tx, answer_key(key, job));
}

void release_key(transaction& tx, request_key const& key) {
    (void)written_rows(tx, release_key(key));
}

} // namespace postrider::storage
