#include "storage/stores/audit_tails.hpp"

namespace postrider::storage {

namespace {

constexpr statement check{
    "check_audit_tails",
    "select lanes, last_lane, cut::text from postrider.audit_tails($1::bigint, $2::int)"};

} // namespace

audit_tail_check check_audit_tails(transaction& tx, lane_id after, int limit) {
    auto const found = tx.query(check, {after, limit});
    auto const& row = found.at(0);
    audit_tail_check looked{.lanes = row.int64(0), .last = after, .cuts = {}};
    if (auto const last = row.optional_int64(1)) looked.last = lane_id{*last};
    auto const cuts = row.json(2);
    for (auto const& cut : cuts.as_array())
        looked.cuts.push_back(
            {.lane = lane_id{cut.at("lane_id").to_number<std::int64_t>()},
             .job = job_id{cut.at("job_id").to_number<std::int64_t>()},
             .step = std::string(cut.at("step").as_string()),
             .results = cut.at("results").to_number<std::int64_t>(),
             .rows = cut.at("rows").to_number<std::int64_t>()}
        );
    return looked;
}

} // namespace postrider::storage
