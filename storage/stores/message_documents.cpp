#include "storage/stores/message_documents.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement keep_message_documents{
    "keep_documents",
    R"(
with w as materialized (
    select t.lane_id, t.job_id, t.documents, m.place
    from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint, documents jsonb)
    cross join lateral (select m.ctid as place from postrider.message m
                        where m.lane_id = t.lane_id and m.job_id = t.job_id and m.position = 0 offset 0) m
)
update postrider.message m
set detail = coalesce(m.detail, '{}') || jsonb_build_object('documents', w.documents)
from w
where m.ctid = any(array(select place from w)) and m.lane_id + 0 = w.lane_id and m.job_id + 0 = w.job_id
  and m.position = 0 and m.role = 'user'
)",
    57};

} // namespace

write keep_documents(lane_id lane, job_id job, boost::json::value const& documents) {
    base::json_row row{
        {"lane_id", base::raw(lane)}, {"job_id", base::raw(job)}, {"documents", documents}};
    return {&keep_message_documents, std::move(row).text()};
}

} // namespace postrider::storage
