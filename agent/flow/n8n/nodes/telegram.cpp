#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

#include <cstdlib>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view telegram_types[]{"telegram"};

constexpr renamed_member telegram_result_members[]{
    {"result.message_id", "message_id"}, {"result.chat.id", "chat"}};

renamed_members telegram_results(translation const&) {
    return telegram_result_members;
}

// A chat is a number here.
void put_chat(translation& in) {
    auto const chat = in.word("chatId");
    bool const is_expression = chat.find("{{") != chat.npos;
    char* end = nullptr;
    auto const number = std::strtoll(chat.c_str(), &end, 10);
    if (is_expression)
        in.put("chat", "chatId");
    else if (!chat.empty() && *end == '\0')
        in.put_value("chat", static_cast<std::int64_t>(number));
    else if (!chat.empty())
        in.warn(
            "n8n_parameter",
            "chat",
            "\"" + chat + "\" is no chat's number",
            "write the number of the chat"
        );
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
            "a telegram.ask node asks with buttons"
        );
    if (!buttons.empty()) in.put_value("buttons", std::move(buttons));
}

void put_message(translation& in, std::string_view text_path) {
    if (!in.put("text", text_path)) in.put_value("text", " ");
    auto const mode = in.word("additionalFields.parse_mode");
    if (mode == "HTML") in.put_value("format", "html");
    if (mode.starts_with("Markdown"))
        in.warn(
            "n8n_parameter",
            "format",
            "Markdown is no format here",
            "write the text with HTML tags, or without"
        );
    in.put("reply", "additionalFields.reply_to_message_id");
    in.put("thread", "additionalFields.message_thread_id");
}

void map_file(translation& in, std::string_view member) {
    in.become("telegram.send");
    put_message(in, "additionalFields.caption");
    if (in.is_true("binaryData"))
        in.warn(
            "n8n_parameter",
            member,
            "n8n sent a file of the item",
            "give a URL, or the id of a file that Telegram has"
        );
    in.put(member, "file");
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
    if (in.word("resource", "message") != "message")
        return in.become_placeholder("it asked Telegram for a " + in.word("resource"));
    put_chat(in);
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
        in.put("message", "messageId");
        put_message(in, "text");
        in.draft.parameters.erase("reply");
        in.draft.parameters.erase("thread");
        put_buttons(in);
    } else if (operation == "deleteMessage") {
        in.become("telegram.delete");
        in.put("message", "messageId");
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
