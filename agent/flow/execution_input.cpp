#include "agent/flow/execution_input.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

void add(boost::json::object& into, boost::json::object members) {
    for (auto& member : members) into[member.key()] = std::move(member.value());
}

boost::json::object file_json(message_file const& file) {
    return {
        {"source", file.source}, {"name", file.name}, {"mime", file.mime}, {"bytes", file.bytes}};
}

message_file file_from(base::json_reader const& object) {
    message_file file;
    file.source = object["source"].string_or("");
    file.name = object["name"].string_or("");
    file.mime = object["mime"].string_or("");
    file.bytes = object["bytes"].int64_or(0);
    return file;
}

boost::json::array files_json(std::vector<message_file> const& files) {
    boost::json::array listed;
    for (auto const& file : files) listed.push_back(file_json(file));
    return listed;
}

boost::json::object replied_json(replied_message const& replied) {
    boost::json::object object{
        {"user", base::raw(replied.user)},
        {"name", replied.name},
        {"own", replied.own},
        {"text", replied.text}};
    if (replied.file) object["file"] = file_json(*replied.file);
    if (replied.album.empty()) return object;
    object["message"] = base::raw(replied.message);
    object["album"] = replied.album;
    if (!replied.more_files.empty()) object["files"] = files_json(replied.more_files);
    return object;
}

replied_message replied_from(base::json_reader const& object) {
    replied_message replied;
    replied.user = user_id{object["user"].int64_or(0)};
    replied.name = object["name"].string_or("");
    replied.own = object["own"].boolean_or(false);
    replied.text = object["text"].string_or("");
    if (auto const file = object["file"]) replied.file = file_from(file);
    replied.message = telegram_message_id{object["message"].int64_or(0)};
    replied.album = object["album"].string_or("");
    replied.more_files = files_from(object["files"]);
    return replied;
}

boost::json::object reference_json(message_file const& file) {
    auto reference = file_json(file);
    reference.erase("source");
    reference["id"] = id_of(file);
    return reference;
}

boost::json::object forwarded_json(forwarded_message const& forwarded) {
    boost::json::object object{{"name", forwarded.name}};
    if (forwarded.user != user_id{}) object["user"] = base::raw(forwarded.user);
    if (forwarded.is_chat) object["is_chat"] = true;
    return object;
}

forwarded_message forwarded_from(base::json_reader const& object) {
    forwarded_message forwarded;
    forwarded.user = user_id{object["user"].int64_or(0)};
    forwarded.name = object["name"].string_or("");
    forwarded.is_chat = object["is_chat"].boolean_or(false);
    return forwarded;
}

} // namespace

std::vector<message_file> files_from(base::json_reader const& listed) {
    std::vector<message_file> files;
    for (auto const& file : listed.items_or_none()) files.push_back(file_from(file));
    return files;
}

std::vector<message_file> files_of(heard_message const& heard) {
    std::vector<message_file> files;
    if (heard.file) files.push_back(*heard.file);
    files.insert(files.end(), heard.more_files.begin(), heard.more_files.end());
    return files;
}

std::string id_of(message_file const& file) {
    return "message:" + file.source;
}

void join(heard_message& heard, std::vector<joined_message> messages) {
    std::vector<image_source> images;
    for (auto const& message : messages)
        images.insert(images.end(), message.images.begin(), message.images.end());
    images.insert(images.end(), heard.images.begin(), heard.images.end());
    auto const excess = std::max(images.size(), most_images) - most_images;
    heard.images.assign(images.begin() + static_cast<std::ptrdiff_t>(excess), images.end());
    heard.joined = std::move(messages);
}

boost::json::object item_of(heard_message const& message, std::string_view text) {
    boost::json::object item{{"text", text}};
    add(item, to_json(message.from));
    item["user"] = base::raw(message.user);
    item["message"] = base::raw(message.message);
    if (!message.images.empty()) item["images"] = agent::to_json(message.images);
    if (message.file) item["file"] = reference_json(*message.file);
    if (!message.more_files.empty()) {
        boost::json::array references;
        for (auto const& file : files_of(message)) references.push_back(reference_json(file));
        item["files"] = std::move(references);
    }
    if (message.seen.empty()) return item;
    item["addressed"] = message.addressed;
    add(item, message.seen);
    return item;
}

boost::json::value to_json(trial const& trial) {
    return {{"original", base::raw(trial.original)}, {"node", trial.node}, {"calls", trial.calls}};
}

