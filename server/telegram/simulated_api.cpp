#include "server/telegram/simulated_api.hpp"

#include "agent/talk/message_file.hpp"
#include "base/utf8.hpp"
#include "server/telegram/simulated_markup.hpp"
#include "server/telegram/simulated_methods.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <utility>

namespace postrider::telegram {

namespace {

using base::json_reader;
using json_object = base::json::object;

constexpr std::size_t longest_text = 4096; // UTF-16 units
constexpr std::size_t longest_caption = 1024;

std::string_view prefix_of(int status) {
    switch (status) {
    case 400:
        return "Bad Request: ";
    case 403:
        return "Forbidden: ";
    case 409:
        return "Conflict: ";
    default:
        return "";
    }
}

bool allowed_in_secret(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

json_object message_of(desk const& desk, simulated_content const& content) {
    auto const private_chat = base::raw(desk.call.chat) > 0;
    auto const now = std::chrono::floor<std::chrono::seconds>(desk.clock.now());
    return {
        {"message_id", base::raw(desk.call.message)},
        {"from", bot_user(desk.bot)},
        {"chat",
         {{"id", base::raw(desk.call.chat)}, {"type", private_chat ? "private" : "supergroup"}}},
        {"date", now.time_since_epoch().count()},
        {content.is_media ? "caption" : "text", content.text},
    };
}

std::optional<simulated_answer> refuse_text(desk const& desk, bool caption = false) {
    if (auto refused = refuse_place(desk)) return refused;
    if (caption && desk.call.text.empty()) return std::nullopt;
    base::json::value const params = desk.call.params;
    auto const mode = json_reader{params}["parse_mode"].string_or("");
    if (!mode.empty() && mode != "HTML")
        return simulated_answer::failure(400, "unsupported parse_mode");
    auto const read = mode.empty() ? read_markup{desk.call.text, {}} : read_html(desk.call.text);
    if (!read.problem.empty()) return simulated_answer::failure(400, read.problem);
    if (read.visible.find_first_not_of(" \t\r\n") == std::string::npos)
        return simulated_answer::failure(400, "message text is empty");
    if (base::utf16_length(read.visible) > (caption ? longest_caption : longest_text))
        return simulated_answer::failure(
            400, caption ? "message caption is too long" : "message is too long"
        );
    return std::nullopt;
}

std::optional<simulated_answer> refuse_reply(desk const& desk) {
    base::json::value const params = desk.call.params;
    auto const reply = json_reader{params}["reply_parameters"];
    if (!reply || reply["allow_sending_without_reply"].boolean_or(false)) return std::nullopt;
    auto const target = telegram_message_id{reply["message_id"].int64_or(0)};
    if (desk.chats.has(place_of(desk), target)) return std::nullopt;
    return simulated_answer::failure(400, "message to be replied not found");
}

simulated_answer get_me(desk const& desk) {
    auto user = bot_user(desk.bot);
    user["can_join_groups"] = true;
    user["can_read_all_group_messages"] = desk.bot.reads_all_group_messages;
    return simulated_answer::ok(std::move(user));
}

simulated_answer set_webhook(desk const& desk) {
    base::json::value const params = desk.call.params;
    json_reader root{params};
    simulated_webhook webhook;
    webhook.url = root["url"].string_or("");
    webhook.secret = root["secret_token"].string_or("");
    auto const connections = std::clamp<std::int64_t>(root["max_connections"].int64_or(40), 1, 100);
    webhook.max_connections = static_cast<int>(connections);
    if (webhook.secret.size() > 256)
        return simulated_answer::failure(400, "secret token is too long");
    if (!std::ranges::all_of(webhook.secret, allowed_in_secret))
        return simulated_answer::failure(400, "secret token contains unallowed characters");
    if (!desk.updates.set_webhook(std::move(webhook)))
        return simulated_answer::failure(
            400, "bad webhook: An HTTPS URL must be provided for webhook"
        );
    return simulated_answer::ok(true);
}

simulated_answer delete_webhook(desk const& desk) {
    desk.updates.set_webhook({});
    return simulated_answer::ok(true);
}

simulated_answer webhook_info(desk const& desk) {
    json_object info{
        {"url", desk.updates.webhook().url},
        {"has_custom_certificate", false},
        {"pending_update_count", desk.updates.pending()},
        {"max_connections", desk.updates.webhook().max_connections},
    };
    if (!desk.updates.last_error().empty()) info["last_error_message"] = desk.updates.last_error();
    return simulated_answer::ok(std::move(info));
}

base::awaitable<simulated_answer> get_updates(desk desk) {
    base::json::value const params = desk.call.params;
    json_reader root{params};
    auto const wait = std::clamp<std::int64_t>(root["timeout"].int64_or(0), 0, 50);
    auto const limit = std::clamp<std::int64_t>(root["limit"].int64_or(100), 1, 100);
    auto updates = co_await desk.updates.poll(
        root["offset"].int64_or(0), static_cast<std::size_t>(limit), std::chrono::seconds{wait}
    );
    if (!updates.conflict.empty()) co_return simulated_answer::failure(409, updates.conflict);
    // As they are: a body may be one that no tree could hold.
    std::string joined;
    for (auto const& body : updates.updates) joined += (joined.empty() ? "" : ",") + body;
    simulated_answer answer;
    answer.raw = R"({"ok":true,"result":[)" + joined + "]}";
    co_return answer;
}

simulated_answer send(desk const& desk, std::string_view media) {
    if (auto refused = refuse_text(desk, !media.empty())) return *refused;
    if (auto refused = refuse_reply(desk)) return *refused;
    if (auto refused = refuse_buttons(desk)) return *refused;
    base::json::value const params = desk.call.params;
    if (!media.empty() && json_reader{params}[media].string_or("").empty())
        return simulated_answer::failure(
            400, "there is no " + std::string(media) + " in the request"
        );
    desk.call.message = desk.chats.next(place_of(desk));
    simulated_content const content{desk.call.text, buttons_of(desk), !media.empty()};
    desk.chats.keep(place_of(desk), desk.call.message, content);
    return simulated_answer::ok(message_of(desk, content));
}

simulated_answer send_message(desk const& desk) {
    return send(desk, "");
}

simulated_answer send_photo(desk const& desk) {
    return send(desk, "photo");
}

simulated_answer send_document(desk const& desk) {
    return send(desk, "document");
}

enum class edited { text, caption, buttons };

simulated_answer edit(desk const& desk, edited part) {
    bool const buttons_only = part == edited::buttons;
    if (!buttons_only)
        if (auto refused = refuse_text(desk, part == edited::caption)) return *refused;
    if (auto refused = refuse_buttons(desk)) return *refused;
    base::json::value const params = desk.call.params;
    desk.call.message = telegram_message_id{json_reader{params}["message_id"].int64_or(0)};
    auto* message = desk.chats.sent(place_of(desk), desk.call.message);
    if (!message) return simulated_answer::failure(400, "message to edit not found");
    if (part == edited::text && message->is_media)
        return simulated_answer::failure(400, "there is no text in the message to edit");
    if (part == edited::caption && !message->is_media)
        return simulated_answer::failure(400, "there is no caption in the message to edit");
    simulated_content changed = *message;
    if (!buttons_only) changed.text = desk.call.text;
    changed.buttons = buttons_of(desk);
    if (changed == *message)
        return simulated_answer::failure(
            400,
            "message is not modified: specified new message content and reply markup are exactly "
            "the same as a current content and reply markup of the message"
        );
    *message = std::move(changed);
    return simulated_answer::ok(message_of(desk, *message));
}

simulated_answer edit_text(desk const& desk) {
    return edit(desk, edited::text);
}

simulated_answer edit_caption(desk const& desk) {
    return edit(desk, edited::caption);
}

simulated_answer edit_buttons(desk const& desk) {
    return edit(desk, edited::buttons);
}

// Telegram's list of emojis is longer; what matters is that not every text is one.
bool is_reaction(base::json::value const& reaction) {
    constexpr std::string_view emojis[]{"👍", "👎", "❤", "🔥", "🎉", "🤔", "👀", "👌", "🙏", "💯"};
    json_reader from{reaction};
    return from["type"].string_or("") == "emoji" &&
           std::ranges::find(emojis, from["emoji"].string_or("")) != std::end(emojis);
}

simulated_answer set_reaction(desk const& desk) {
    if (!desk.chats.knows(desk.call.chat)) return simulated_answer::failure(400, "chat not found");
    base::json::value const params = desk.call.params;
    for (auto const& reaction : json_reader{params}["reaction"].items_or_none())
        if (!reaction.raw() || !is_reaction(*reaction.raw()))
            return simulated_answer::failure(400, "REACTION_INVALID");
    return simulated_answer::ok(true);
}

// A preview: it is kept nowhere.
simulated_answer send_draft(desk const& desk) {
    if (!desk.chats.knows(desk.call.chat) || base::raw(desk.call.chat) < 0)
        return simulated_answer::failure(400, "chat not found");
    base::json::value const params = desk.call.params;
    if (json_reader{params}["draft_id"].int64_or(0) == 0)
        return simulated_answer::failure(400, "invalid draft_id specified");
    if (auto refused = desk.call.text.empty() ? std::nullopt : refuse_text(desk)) return *refused;
    return simulated_answer::ok(true);
}

simulated_answer chat_action(desk const& desk) {
    if (auto refused = refuse_place(desk)) return *refused;
    return simulated_answer::ok(true);
}

simulated_answer get_file(desk const& desk) {
    base::json::value const params = desk.call.params;
    auto const id = json_reader{params}["file_id"].string_or("");
    auto const* bytes = desk.chats.file(id);
    if (!bytes)
        return simulated_answer::failure(
            400, "wrong file_id or the file is temporarily unavailable"
        );
    if (std::cmp_greater(bytes->size(), agent::most_loaded_bytes))
        return simulated_answer::failure(400, "file is too big");
    return simulated_answer::ok(json_object{
        {"file_id", id},
        {"file_unique_id", id},
        {"file_size", bytes->size()},
        {"file_path", "photos/" + id},
    });
}

constexpr simulated_method methods[]{
    {"getMe", get_me},
    {"setWebhook", set_webhook},
    {"deleteWebhook", delete_webhook},
    {"getWebhookInfo", webhook_info},
    {"getFile", get_file},
    {"sendMessage", send_message},
    {"sendPhoto", send_photo},
    {"sendDocument", send_document},
    {"editMessageText", edit_text},
    {"editMessageCaption", edit_caption},
    {"editMessageReplyMarkup", edit_buttons},
    {"sendMessageDraft", send_draft},
    {"sendChatAction", chat_action},
    {"setMessageReaction", set_reaction},
};

} // namespace

json_object bot_user(simulated_bot const& bot) {
    return {
        {"id", base::raw(bot.id)},
        {"is_bot", true},
        {"first_name", bot.username},
        {"username", bot.username},
    };
}

simulated_content* simulated_chats::sent(chat_id chat, telegram_message_id message) {
    auto const entry = sent_.find({chat, message});
    return entry == sent_.end() ? nullptr : &entry->second;
}

void simulated_chats::keep(chat_id chat, telegram_message_id message, simulated_content content) {
    sent_[{chat, message}] = std::move(content);
}

std::string simulated_chats::keep_file(std::string bytes) {
    auto id = "AgACAgQAAxkBAAI" + std::to_string(++last_file_);
    file_bytes_ += bytes.size();
    files_.push_back({id, std::move(bytes)});
    while (files_.size() > 1 && (files_.size() > most_files || file_bytes_ > most_file_bytes)) {
        file_bytes_ -= files_.front().bytes.size();
        files_.pop_front();
    }
    return id;
}

std::string const* simulated_chats::file(std::string_view id) const {
    auto const entry = std::ranges::find(files_, id, &kept_file::id);
    return entry == files_.end() ? nullptr : &entry->bytes;
}

std::string simulated_chats::ask() {
    auto query = std::to_string(++last_query_);
    queries_.insert(query);
    return query;
}

std::string simulated_chats::standing(chat_id chat, user_id user) const {
    auto const entry = standings_.find({chat, user});
    return entry == standings_.end() ? std::string{} : entry->second;
}

void simulated_chats::set_standing(chat_id chat, user_id user, std::string status) {
    standings_[{chat, user}] = std::move(status);
}

std::vector<std::pair<user_id, std::string>> simulated_chats::members(chat_id chat) const {
    std::vector<std::pair<user_id, std::string>> result;
    for (auto const& [key, standing] : standings_)
        if (key.first == chat) result.emplace_back(key.second, standing);
    return result;
}

bool simulated_chats::may(chat_id chat, user_id user, std::string const& right) const {
    auto const status = standing(chat, user);
    return status == "creator" ||
           (status == "administrator" && !denied_.contains({chat, user, right}));
}

void simulated_chats::remove(chat_id chat, telegram_message_id message) {
    sent_.erase({chat, message});
    removed_.insert({chat, message});
}

simulated_answer simulated_answer::ok(base::json::value result) {
    simulated_answer answer;
    answer.raw = base::json::serialize(json_object{{"ok", true}, {"result", std::move(result)}});
    return answer;
}

simulated_answer simulated_answer::failure(
    int status, std::string_view description, base::json::object parameters
) {
    json_object body{
        {"ok", false},
        {"error_code", status},
        {"description", std::string(prefix_of(status)) + std::string(description)},
    };
    if (!parameters.empty()) body["parameters"] = std::move(parameters);
    return {status, base::json::serialize(body)};
}

base::awaitable<simulated_answer> carry_out(
    simulated_call& call,
    simulated_bot const& bot,
    simulated_deliveries& updates,
    simulated_chats& chats,
    base::clock& clock,
    std::span<simulated_method const> more_methods
) {
    desk at{call, bot, updates, chats, clock};
    if (call.method == "getUpdates") co_return co_await get_updates(at);
    std::span<simulated_method const> const of_messages = methods;
    for (auto const& table :
         {of_messages, press_methods(), group_methods(), business_methods(), more_methods})
        for (auto const& method : table)
            if (method.name == call.method) co_return method.run(at);
    co_return simulated_answer::failure(404, "Not Found");
}

} // namespace postrider::telegram
