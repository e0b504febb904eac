#include "agent/knowledge/documents.hpp"

#include "agent/knowledge/ingest_job.hpp"
#include "base/json/text.hpp"
#include "net/base64.hpp"
#include "net/digest.hpp"

namespace postrider::agent::knowledge {

namespace {

constexpr std::size_t bytes_of_a_piece = 4u << 20;

#define POSTRIDER_DOCUMENT                                                                         \
    "select d.document_id, d.name, d.source, d.media_type, d.bytes, d.title, d.pages, d.parts, "   \
    "d.parts_done, d.state, d.error_code, d.error_message, d.job_id, d.metadata, "                 \
    "postrider.iso(d.created_at), postrider.iso(d.updated_at), "                                   \
    "postrider.embedded_parts_of(d.document_id, d.generation) from postrider.document d "

constexpr storage::statement page_of_documents{"documents.page", POSTRIDER_DOCUMENT R"(
where d.collection_id = $1::bigint and ($2::bigint = 0 or d.document_id < $2) and ($3::text is null or d.state = $3)
  and ($4 = '' or position(lower($4) in lower(d.name)) > 0 or position(lower($4) in lower(d.title)) > 0)
order by d.document_id desc limit $5::bigint)"};

constexpr storage::statement document_by_id{
    "documents.find",
    POSTRIDER_DOCUMENT "where d.document_id = $2::bigint and d.collection_id = $1::bigint"};

#undef POSTRIDER_DOCUMENT

constexpr storage::statement page_of_parts{"documents.parts", R"(
select p.number, p.heading, p.page, p.content
from postrider.document d
join postrider.document_part p on p.document_id = d.document_id and p.generation = d.generation
where d.document_id = $1::bigint and p.number > $2::bigint
order by p.number limit $3::bigint)"};

constexpr storage::statement drop_document{
    "documents.remove", "select postrider.remove_document($1::bigint)"};

constexpr storage::statement sweep_documents{
    "documents.sweep", "select postrider.sweep_documents()"};

constexpr storage::statement stop_reading{"documents.stop", R"(
select postrider.stop_document(d.document_id) from postrider.document d
where d.collection_id = $1::bigint and d.name = $2 and ($3 = '' or d.incoming_digest <> $3))"};

constexpr storage::statement begin_document{"documents.begin", R"(
select b.document, b.making, b.unchanged
from postrider.begin_document($1::bigint, $2, $3, $4, $5::bigint, $6, $7::jsonb, null, null, null, null) b)"};

constexpr storage::statement insert_content{"documents.content", R"(
insert into postrider.document_content (document_id, generation, number, content)
select d.document_id, $2::int, $3::int, decode($4, 'base64') from postrider.document d where d.document_id = $1::bigint)"};

constexpr storage::statement set_job{
    "documents.job",
    "update postrider.document d set job_id = $2::bigint where d.document_id = $1::bigint "
    "returning d.document_id"};

stored_document document_in(storage::row const& row) {
    stored_document document;
    document.id = row.int64(0);
    document.name = row.text(1);
    document.source = row.text(2);
    document.media_type = row.text(3);
    document.bytes = row.int64(4);
    document.title = row.text(5);
    document.pages = row.optional_int64(6);
    document.parts = row.int64(7);
    document.parts_done = row.int64(8);
    document.state = document_state_from_string(row.view(9)).value();
    if (auto code = row.optional_text(10))
        document.error = document_error{std::move(*code), row.text(11)};
    document.job = job_id{row.optional_int64(12).value_or(0)};
    document.metadata = row.json(13).as_object();
    document.created_at = row.text(14);
    document.updated_at = row.text(15);
    document.embedded = row.int64(16);
    return document;
}

void keep_content(
    storage::transaction& tx, std::int64_t document, std::int64_t generation, std::string_view bytes
) {
    int number = 0;
    for (auto const& piece : pieces_of(bytes))
        tx.query(insert_content, {document, generation, ++number, net::to_base64(piece)});
}

} // namespace

std::vector<std::string_view> pieces_of(std::string_view bytes) {
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; at < bytes.size(); at += bytes_of_a_piece)
        pieces.push_back(bytes.substr(at, bytes_of_a_piece));
    return pieces;
}

std::vector<stored_document> list_documents(
    storage::transaction& tx, std::int64_t collection, document_filter const& filter
) {
    auto const state =
        filter.state ? storage::param(to_string(*filter.state)) : storage::param(std::nullopt);
    std::vector<stored_document> documents;
    for (auto const& row : tx.query(
             page_of_documents, {collection, filter.after, state, filter.search, filter.limit}
         ))
        documents.push_back(document_in(row));
    return documents;
}

std::optional<stored_document> find_document(
    storage::transaction& tx, std::int64_t collection, std::int64_t id
) {
    auto const rows = tx.query(document_by_id, {collection, id});
    return rows.empty() ? std::nullopt : std::optional(document_in(rows.front()));
}

std::vector<shown_part> list_parts(
    storage::transaction& tx, std::int64_t document, std::int64_t after, int limit
) {
    std::vector<shown_part> parts;
    for (auto const& row : tx.query(page_of_parts, {document, after, limit}))
        parts.push_back({row.int64(0), row.text(1), row.optional_int64(2), row.text(3)});
    return parts;
}

bool remove_document(storage::transaction& tx, std::int64_t id) {
    return tx.query(drop_document, {id}).front().boolean(0);
}

std::int64_t sweep_removed(storage::transaction& tx) {
    return tx.query(sweep_documents).front().int64(0);
}

std::optional<added_document> add_document(storage::transaction& tx, new_document const& document) {
    auto const digest = document.url.empty() ? net::sha256_hex(document.bytes) : "";
    auto const& source = document.url.empty() ? document.name : document.url;
    tx.query(stop_reading, {document.collection, document.name, digest});
    auto const generation = tx.query(
                                  begin_document,
                                  {document.collection,
                                   document.name,
                                   source,
                                   document.media_type,
                                   static_cast<std::int64_t>(document.bytes.size()),
                                   digest,
                                   base::json_text(document.metadata)}
    )
                                .front();
    if (generation.null(0)) return std::nullopt;
    added_document added{generation.int64(0), generation.boolean(2)};
    if (added.unchanged) return added;
    keep_content(tx, added.id, generation.int64(1), document.bytes);
    ingest_request request;
    request.url = document.url;
    auto const job = enqueue_ingestion(tx, added.id, request);
    tx.query(set_job, {added.id, job});
    return added;
}

} // namespace postrider::agent::knowledge
