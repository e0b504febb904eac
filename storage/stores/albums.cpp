#include "storage/stores/albums.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

constexpr statement join_albums{
    "join_albums",
    R"(
select t.i, a.outcome, a.taken
from json_to_recordset($1::json) as t(i int, scope text, key text, lane_id bigint, part jsonb, words text, wordless text)
cross join lateral postrider.album_join(t.scope, t.key, t.lane_id, t.part, t.words, t.wordless) a
)",
    20};

constexpr statement bring_media{
    "bring_album_media",
    R"(
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, media jsonb)
)
update postrider.job j
set input = j.input || postrider.album_media(t.media, j.input, j.input ? 'spoken')
from t
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from t))
  and j.job_id + 0 = t.job_id
)",
    43,
    rows_and_range};

constexpr statement files_of_album{
    "album_files",
    R"(
select t.i, f.file
from json_to_recordset($1::json) as t(i int, scope text, key text, bot_id bigint, chat_id bigint, message_id bigint, sender_id bigint)
cross join lateral (
    select 0 as number, j.input from postrider.request_key k
    cross join lateral (select x.input from postrider.job x where x.job_id = k.job_id offset 0) j
    where k.scope = t.scope and k.key = t.key
    union all
    select m.number_elsewhere, j.input from postrider.message m
    cross join lateral (select x.input from postrider.job x where x.job_id = m.job_id offset 0) j
    where m.chat_id = t.chat_id and m.number_elsewhere between t.message_id - 30 and t.message_id + 30 and m.role = 'user'
      and m.removed_at is null and j.input #>> '{seen,album}' = t.key
      and (select l.bot_id from postrider.lane l where l.lane_id = m.lane_id) = t.bot_id) s
cross join lateral jsonb_array_elements(postrider.album_files(s.input)) with ordinality f(file, place)
where (s.input ->> 'user')::bigint = t.sender_id
order by t.i, s.number, f.place
)",
    10};

} // namespace

request_key key_of_album(std::string_view place, std::string_view album) {
    request_key key;
    key.scope = "album:" + std::string(place);
    key.key = album;
    return key;
}

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
    if (!returned.null(2)) answer.taken = returned.json(2);
    return answer;
}

write bring_album_media(job_id job, boost::json::value const& taken) {
    base::json_row row{{"job_id", base::raw(job)}, {"media", taken}};
    return {&bring_media, std::move(row).text(), job_range::only(job)};
}

base::awaitable<base::result<std::vector<boost::json::value>>> read_album_files(
    batcher& reads, sent_album album, base::duration deadline
) {
    base::json_row row{
        {"scope", album.key.scope},
        {"key", album.key.key},
        {"bot_id", base::raw(album.bot)},
        {"chat_id", base::raw(album.chat)},
        {"message_id", base::raw(album.message)},
        {"sender_id", base::raw(album.sender)},
    };
    write look{&files_of_album, std::move(row).text()};
    auto const entries = co_await query(reads, std::move(look), deadline);
    if (!entries) co_return entries.error();
    std::vector<boost::json::value> files;
    for (auto const& entry : *entries) files.push_back(entry.json(1));
    co_return files;
}

} // namespace postrider::storage
