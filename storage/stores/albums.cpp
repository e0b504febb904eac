#include "storage/stores/albums.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement join_albums{
    "join_albums",
    R"(
select t.i, a.outcome, a.attachment
from json_to_recordset($1::json) as t(i int, scope text, key text, lane_id bigint, part jsonb, words text, wordless text)
cross join lateral postrider.album_join(t.scope, t.key, t.lane_id, t.part, t.words, t.wordless) a
)",
    20};

constexpr statement bring_attachments{
    "bring_attachments",
    R"(
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, attachment text)
)
update postrider.job j
set input = j.input || jsonb_build_object('attachment', concat_ws(', ', t.attachment, j.input ->> 'attachment'))
from t
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from t))
  and j.job_id + 0 = t.job_id
)",
    43,
    rows_and_range};

} // namespace

write join_album(album_message const& message) {
    base::json_row row{
        {"scope", message.album.scope},
        {"key", message.album.key},
        {"lane_id", base::raw(message.lane)},
        {"part", message.input},
        {"words", message.words},
        {"wordless", message.wordless},
    };
    return {&join_albums, std::move(row).text()};
}

album_answer read_album(row const& returned) {
    album_answer answer;
    auto const outcome = returned.text(1);
    if (outcome == "joined") answer.outcome = album_outcome::joined;
    if (outcome == "explained") answer.outcome = album_outcome::explained;
    answer.attachment = returned.optional_text(2).value_or("");
    return answer;
}

write bring_attachment(job_id job, std::string const& attachment) {
    base::json_row row{{"job_id", base::raw(job)}, {"attachment", attachment}};
    return {&bring_attachments, std::move(row).text(), job_range::only(job)};
}

} // namespace postrider::storage
