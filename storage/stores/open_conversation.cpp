#include "storage/stores/open_conversation.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement open_next{
    "open_conversation",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint)
)
update postrider.lane l set conversation_id = w.job_id
from w
where l.lane_id = any(array(select lane_id from w)) and l.lane_id + 0 = w.lane_id
)",
    53};

} // namespace

write open_conversation(lane_id lane, job_id behind) {
    base::json_row row{{"lane_id", base::raw(lane)}, {"job_id", base::raw(behind)}};
    return {&open_next, std::move(row).text()};
}

} // namespace postrider::storage
