#include "agent/knowledge/ingest_job.hpp"

#include "base/json/json.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <functional>

namespace postrider::agent::knowledge {

namespace json = boost::json;

namespace {

constexpr std::size_t ingest_lanes = 2; // so many documents are read at once
constexpr int after_what_people_wait_for = 3;

queue::later_job ingestion(ingest_request const& request, std::size_t number) {
    queue::later_job job;
    job.lane_key = fmt::format("knowledge:{}", number % ingest_lanes);
    job.kind = std::string(ingest_kind);
    job.priority = after_what_people_wait_for;
    job.input = to_json(request);
    return job;
}

constexpr std::chrono::seconds until_documents_are_quiet{10};
constexpr std::chrono::seconds longest_wait_for_quiet{60};

queue::later_job part_embedding_job(std::string_view parts) {
    queue::later_job job;
    job.lane_key = "knowledge:embed";
    job.kind = std::string(part_embedding_kind);
    job.unique.emplace();
    job.unique->key = fmt::format("{}:{}", part_embedding_kind, parts);
    job.priority = after_what_people_wait_for;
    job.input = json::object{};
    return job;
}

} // namespace

job_id enqueue_ingestion(
    storage::transaction& tx, std::int64_t document, ingest_request const& request
) {
    auto job = ingestion(request, static_cast<std::size_t>(document));
    job.lane = storage::find_or_add_lane(tx, job.lane_key, {});
    job.lane_key.clear();
    return queue::enqueue_later(tx, job).id;
}

std::vector<storage::write> ingest_sent(ingest_request const& request) {
    auto const job = ingestion(request, std::hash<std::string>()(request.sent->name));
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

part_embedding embed_parts_now(storage::transaction& tx, std::string_view model) {
    auto job = part_embedding_job(model);
    job.lane = storage::find_or_add_lane(tx, job.lane_key, {});
    job.lane_key.clear();
    auto const enqueued = queue::enqueue_later(tx, job);
    return {enqueued.id, enqueued.created};
}

std::vector<storage::write> embed_document_later(embedded_document const& document) {
    auto job = part_embedding_job(fmt::format("{}:{}", document.id, document.generation));
    job.input = json::object{{"document_id", document.id}, {"generation", document.generation}};
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

std::optional<embedded_document> embedded_document_from(json::value const& input) {
    base::json_reader const root{input};
    if (!root["document_id"]) return std::nullopt;
    return embedded_document{root["document_id"].int64_or(0), root["generation"].int64_or(0)};
}

std::vector<storage::write> embed_parts_later(std::string_view model) {
    auto job = part_embedding_job(model);
    job.unique->debounce = until_documents_are_quiet;
    job.unique->longest_wait = longest_wait_for_quiet;
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

json::object to_json(ingest_request const& request) {
    json::object input;
    if (!request.url.empty()) input["url"] = request.url;
    if (auto const& sent = request.sent) {
        // `user`, `chat` and `lane` are names that postrider erase looks for.
        input["user"] = base::raw(sent->sender.user);
        input["chat"] = base::raw(sent->sender.chat);
        input["bot"] = base::raw(sent->sender.bot);
        input["thread"] = base::raw(sent->thread);
        input["lane"] = base::raw(sent->lane);
        input["collection"] = sent->collection;
        input["collection_name"] = sent->collection_name;
        input["name"] = sent->name;
        input["media_type"] = sent->media_type;
        input["file"] = sent->file;
        input["language"] = sent->language;
        input["when_stopped"] = sent->when_stopped;
    }
    return input;
}

base::result<ingest_request> ingest_request_from(json::value const& input) {
    base::json_reader const root{input};
    ingest_request request;
    request.url = root["url"].string_or("");
    if (!root["file"]) return request;
    sent_document sent;
    sent.sender.user = user_id{root["user"].int64()};
    sent.sender.chat = chat_id{root["chat"].int64()};
    sent.sender.bot = bot_id{root["bot"].int64()};
    sent.thread = thread_id{root["thread"].int64_or(0)};
    sent.lane = lane_id{root["lane"].int64()};
    sent.collection = root["collection"].int64();
    sent.collection_name = root["collection_name"].string_or("");
    sent.name = root["name"].string();
    sent.media_type = root["media_type"].string_or("");
    sent.file = root["file"].string();
    sent.language = root["language"].string_or("");
    sent.when_stopped = root["when_stopped"].string_or("");
    if (root.failed()) return root.failure();
    request.sent = std::move(sent);
    return request;
}

} // namespace postrider::agent::knowledge
