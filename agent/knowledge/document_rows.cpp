#include "agent/knowledge/document_rows.hpp"

#include "base/json/row.hpp"
#include "base/on_thread.hpp"
#include "net/base64.hpp"
#include "storage/query.hpp"

#include <boost/json/array.hpp>

#include <functional>
#include <stop_token>

namespace postrider::agent::knowledge {

namespace {

namespace json = boost::json;

constexpr storage::statement select_work{
    "find_document_work",
    R"(
select t.i, d.document_id, d.incoming, d.name, d.media_type, d.parts, d.generation > 0, d.digest, d.state
from json_to_recordset($1::json) as t(i int, job_id bigint)
cross join lateral (select * from postrider.document x where x.job_id = t.job_id limit 1) d
)",
    20};

constexpr storage::statement select_content{
    "read_document_content",
    R"(
select t.i, translate(encode(c.content, 'base64'), E'\n', '')
from json_to_recordset($1::json) as t(i int, document_id bigint, generation int)
cross join lateral (select x.number, x.content from postrider.document_content x
                    where x.document_id = t.document_id and x.generation = t.generation order by x.number limit 1000) c
order by t.i, c.number
)",
    20};

constexpr storage::statement add_sent{
    "begin_document",
    R"(
select w.i, b.document
from (select * from json_to_recordset($1::json) as t(i int, collection_id bigint, name text, media_type text, user_id bigint,
                                                     chat_id bigint, bot_id bigint, job_id bigint)
      order by t.collection_id, t.name) w
cross join lateral (select x.document from postrider.begin_document(
    w.collection_id, w.name, w.name, w.media_type, 0, '', '{}', w.user_id, w.chat_id, w.bot_id, w.job_id) x offset 0) b
)",
    78};

constexpr storage::statement insert_loaded{
    "keep_document_content",
    R"(
insert into postrider.document_content (document_id, generation, number, content)
select d.document_id, t.generation, t.number, decode(t.content, 'base64')
from json_to_recordset($1::json) as t(i int, document_id bigint, generation int, number int, content text)
cross join lateral (select x.document_id from postrider.document x
                    where x.document_id = t.document_id and x.incoming = t.generation and x.state = 'reading'
                    for key share) d
order by t.document_id, t.number
on conflict do nothing
)",
    78};

constexpr storage::statement note_work{
    "note_document",
    R"(
select w.i, n.noted
from (select * from json_to_recordset($1::json) as t(i int, document_id bigint, generation int, bytes bigint, digest text,
                                                     media_type text, title text, pages int, parts int, done int)
      order by t.document_id) w
cross join lateral (select postrider.note_document(w.document_id, w.generation, w.bytes, w.digest, w.media_type, w.title, w.pages,
                                                   w.parts, w.done) as noted offset 0) n
)",
    79};

constexpr storage::statement insert_parts{
    "add_document_parts",
    R"(
select w.i, p.added
from (select * from json_to_recordset($1::json) as t(i int, document_id bigint, generation int, language text, parts json)
      order by t.document_id) w
cross join lateral (select postrider.add_parts(w.document_id, w.generation, w.language, w.parts)::text as added offset 0) p
)",
    80};

constexpr storage::statement finish_work{
    "finish_document",
    R"(
select w.i, f.finished
from (select * from json_to_recordset($1::json) as t(i int, document_id bigint, generation int) order by t.document_id) w
cross join lateral (select postrider.finish_document(w.document_id, w.generation) as finished offset 0) f
)",
    82};

constexpr storage::statement leave_work{
    "leave_document",
    R"(
select w.i, l.left_as_is
from (select * from json_to_recordset($1::json) as t(i int, document_id bigint, generation int) order by t.document_id) w
cross join lateral (select postrider.leave_document(w.document_id, w.generation) as left_as_is offset 0) l
)",
    82};

constexpr storage::statement fail_work{
    "fail_document",
    R"(
select w.i, f.failed
from (select * from json_to_recordset($1::json) as t(i int, job_id bigint, code text, message text) order by t.job_id) w
cross join lateral (select x.document_id, x.incoming from postrider.document x where x.job_id = w.job_id limit 1) d
cross join lateral (select postrider.fail_document(d.document_id, d.incoming, w.code, w.message) as failed offset 0) f
)",
    82};

base::json_row row_of(document_work const& work) {
    return {{"document_id", work.id}, {"generation", work.generation}};
}

