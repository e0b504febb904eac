#include "storage/stores/message_transcripts.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement keep_message_transcript{
    "keep_transcript",
    R"(
with w as materialized (
    select t.lane_id, t.job_id, t.spoken, t.wordless, m.place
    from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint, spoken text, wordless boolean)
    cross join lateral (select m.ctid as place from postrider.message m
                        where m.lane_id = t.lane_id and m.job_id = t.job_id and m.position = 0 offset 0) m
)
update postrider.message m
set content = case when w.wordless then w.spoken
                   when right(m.content, char_length(w.spoken)) = w.spoken then m.content -- committed again
                   else m.content || chr(10) || chr(10) || w.spoken end
from w
where m.ctid = any(array(select place from w)) and m.lane_id + 0 = w.lane_id and m.job_id + 0 = w.job_id
  and m.position = 0 and m.role = 'user'
)",
    58};

} // namespace

write keep_transcript(lane_id lane, job_id job, std::string_view words, bool wordless) {
    base::json_row row{
        {"lane_id", base::raw(lane)},
        {"job_id", base::raw(job)},
        {"spoken", words},
        {"wordless", wordless}};
    return {&keep_message_transcript, std::move(row).text()};
}

} // namespace postrider::storage
