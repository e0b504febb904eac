#include "server/demo/shown_chat.hpp"

#include "base/json/json.hpp"
#include "server/telegram/simulated_markup.hpp"

#include <algorithm>

namespace postrider::server {

namespace json = boost::json;
using base::json_reader;

namespace {

constexpr std::size_t most_messages_shown = 100;

std::string visible_text(telegram::simulated_call const& call, json_reader const& params) {
    bool const is_html = params["parse_mode"].string_or("") == "HTML";
    return is_html ? telegram::read_html(call.text).visible : call.text;
}

json::array buttons_in(json_reader const& params) {
    json::array rows;
    for (auto const& row : params["reply_markup"]["inline_keyboard"].items_or_none()) {
        json::array cells;
        for (auto const& cell : row.items_or_none()) {
            json::object button{{"text", cell["text"].string_or("")}};
            auto const data = cell["callback_data"].string_or("");
            if (data.empty())
                button["url"] = cell["url"].string_or("");
            else
                button["data"] = data;
            cells.push_back(std::move(button));
        }
        rows.push_back(std::move(cells));
    }
    return rows;
}

std::string_view media_of(std::string_view method) {
    if (method == "sendPhoto") return "photo";
    return method == "sendDocument" ? "document" : "";
}

std::string picture_path(shown_message const& message) {
    return "/api/v1/demo/pictures/" + base::to_string(message.id);
}

json::object message_json(shown_message const& message) {
    json::object shown{
        {"id", base::to_string(message.id)},
        {"role", message.is_persons ? "user" : "assistant"},
        {"origin", message.is_persons ? "person" : "agent"},
        {"content", message.text},
        {"created_at", message.created_at},
    };
    if (!message.media.empty()) {
        bool const is_own = !message.picture.empty() || message.is_picture_gone;
        auto const source = is_own ? picture_path(message) : message.source;
        json::object media{{"kind", message.media}, {"source", source}};
        if (message.is_picture_gone) media["gone"] = true;
        shown["media"] = std::move(media);
    }
    if (!message.buttons.empty()) shown["buttons"] = message.buttons;
    if (!message.reaction.empty()) shown["reaction"] = message.reaction;
    if (!message.note.empty()) shown["note"] = {{"text", message.note}, {"alert", false}};
    if (!message.edited_at.empty()) shown["edited_at"] = message.edited_at;
    return shown;
}

} // namespace

bool shown_message::has_button(std::string_view data) const {
    auto const carries = [data](json::value const& button) {
        auto const* own = button.as_object().if_contains("data");
        return own && own->as_string() == data;
    };
    return std::ranges::any_of(buttons, [&](json::value const& row) {
        return std::ranges::any_of(row.as_array(), carries);
    });
}

void shown_chat::add(shown_message message) {
    messages_.push_back(std::move(message));
    std::ranges::stable_sort(messages_, {}, &shown_message::id);
    if (messages_.size() > most_messages_shown) messages_.erase(messages_.begin());
    drop_old_pictures();
}

void shown_chat::drop_old_pictures() {
    std::size_t pictures = 0;
    std::size_t bytes = 0;
    for (auto message = messages_.rbegin(); message != messages_.rend(); ++message) {
        if (message->picture.empty()) continue;
        bytes += message->picture.size();
        if (++pictures <= most_pictures && bytes <= most_picture_bytes) continue;
        message->picture = {};
        message->is_picture_gone = true;
    }
}

void shown_chat::press(telegram_message_id message, std::string query) {
    if (auto* pressed = at(message)) pressed->note.clear();
    pressed_ = message;
    query_ = std::move(query);
}

bool shown_chat::carry_out(telegram::simulated_call const& call, std::string const& at_time) {
    if (!call.carried_out) return false;
    json::value const all = call.params;
    json_reader const params{all};
    if (call.method.starts_with("send") && call.message != telegram_message_id{}) {
        shown_message sent{.id = call.message};
        sent.text = visible_text(call, params);
        sent.created_at = at_time;
        sent.buttons = buttons_in(params);
        sent.media = media_of(call.method);
        if (!sent.media.empty()) sent.source = params[sent.media].string_or("");
        add(std::move(sent));
        return true;
    }
    bool const is_note = call.method == "answerCallbackQuery";
    if (is_note && params["callback_query_id"].string_or("") != query_) return false;
    telegram_message_id const number{params["message_id"].int64_or(0)};
    auto* message = at(is_note ? pressed_ : number);
    if (!message) return false;
    if (is_note) {
        message->note = params["text"].string_or("");
    } else if (call.method == "deleteMessage") {
        messages_.erase(messages_.begin() + (message - messages_.data()));
    } else if (call.method == "setMessageReaction") {
        auto const reactions = params["reaction"].items_or_none();
        message->reaction = reactions.empty() ? "" : reactions.front()["emoji"].string_or("");
    } else if (call.method.starts_with("edit")) {
        if (call.method != "editMessageReplyMarkup") message->text = visible_text(call, params);
        message->buttons = buttons_in(params);
        message->edited_at = at_time;
    } else {
        return false;
    }
    return true;
}

shown_message const* shown_chat::find(telegram_message_id message) const {
    auto const found = std::ranges::find(messages_, message, &shown_message::id);
    return found == messages_.end() ? nullptr : &*found;
}

shown_message* shown_chat::at(telegram_message_id message) {
    auto const found = std::ranges::find(messages_, message, &shown_message::id);
    return found == messages_.end() ? nullptr : &*found;
}

json::array shown_chat::to_json() const {
    json::array all;
    for (auto const& message : messages_) all.push_back(message_json(message));
    return all;
}

} // namespace postrider::server
