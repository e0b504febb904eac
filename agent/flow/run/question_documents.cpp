#include "agent/flow/run/question_documents.hpp"

#include "agent/flow/chat/history.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/talk/degradation.hpp"
#include "agent/tools/http_answer.hpp"
#include "base/json/json.hpp"
#include "base/log.hpp"
#include "base/utf8.hpp"
#include "storage/stores/message_documents.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;
using base::errc;

// Telegram's own deadlines are shorter.
constexpr base::retry_policy loading_documents{
    .limit = 1,
    .delay = 1s,
    .backoff = base::backoff_shape::constant,
    .timeout = 40s,
    .total = 90s};

constexpr std::string_view unread_member = "unread"; // beside the name of a file without a text

bool is_of_message(heard_message const& heard, item const& input) {
    if (!heard.file) return false;
    return base::json_reader{input.json.get()}["file"]["id"].string_or("") == id_of(*heard.file);
}

std::vector<message_file> text_files_of(heard_message const& heard) {
    std::vector<message_file> files;
    for (auto const& earlier : heard.joined)
        files.insert(files.end(), earlier.files.begin(), earlier.files.end());
    for (auto& own : files_of(heard)) files.push_back(std::move(own));
    std::erase_if(files, [](auto const& file) { return readable_as(file).empty(); });
    if (files.size() > most_documents)
        files.erase(files.begin(), files.end() - std::ptrdiff_t{most_documents});
    return files;
}

std::string within_room(std::string text, std::size_t room) {
    if (text.size() <= room) return text;
    auto const whole = text.size();
    text.resize(base::cut_at_character(text, room).size());
    return text + fmt::format("\n(The text is cut here: it has {} bytes.)", whole);
}

json::object unread_document(message_file const& file, std::string_view reason) {
    return {{"name", file.name}, {"text", fmt::format("({})", reason)}, {unread_member, true}};
}

// A failure that may pass is one of the step: it is tried again.
base::awaitable<base::result<json::object>> load_document(
    node_run& run, message_file const& file, std::size_t room
) {
    auto const& services = run.services();
    auto const& place = run.started_by().heard->from;
    auto bytes = co_await services.out.load_file(place, file.source, most_readable_bytes);
    if (!bytes && base::retryable(bytes.error().code)) co_return bytes.error();
    if (!bytes && bytes.error() == errc::too_large)
        co_return unread_document(file, "the file is too large to be read");
    if (!bytes) co_return unread_document(file, "the file could not be loaded");
    auto text = co_await readable_text(std::move(*bytes), readable_as(file), services.clock);
    if (!text) co_return unread_document(file, "the file holds no text");
    co_return json::object{{"name", file.name}, {"text", within_room(std::move(*text), room)}};
}

base::awaitable<queue::step_value> read_documents_of(
    node_run& run, std::vector<message_file> files
) {
    json::array documents;
    auto room = most_document_text;
    for (auto const& file : files) {
        auto document = co_await load_document(run, file, room);
        if (!document) co_return document.error();
        room -= std::min(room, document->at("text").as_string().size());
        documents.push_back(std::move(*document));
    }
    co_return json::value(std::move(documents));
}

// The model answers without what cannot be had.
json::value all_unread(std::vector<message_file> const& files) {
    json::array documents;
    for (auto const& file : files)
        documents.push_back(unread_document(file, "the file could not be loaded"));
    return documents;
}

void report_unread(node_run& run, json::value const& documents) {
    for (auto const& document : base::json_reader{documents}.items_or_none())
        if (document[unread_member].boolean_or(false))
            return run.degrade(degradation_of(degraded_by::documents_missing));
}

} // namespace

base::awaitable<std::vector<attached_text>> read_documents(node_run& run, std::size_t item) {
    auto const& heard = run.started_by().heard;
    if (!heard || !heard->seen.empty() || !is_of_message(*heard, run.input()[item]))
        co_return std::vector<attached_text>{};
    auto const files = text_files_of(*heard);
    if (files.empty()) co_return std::vector<attached_text>{};
    auto& steps = run.steps();
    bool const was_recorded = steps.recorded(documents_step);
    auto work = [&run, &files] { return read_documents_of(run, files); };
    auto value = co_await steps.try_step(std::string(documents_step), loading_documents, work);
    if (!value && !was_recorded)
        base::log::warn(
            "turn.documents_not_loaded", {{"job", steps.job().id}, {"error", value.error()}}
        );
    auto const contents = value ? *value : all_unread(files);
    report_unread(run, contents);
    auto documents = documents_from(&contents);
    bool const is_answered = run.started_by().answered() != nullptr;
    if (is_answered && !was_recorded)
        steps.add(storage::keep_documents(steps.job().lane, steps.job().id, to_json(documents)));
    co_return documents;
}

} // namespace postrider::agent::flow
