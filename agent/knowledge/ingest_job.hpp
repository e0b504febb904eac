#pragma once
// The job that reads a document into parts, as its rows and its input say it. Pure, but for what takes a
// transaction.
//
// Its document is the one whose row names the job: one that was removed, or is read by another job, has none.
#include "agent/knowledge/document.hpp"
#include "base/error.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

inline constexpr std::string_view ingest_kind = "knowledge.ingest";

// A document that somebody sent in a chat: the job adds it first.
struct sent_document {
    std::int64_t collection = 0;
    std::string collection_name; // for the answer
    std::string name;
    std::string media_type = {};
    std::string file; // the messenger's id
    document_sender sender = {};
    thread_id thread{};
    lane_id lane{};            // of the chat, whose history has the answer
    std::string language = {}; // in which the sender is told
    // What they are told where the document was removed or the job stopped (sql/functions/knowledge.sql, too).
    std::string when_stopped = {};
};

struct ingest_request {
    std::string url = {}; // to be loaded; "" = its bytes are stored, or it was sent:
    std::optional<sent_document> sent = {};
};

// The job of a document that is there.
job_id enqueue_ingestion(
    storage::transaction& tx, std::int64_t document, ingest_request const& request
);
// The rows of the job of a document that was sent, for another job's commit.
std::vector<storage::write> ingest_sent(ingest_request const& request);

boost::json::object to_json(ingest_request const& request);
base::result<ingest_request> ingest_request_from(boost::json::value const& input);

// Gives vectors to parts that have none: of one document, or of all.
inline constexpr std::string_view part_embedding_kind = "knowledge.embed";
struct embedded_document {
    std::int64_t id = 0;
    std::int64_t generation = 0;
};
// The rows of the job of one document, for the commit by which it is ready.
std::vector<storage::write> embed_document_later(embedded_document const& document);
// Nothing: of all documents.
std::optional<embedded_document> embedded_document_from(boost::json::value const& input);

// Of all documents, by that model. At most one of it lives for a model: one of another model is no reason to make
// none of this one.
struct part_embedding {
    job_id job{};
    bool created = false; // or it was there
};
part_embedding embed_parts_now(storage::transaction& tx, std::string_view model);
// The rows of that job, for another job's commit. One that has begun is followed by another: it may be past the parts.
std::vector<storage::write> embed_parts_later(std::string_view model);

// The bytes as they are stored, in pieces.
std::vector<std::string_view> pieces_of(std::string_view bytes);

} // namespace postrider::agent::knowledge
