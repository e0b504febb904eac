#include "storage/stores/lanes.hpp"

namespace postrider::storage {

namespace {

// A lane that is as it should be is not written. do update, not do nothing: a key that another node
// inserts at the same moment must come back too.
constexpr statement ensure{"ensure_lane", R"(
with found as materialized (
    select lane_id, mailbox = $2 and debounce_ms = $3::int as same from postrider.lane where lane_key = $1
), made as (
    insert into postrider.lane (lane_key, mailbox, debounce_ms)
    select $1, $2, $3::int where not exists (select from found where same)
    on conflict (lane_key) do update set mailbox = excluded.mailbox, debounce_ms = excluded.debounce_ms
    returning lane_id
)
select lane_id from made union all select lane_id from found limit 1
)"};

} // namespace

lane_id ensure_lane(transaction& tx, std::string_view key, lane_manner const& manner) {
    return tx.query(ensure, {key, manner.mailbox, std::int64_t{manner.debounce.count()}})
        .front()
        .id<lane_id>(0);
}

} // namespace postrider::storage
