#include "storage/stores/seen_items.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

// In the order of the key: two that claim the same do not wait for each other in a circle.
constexpr statement insert_seen_items{
    "claim_items",
    R"(
insert into postrider.seen_item (job_id, flow, node, claim, digest)
select distinct on (t.flow, t.node, k.digest) t.job_id, t.flow, t.node, t.claim, decode(k.digest, 'hex')
from json_to_recordset($1::json) as t(i int, job_id bigint, flow text, node text, claim text, digests json)
cross join lateral json_array_elements_text(t.digests) k(digest)
order by t.flow, t.node, k.digest, t.job_id, t.claim
on conflict do nothing
)",
    54};

constexpr statement delete_seen_items{
    "forget_seen_items",
    R"(
delete from postrider.seen_item where ctid = any(array(
    select gone.ctid
    from (select flow, node, max(newest) as newest
          from json_to_recordset($1::json) as t(i int, flow text, node text, newest bigint) group by flow, node) t
    cross join lateral (select s.seen_no from postrider.seen_item s where s.flow = t.flow and s.node = t.node
                        order by s.seen_no desc offset t.newest limit 1) fallen
    cross join lateral (select s.ctid from postrider.seen_item s
                        where s.flow = t.flow and s.node = t.node and s.seen_no <= fallen.seen_no
                          and not exists (select from postrider.job j
                                          where j.job_id = s.job_id and j.finished_at is null offset 0)
                        order by s.seen_no limit 2000 for update skip locked) gone))
)",
    55};

constexpr statement select_claimed_items{
    "claimed_items",
    R"(
select t.i, k.digest
from json_to_recordset($1::json) as t(i int, job_id bigint, flow text, node text, claim text, digests json)
cross join lateral json_array_elements_text(t.digests) k(digest)
cross join lateral (select s.job_id, s.claim from postrider.seen_item s
                    where s.flow = t.flow and s.node = t.node and s.digest = decode(k.digest, 'hex') limit 1) s
where s.job_id = t.job_id and s.claim = t.claim
)",
    12};

constexpr statement select_unseen_items{
    "unseen_items",
    R"(
select t.i, k.digest
from json_to_recordset($1::json) as t(i int, job_id bigint, flow text, node text, claim text, digests json)
cross join lateral json_array_elements_text(t.digests) k(digest)
left join lateral (select s.job_id, s.claim from postrider.seen_item s
                   where s.flow = t.flow and s.node = t.node and s.digest = decode(k.digest, 'hex') limit 1) s on true
where s.job_id is null or (s.job_id = t.job_id and s.claim = t.claim)
)",
    12};

base::awaitable<base::result<std::set<std::string>>> digests_found(
    batcher& reads, write request, base::duration deadline
) {
    auto const answer = co_await query(reads, std::move(request), deadline);
    if (!answer) co_return answer.error();
    std::set<std::string> digests;
    for (auto const& row : *answer) digests.insert(row.text(1));
    co_return digests;
}

std::string claim_row(item_claim const& claim, boost::json::array digests) {
    boost::json::value const list(std::move(digests));
    base::json_row row{
        {"flow", claim.flow},
        {"node", claim.node},
        {"job_id", base::raw(claim.job)},
        {"claim", claim.run}};
    row.add({"digests", list});
    return std::move(row).text();
}

} // namespace

write claim_items(item_claim const& claim, boost::json::array digests) {
    return {&insert_seen_items, claim_row(claim, std::move(digests))};
}

write forget_seen_items(item_claim const& claim, std::int64_t newest) {
    base::json_row row{{"flow", claim.flow}, {"node", claim.node}, {"newest", newest}};
    return {&delete_seen_items, std::move(row).text()};
}

base::awaitable<base::result<std::set<std::string>>> claimed_items(
    batcher& reads, item_claim claim, boost::json::array digests, base::duration deadline
) {
    write request{&select_claimed_items, claim_row(claim, std::move(digests))};
    co_return co_await digests_found(reads, std::move(request), deadline);
}

base::awaitable<base::result<std::set<std::string>>> unseen_items(
    batcher& reads, item_claim claim, boost::json::array digests, base::duration deadline
) {
    write request{&select_unseen_items, claim_row(claim, std::move(digests))};
    co_return co_await digests_found(reads, std::move(request), deadline);
}

} // namespace postrider::storage
