#include "storage/stores/flow_files.hpp"

#include "base/json/row.hpp"
#include "net/base64.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

constexpr std::chrono::hours file_life{7 * 24};

constexpr statement insert_flow_file{
    "put_flow_file",
    R"(
insert into postrider.flow_file (file_id, job_id, name, mime, content, user_id, created_at, expires_at)
select t.file_id, t.job_id, t.name, t.mime, decode(t.content, 'base64'), t.user_id, postrider.now(),
       postrider.now() + t.keep_ms * interval '1 ms'
from json_to_recordset($1::json) as t(i int, file_id text, job_id bigint, name text, mime text, content text,
                                      user_id bigint, keep_ms bigint)
order by t.file_id
on conflict (file_id) do nothing
)",
    74};

constexpr statement select_flow_file{
    "read_flow_file",
    R"(
select t.i, f.name, f.mime, translate(encode(f.content, 'base64'), E'\n', '')
from json_to_recordset($1::json) as t(i int, file_id text, job_id bigint)
join postrider.flow_file f on f.file_id = t.file_id
where f.job_id = t.job_id and f.expires_at > postrider.now()
)",
    20};

} // namespace

write put_flow_file(job_id job, flow_file const& file, user_id user) {
    constexpr auto keep = std::chrono::duration_cast<std::chrono::milliseconds>(file_life);
    base::json_row row{
        {"file_id", file.id},
        {"job_id", base::raw(job)},
        {"name", file.name},
        {"mime", file.mime},
        {"content", net::to_base64(file.content)},
        {"keep_ms", keep.count()},
    };
    if (user != user_id{}) row.add({"user_id", base::raw(user)});
    return {&insert_flow_file, std::move(row).text()};
}

base::awaitable<base::result<std::optional<flow_file>>> read_flow_file(
    batcher& reads, job_id job, std::string id, base::duration deadline
) {
    base::json_row asked{{"file_id", id}, {"job_id", base::raw(job)}};
    write question{&select_flow_file, std::move(asked).text()};
    auto const rows = co_await query(reads, std::move(question), deadline);
    if (!rows) co_return rows.error();
    if (rows->empty()) co_return std::optional<flow_file>();
    auto const& row = rows->front();
    auto content = net::from_base64(row.text(3));
    if (!content) co_return base::error(base::errc::internal, "a stored file is no base64");
    co_return flow_file{std::move(id), row.text(1), row.text(2), std::move(*content)};
}

} // namespace postrider::storage
