#include "agent/flow/run/knowledge_command.hpp"

#include "agent/flow/run/command_lookup.hpp"
#include "agent/flow/run/large_file_text.hpp"
#include "agent/knowledge/ingest_job.hpp"
#include "agent/knowledge/search.hpp"
#include "agent/language/notices.hpp"
#include "agent/talk/press.hpp"
#include "base/json/json.hpp"
#include "base/utf8.hpp"
#include "storage/stores/albums.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::chrono::seconds collection_deadline{5};
constexpr std::chrono::seconds album_deadline{5};

struct sent_files {
    std::vector<message_file> files;
    user_id author{};
};

bool is_same_file(message_file const& first, message_file const& second) {
    return first.name == second.name && first.bytes == second.bytes && first.mime == second.mime;
}

// What an album has behind what the message tells of it.
base::awaitable<base::result<void>> add_rest_of_album(
    sent_files& sent, storage::sent_album album, storage::batcher& reads
) {
    auto const entries =
        co_await storage::read_album_files(reads, std::move(album), album_deadline);
    if (!entries) co_return entries.error();
    boost::json::value const listed(boost::json::array(entries->begin(), entries->end()));
    auto files = files_from(base::json_reader{listed});
    for (auto& own : sent.files) {
        bool const is_there = std::ranges::any_of(files, [&own](auto const& file) {
            return is_same_file(file, own);
        });
        if (!is_there) files.push_back(std::move(own));
    }
    sent.files = std::move(files);
    co_return base::result<void>{};
}

storage::sent_album album_in(
    address const& place, std::string const& album, telegram_message_id message, user_id sender
) {
    storage::sent_album sent;
    sent.key = storage::key_of_album(place_of(place), album);
    sent.bot = place.bot;
    sent.chat = place.chat;
    sent.message = message;
    sent.sender = sender;
    return sent;
}

std::string album_of_watched(heard_message const& heard) {
    auto const* album = heard.seen.if_contains("album");
    auto const* text = album ? album->if_string() : nullptr;
    return text ? std::string(*text) : std::string();
}

// The message's own, or those of the message that it answers: they are their author's.
base::awaitable<base::result<sent_files>> find_files(
    heard_message const& heard, storage::batcher& reads
) {
    sent_files sent;
    storage::sent_album album;
    if (heard.file) {
        sent = {files_of(heard), heard.user};
        album = album_in(heard.from, album_of_watched(heard), heard.message, heard.user);
    } else if (heard.replied && heard.replied->file) {
        auto const& replied = *heard.replied;
        sent.files = replied.more_files;
        sent.files.insert(sent.files.begin(), *replied.file);
        bool const has_author = replied.user != user_id{} && !replied.own;
        sent.author = has_author ? replied.user : heard.user;
        album = album_in(heard.from, replied.album, replied.message, replied.user);
    }
    if (album.key.key.empty()) co_return sent;
    auto const added = co_await add_rest_of_album(sent, std::move(album), reads);
    if (!added) co_return added.error();
    co_return sent;
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

// A name stands once in a collection: "scan.pdf", "scan (2).pdf".
std::string free_name(std::string const& name, std::vector<std::string> const& names) {
    constexpr std::size_t longest_ending = 20;
    auto candidate = name;
    auto dot = name.rfind('.');
    if (dot == name.npos || name.size() - dot > longest_ending) dot = name.size();
    auto const ending = name.substr(dot);
    for (int number = 2; std::ranges::find(names, candidate) != names.end(); ++number) {
        auto const mark = fmt::format(" ({})", number);
        auto const room = knowledge::longest_document_name - mark.size() - ending.size();
        auto const beginning = base::cut_at_character(std::string_view(name).substr(0, dot), room);
        candidate = std::string(beginning) + mark + ending;
    }
    return candidate;
}

class document_requests {
public:
    document_requests(
        execution_input const& input, queue::job const& job, std::string const& language
    )
        : input_(input),
          lane_(input.chat_lane.value_or(job.lane)),
          language_(language),
          words_(language::notices_in(language)) {}

    // {"text", "documents"}: those that are read, and a line for each file.
    json::value take_all(sent_files const& sent, std::int64_t collection) {
        std::string text;
        json::array documents;
        std::vector<std::string> names;
        for (auto const& file : sent.files) {
            if (!text.empty()) text += "\n";
            if (is_too_large(file)) {
                text += text_of_large_file(file, language_);
                continue;
            }
            auto name = one_line_name(file.name);
            if (name.empty()) name = fmt::format("file-{}", base::raw(input_.heard->message));
            names.push_back(free_name(name, names));
            documents.push_back(request_for(file, names.back(), sent.author, collection));
            text += language::in_words(words_.document_is_read, names.back(), input_.argument);
        }
        json::object taken{{"text", std::move(text)}, {"documents", std::move(documents)}};
        // postrider erase looks for it: the names are the author's words.
        if (sent.author != input_.heard->user)
            taken["said_by"].emplace_array().emplace_back(base::raw(sent.author));
        return taken;
    }

private:
    json::value request_for(
        message_file const& file, std::string const& name, user_id author, std::int64_t collection
    ) const {
        auto const& place = input_.heard->from;
        knowledge::ingest_request request;
        auto& sent = request.sent.emplace();
        sent.collection = collection;
        sent.collection_name = input_.argument;
        sent.name = name;
        sent.media_type = base::cut_at_character(file.mime, knowledge::longest_media_type);
        sent.file = file.source;
        sent.sender = {author, place.chat, place.bot};
        sent.thread = place.thread;
        sent.lane = lane_;
        sent.language = language_;
        sent.when_stopped =
            language::in_words(words_.document_failed, name, words_.document_stopped);
        return knowledge::to_json(request);
    }

    execution_input const& input_;
    lane_id lane_;
    std::string const& language_;
    language::notices const& words_;
};

} // namespace

base::awaitable<queue::step_value> take_documents(
    queue::job const& job, execution_input const& input, node_services const& services
) {
    auto const& heard = *input.heard;
    auto const language = co_await language_of_answer(input, job, services);
    auto const& words = language::notices_in(language);
    bool const is_owner = services.is_owner && services.is_owner(heard.from.bot, heard.user);
    if (!is_owner) co_return text_alone_of(words.may_not_add_documents);
    auto const sent = co_await find_files(heard, services.reads);
    if (!sent) co_return sent.error();
    if (sent->files.empty() || input.argument.empty())
        co_return text_alone_of(words.how_to_add_document);
    auto const collection =
        co_await knowledge::find_searched(services.reads, input.argument, collection_deadline);
    if (!collection) co_return collection.error();
    if (!*collection)
        co_return text_alone_of(language::in_words(words.no_collection, input.argument));
    document_requests requests(input, job, language);
    co_return requests.take_all(*sent, (*collection)->id);
}

std::vector<storage::write> rows_of_documents(json::value const& value) {
    base::json_reader const members{value};
    std::vector<storage::write> rows;
    auto const take = [&rows](json::value const& document) {
        auto const request = knowledge::ingest_request_from(document);
        if (!request || !request->sent) return;
        for (auto& row : knowledge::ingest_sent(*request)) rows.push_back(std::move(row));
    };
    for (auto const& document : members["documents"].items_or_none()) take(*document.raw());
    // As earlier releases recorded it.
    if (auto const* document = members["document"].raw()) take(*document);
    return rows;
}

} // namespace postrider::agent::flow