boost::json::value to_json(execution_input const& input) {
    boost::json::object object{
        {"flow", input.flow}, {"version", input.version}, {"agent", input.agent}};
    if (!input.trigger.empty()) object["trigger"] = input.trigger;
    if (input.heard) {
        add(object, to_json(input.heard->from));
        object["user"] = base::raw(input.heard->user);
        object["message"] = base::raw(input.heard->message);
        if (!input.heard->images.empty()) object["images"] = agent::to_json(input.heard->images);
        if (!input.heard->addressed) object["addressed"] = false;
        if (!input.heard->attachment.empty()) object["attachment"] = input.heard->attachment;
        if (!input.heard->usual_language.empty())
            object["usual_language"] = input.heard->usual_language;
        if (input.heard->replied) object["replied"] = replied_json(*input.heard->replied);
        if (input.heard->of_album) object["album"] = true;
        if (input.heard->file) object["file"] = file_json(*input.heard->file);
        if (!input.heard->more_files.empty()) object["files"] = files_json(input.heard->more_files);
        if (input.heard->forwarded) object["forwarded"] = forwarded_json(*input.heard->forwarded);
        if (input.heard->is_spoken) object["spoken"] = true;
        if (input.heard->length.count() > 0) object["seconds"] = input.heard->length.count();
        if (input.heard->wordless) object["wordless"] = true;
        if (!input.heard->seen.empty()) object["seen"] = input.heard->seen;
    }
    if (!input.command.empty()) object["command"] = input.command;
    if (!input.argument.empty()) object["argument"] = input.argument;
    if (!input.language.empty()) object["language"] = input.language;
    if (input.chat_lane) object["lane"] = base::raw(*input.chat_lane);
    if (input.ended_turn) object["ended"] = base::raw(*input.ended_turn);
    if (input.others_turn) object["others"] = true;
    if (!input.data.is_null()) object["data"] = input.data;
    if (input.after_failure) object["after_failure"] = true;
    if (input.silent) object["silent"] = true;
    if (input.history)
        object["history"] = {
            {"lane", base::raw(input.history->lane)}, {"before", base::raw(input.history->job)}};
    if (!input.start.empty()) object["start"] = input.start;
    if (input.only) object["only"] = true;
    if (!input.until.empty()) object["until"] = input.until;
    if (!input.pinned.empty()) object["pinned"] = input.pinned;
    if (!input.document.is_null()) object["document"] = input.document;
    if (input.trial) object["trial"] = to_json(*input.trial);
    return object;
}

base::result<execution_input> execution_input_from(boost::json::value const& input) {
    base::json_reader root{input};
    execution_input read;
    read.flow = root["flow"].string();
    read.version = root["version"].int64();
    read.trigger = root["trigger"].string_or("");
    read.agent = root["agent"].string_or(read.agent);
    if (root["chat"] || root["conversation"]) {
        heard_message message;
        message.from = address_from(root);
        message.user = user_id{root["user"].int64_or(0)};
        message.message = telegram_message_id{root["message"].int64_or(0)};
        message.images = images_from(root["images"].raw());
        message.addressed = root["addressed"].boolean_or(true);
        message.attachment = root["attachment"].string_or("");
        message.usual_language = root["usual_language"].string_or("");
        if (auto const replied = root["replied"]) message.replied = replied_from(replied);
        message.of_album = root["album"].boolean_or(false);
        if (auto const file = root["file"]) message.file = file_from(file);
        message.more_files = files_from(root["files"]);
        if (auto const origin = root["forwarded"]) message.forwarded = forwarded_from(origin);
        message.is_spoken = root["spoken"].boolean_or(false);
        message.length = std::chrono::seconds{root["seconds"].int64_or(0)};
        message.wordless = root["wordless"].boolean_or(false);
        if (auto const item = root["seen"]; item.is_object())
            message.seen = item.raw()->get_object();
        read.heard = message;
    }
    read.command = root["command"].string_or("");
    read.argument = root["argument"].string_or("");
    read.language = root["language"].string_or("");
    if (auto const lane = root["lane"]) read.chat_lane = lane_id{lane.int64()};
    if (auto const ended = root["ended"]) read.ended_turn = job_id{ended.int64()};
    read.others_turn = root["others"].boolean_or(false);
    if (auto const* data = root["data"].raw()) read.data = *data;
    read.after_failure = root["after_failure"].boolean_or(false);
    read.silent = root["silent"].boolean_or(false);
    if (auto const history = root["history"])
        read.history = {lane_id{history["lane"].int64()}, job_id{history["before"].int64()}};
    read.start = root["start"].string_or("");
    read.only = root["only"].boolean_or(false);
    read.until = root["until"].string_or("");
    if (auto const* pinned = root["pinned"].raw(); pinned && pinned->is_object())
        read.pinned = pinned->get_object();
    if (auto const* document = root["document"].raw()) read.document = *document;
    if (auto const trial = root["trial"]) {
        read.trial = {job_id{trial["original"].int64()}, trial["node"].string(), {}};
        if (auto const* calls = trial["calls"].raw(); calls && calls->is_array())
            read.trial->calls = calls->get_array();
    }
    if (root.failed()) return root.failure();
    return read;
}

} // namespace postrider::agent::flow
