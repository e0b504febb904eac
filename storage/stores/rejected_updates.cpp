#include "storage/stores/rejected_updates.hpp"

namespace postrider::storage {

namespace {

constexpr statement page_of_rejected{"updates.rejected", R"(
select postrider.iso(i.received_at), i.bot_id, i.update_id, coalesce(b.name, ''), i.reason,
       coalesce(octet_length(i.raw), 0), coalesce(translate(encode(substring(i.raw for $5), 'base64'), E'\n', ''), '')
from postrider.inbox i left join postrider.bot b using (bot_id)
where i.disposition = 'rejected' and i.received_at <= $1::timestamptz
  and (i.received_at, i.bot_id, i.update_id) < ($1::timestamptz, $2::bigint, $3::bigint)
order by i.received_at desc, i.bot_id desc, i.update_id desc limit $4::bigint
)"};

} // namespace

std::vector<rejected_update> list_rejected_updates(
    transaction& tx, update_place const& before, int limit
) {
    std::vector<rejected_update> updates;
    auto const found = tx.query(
        page_of_rejected, {before.received_at, before.bot, before.update, limit, most_raw_bytes}
    );
    for (auto const& row : found)
        updates.push_back(
            {{row.text(0), row.int64(1), row.int64(2)},
             row.text(3),
             row.text(4),
             row.int64(5),
             row.text(6)}
        );
    return updates;
}

} // namespace postrider::storage
