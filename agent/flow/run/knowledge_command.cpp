#include "agent/flow/run/knowledge_command.hpp"

#include "agent/flow/run/command_lookup.hpp"
#include "agent/knowledge/ingest_job.hpp"
#include "agent/knowledge/search.hpp"
#include "agent/language/notices.hpp"
#include "base/utf8.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::chrono::seconds collection_deadline{5};

// The message's own, or that of the message that it answers.
std::optional<message_file> document_of(heard_message const& heard) {
    if (heard.file) return heard.file;
    if (heard.replied) return heard.replied->file;
    return std::nullopt;
}

json::value text_alone_of(std::string text) {
    return json::object{{"text", std::move(text)}};
}

// Whoever sends a file writes its name and type.
std::string one_line_name(std::string_view name) {
    std::string text(base::cut_at_character(name, knowledge::longest_document_name));
    std::ranges::replace_if(
        text, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }, ' '
    );
    return text;
}

knowledge::ingest_request request_for(
    message_file const& file,
    knowledge::searched_collection const& collection,
    queue::job const& job,
    execution_input const& input
) {
    auto const& origin = input.heard->from;
    knowledge::sent_document sent;
    sent.collection = collection.id;
    sent.collection_name = input.argument;
    sent.name = one_line_name(file.name);
    if (sent.name.empty()) sent.name = fmt::format("file-{}", base::raw(input.heard->message));
    sent.media_type = base::cut_at_character(file.mime, knowledge::longest_media_type);
    sent.file = file.source;
    sent.sender = {input.heard->user, origin.chat, origin.bot};
    sent.thread = origin.thread;
    sent.lane = input.chat_lane.value_or(job.lane);
    return {.sent = std::move(sent)};
}

} // namespace

base::awaitable<queue::step_value> take_document(
    queue::job const& job, execution_input const& input, node_services const& services
) {
    auto const& heard = *input.heard;
    auto const language = co_await language_of_answer(input, job, services);
    auto const& words = language::notices_in(language);
    bool const is_owner = services.is_owner && services.is_owner(heard.from.bot, heard.user);
    if (!is_owner) co_return text_alone_of(words.may_not_add_documents);
    auto const file = document_of(heard);
    if (!file || input.argument.empty()) co_return text_alone_of(words.how_to_add_document);
    auto const collection =
        co_await knowledge::find_searched(services.reads, input.argument, collection_deadline);
    if (!collection) co_return collection.error();
    if (!*collection)
        co_return text_alone_of(language::in_words(words.no_collection, input.argument));
    auto request = request_for(*file, **collection, job, input);
    request.sent->language = language;
    auto text = language::in_words(words.document_is_read, request.sent->name, input.argument);
    co_return json::value{{"text", std::move(text)}, {"document", knowledge::to_json(request)}};
}

std::vector<storage::write> rows_of_document(json::value const& value) {
    auto const* object = value.if_object();
    auto const* document = object ? object->if_contains("document") : nullptr;
    if (!document) return {};
    auto const request = knowledge::ingest_request_from(*document);
    return request && request->sent ? knowledge::ingest_sent(*request)
                                    : std::vector<storage::write>();
}

} // namespace postrider::agent::flow