json::array parts_json(std::int64_t first, std::span<document_part const> parts) {
    json::array array;
    for (auto const& part : parts) {
        json::object object{{"number", first++}, {"heading", part.heading}, {"content", part.text}};
        if (part.page) object["page"] = *part.page;
        array.push_back(std::move(object));
    }
    return array;
}

base::result<std::string> bytes_in(storage::rows const& rows) {
    std::string bytes;
    for (auto const& row : rows) {
        auto const piece = net::from_base64(row.view(1));
        if (!piece) return base::error(base::errc::internal, "stored bytes are no base64");
        bytes += *piece;
    }
    return bytes;
}

} // namespace

base::awaitable<base::result<std::optional<document_work>>> find_work(
    storage::batcher& reads, job_id job, base::duration deadline
) {
    base::json_row asked{{"job_id", base::raw(job)}};
    storage::write look{&select_work, std::move(asked).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    if (rows->empty()) co_return std::optional<document_work>();
    auto const& row = rows->front();
    document_work work;
    work.id = row.int64(1);
    work.generation = row.int64(2);
    work.name = row.text(3);
    work.media_type = row.text(4);
    work.parts = row.int64(5);
    work.answers = row.boolean(6);
    work.digest = row.text(7);
    work.state = document_state_from_string(row.view(8)).value();
    co_return work;
}

base::awaitable<base::result<std::string>> read_content(
    storage::batcher& reads, document_work const& work, base::duration deadline
) {
    storage::write look{&select_content, row_of(work).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    base::result<std::string> bytes = std::string();
    std::function<void(std::stop_token)> const decode = [&](std::stop_token) {
        bytes = bytes_in(*rows);
    };
    co_await base::run_on_thread(decode);
    co_return std::move(bytes);
}

storage::write begin_sent(sent_document const& sent, job_id job) {
    base::json_row row{
        {"collection_id", sent.collection},
        {"name", sent.name},
        {"media_type", sent.media_type},
        {"user_id", base::raw(sent.sender.user)},
        {"chat_id", base::raw(sent.sender.chat)},
        {"bot_id", base::raw(sent.sender.bot)},
        {"job_id", base::raw(job)}};
    return {&add_sent, std::move(row).text()};
}

std::vector<storage::write> keep_loaded(
    document_work const& work,
    std::string_view bytes,
    std::string_view digest,
    std::string_view media_type
) {
    std::vector<storage::write> rows;
    std::int64_t number = 0;
    for (auto const& piece : pieces_of(bytes)) {
        auto row = row_of(work);
        auto const content = net::to_base64(piece);
        row.add({"number", ++number});
        row.add({"content", content});
        rows.push_back({&insert_loaded, std::move(row).text()});
    }
    auto facts = row_of(work);
    facts.add({"bytes", static_cast<std::int64_t>(bytes.size())});
    facts.add({"digest", digest});
    facts.add({"media_type", media_type});
    rows.push_back({&note_work, std::move(facts).text()});
    return rows;
}

storage::write note_loaded(
    document_work const& work, std::int64_t bytes, std::string_view media_type
) {
    auto row = row_of(work);
    row.add({"bytes", bytes});
    row.add({"media_type", media_type});
    return {&note_work, std::move(row).text()};
}

storage::write note_read(document_work const& work, read_facts const& facts) {
    auto row = row_of(work);
    row.add({"title", facts.title});
    if (facts.pages) row.add({"pages", *facts.pages});
    row.add({"parts", facts.parts});
    return {&note_work, std::move(row).text()};
}

storage::write note_progress(document_work const& work, std::int64_t parts_done) {
    auto row = row_of(work);
    row.add({"done", parts_done});
    return {&note_work, std::move(row).text()};
}

storage::write add_parts(
    document_work const& work,
    std::int64_t first,
    std::span<document_part const> parts,
    std::string_view language
) {
    auto row = row_of(work);
    json::value const array(parts_json(first, parts));
    row.add({"language", language});
    row.add({"parts", array});
    return {&insert_parts, std::move(row).text()};
}

storage::write finish(document_work const& work) {
    return {&finish_work, row_of(work).text()};
}

storage::write leave(document_work const& work) {
    return {&leave_work, row_of(work).text()};
}

storage::write fail(job_id job, document_error const& error) {
    base::json_row row{
        {"job_id", base::raw(job)}, {"code", error.code}, {"message", error.message}};
    return {&fail_work, std::move(row).text()};
}

} // namespace postrider::agent::knowledge
