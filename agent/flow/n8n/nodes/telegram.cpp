#include "agent/flow/document/definition.hpp"
#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <cstdlib>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view telegram_types[]{"telegram"};

// A node in front makes images, which come by their addresses here.
bool makes_images(translation const& in) {
    return std::ranges::any_of(in.parts(main_connection), [&](std::size_t feeder) {
        auto const& node = in.part(feeder);
        auto const* resource = node.parameters.if_contains("resource");
        auto const* operation = node.parameters.if_contains("operation");
        return node.short_type() == "openAi" && resource && *resource == "image" &&
               !(operation && *operation == "analyze");
    });
}

constexpr renamed_member telegram_result_members[]{
    {"result.message_id", "message_id"}, {"result.chat.id", "chat"}, {"result.*", ""}};
constexpr renamed_member telegram_file_members[]{
    {"result.file_id", "file.id"},
    {"result.file_unique_id", "file.id"},
    {"result.file_path", "file.name"},
    {"result.file_size", "file.bytes"}};

renamed_members telegram_results(translation const& in) {
    if (in.word("resource") == "file") return telegram_file_members;
    return telegram_result_members;
}

// A chat is a number here.
void put_chat(translation& in) {
    auto const chat = in.word("chatId");
    char* end = nullptr;
    auto const number = std::strtoll(chat.c_str(), &end, 10);
    if (in.is_computed("chatId"))
        in.put_number("chat", "chatId");
    else if (!chat.empty() && *end == '\0')
        in.put_value("chat", static_cast<std::int64_t>(number));
    else if (!chat.empty())
        in.warn(
            "n8n_parameter",
            "chat",
            "\"" + chat + "\" is no chat's number",
            "write the number of the chat",
            "chatId"
        );
}

// The bot that got the message acts, where one got any.
void put_bot(translation& in) {
    bool const has_message = std::ranges::any_of(in.flow().nodes, [](workflow_node const& node) {
        return node.short_type() == "telegramTrigger";
    });
    if (!has_message)
        in.put_value("bot", boost::json::value(in.credential("bot", "main", "of [bots.NAME]")));
}

void put_buttons(translation& in) {
    auto const* rows = in.find("inlineKeyboard.rows");
    auto const* list = rows ? rows->if_array() : nullptr;
    boost::json::array buttons;
    bool lost = false;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        boost::json::error_code ec;
        auto const* row = (*list)[i].find_pointer("/row/buttons", ec);
        boost::json::array line;
        for (std::size_t n = 0; row && row->is_array() && n < row->get_array().size(); ++n) {
            auto const& button = row->get_array()[n];
            auto const* text = button.find_pointer("/text", ec);
            auto const* url = button.find_pointer("/additionalFields/url", ec);
            if (text && url)
                line.push_back(
                    {{"text", in.converted("buttons", *text)},
                     {"url", in.converted("buttons", *url)}}
                );
            else
                lost = true;
        }
        if (!line.empty()) buttons.push_back(std::move(line));
    }
    if (lost)
        in.warn(
            "n8n_parameter",
            "buttons",
            "a button that answers is none of a plain message",
            "a telegram.ask node asks with buttons",
            "replyMarkup"
        );
    if (!buttons.empty()) in.put_value("buttons", std::move(buttons));
}

void put_message(translation& in, std::string_view text_path) {
    auto const mode = in.word("additionalFields.parse_mode");
    if (mode == "HTML") in.put_value("format", "html");
    if (mode.starts_with("Markdown")) in.put_value("format", "markdown");
    bool const has_text =
        mode == "HTML" ? in.put_markup("text", text_path) : in.put("text", text_path);
    if (!has_text) in.put_value("text", " ");
    in.put_number("reply", "additionalFields.reply_to_message_id");
    in.put_number("thread", "additionalFields.message_thread_id");
}

// A file of the item, where n8n has one as well; else a URL, or an id.
void map_file(translation& in, std::string_view member) {
    in.become("telegram.send");
    put_message(in, "additionalFields.caption");
    if (!in.is_true("binaryData")) {
        in.put(member, "file");
        return;
    }
    if (makes_images(in)) return in.put_value("photo", "{{ $json.?url }}");
    in.put_value("file", "{{ $json.?file }}");
    if (member == "document") in.put_value("file_as", "document");
}

// The item's own file, or that of the node which has the message.
void map_stored_file(translation& in) {
    auto const* value = in.find("fileId");
    auto const id = value ? in.operand("fields", *value) : std::nullopt;
    auto const source = id ? id->source : std::string();
    auto const place = std::min(source.find(".?file"), source.find(".?images"));
    if (place == source.npos)
        return in.become_placeholder("it asked Telegram for a file by its id");
    in.become("set");
    in.draft.parameters = {
        {"fields", boost::json::object{{"file", in_braces(source.substr(0, place) + ".?file")}}},
        {"keep_others", true}};
}

void map_question(translation& in) {
    in.become("telegram.ask");
    in.put("text", "message");
    in.draft.outputs = {"yes"};
    auto const* yes = in.find("approvalOptions.values.approveLabel");
    boost::json::array choices{boost::json::object{{"name", "yes"}}};
    if (yes && yes->is_string()) choices[0].get_object()["text"] = in.converted("choices", *yes);
    if (in.word("approvalOptions.values.approvalType") == "double")
        choices.push_back(boost::json::object{{"name", "no"}});
    in.put_value("choices", std::move(choices));
    in.warn(
        "n8n_parameter",
        "choices",
        "each answer has an output of its own here",
        "connect \"no\" and \"timeout\" too"
    );
}

void map_telegram(translation& in) {
    auto const operation = in.word("operation", "sendMessage");
    if (in.word("resource") == "file") return map_stored_file(in);
    if (in.word("resource", "message") != "message")
        return in.become_placeholder("it asked Telegram for a " + in.word("resource"));
    put_chat(in);
    put_bot(in);
    if (operation == "sendMessage") {
        in.become("telegram.send");
        put_message(in, "text");
        put_buttons(in);
    } else if (operation == "sendPhoto" || operation == "sendAnimation") {
        map_file(in, "photo");
    } else if (operation == "sendDocument" || operation == "sendAudio" || operation == "sendVideo") {
        map_file(in, "document");
    } else if (operation == "editMessageText") {
        in.become("telegram.edit");
        in.put_number("message", "messageId");
        put_message(in, "text");
        in.draft.parameters.erase("reply");
        in.draft.parameters.erase("thread");
        put_buttons(in);
    } else if (operation == "deleteMessage") {
        in.become("telegram.delete");
        in.put_number("message", "messageId");
    } else if (operation == "sendAndWait") {
        map_question(in);
    } else if (operation == "sendChatAction") {
        in.become("set");
        in.draft.parameters = {{"fields", boost::json::object()}};
        in.draft.disabled = true;
        in.draft.notes = "n8n showed here that the bot types. A bot of this server shows it by "
                         "itself while an agent works.";
    } else {
        in.become_placeholder("it called " + operation + " of Telegram");
    }
}

} // namespace

extern constinit mapping const telegram_mapping{
    .types = telegram_types, .map = map_telegram, .renamed = telegram_results};

} // namespace postrider::agent::flow::n8n
