#include "server/telegram/bot_api.hpp"

#include "base/json/text.hpp"
#include "server/telegram/bot_api_bodies.hpp"
#include "server/telegram/json_scanner.hpp"
#include "server/telegram/moderation_calls.hpp"

#include <algorithm>
#include <utility>

namespace postrider::telegram {

namespace {

using base::errc;
using json_object = base::json::object;

constexpr std::chrono::seconds longest_poll{50};
constexpr std::size_t updates_per_poll = 100;
// From the first byte of an answer to its end.
constexpr base::duration transfer = std::chrono::seconds{5};

static_assert(api_method{}.patience == longest_change - transfer);

constexpr api_method get_me_method{"getMe"};
constexpr api_method set_webhook_method{"setWebhook"};
constexpr api_method delete_webhook_method{"deleteWebhook"};
constexpr api_method webhook_info_method{"getWebhookInfo"};
constexpr api_method get_commands_method{"getMyCommands"};
constexpr api_method set_commands_method{"setMyCommands"};
constexpr api_method send_message_method{"sendMessage", true, std::chrono::seconds{30}};
constexpr api_method send_photo_method{"sendPhoto", true, longest_send - transfer};
constexpr api_method send_document_method{"sendDocument", true, longest_send - transfer};
constexpr api_method edit_text_method{"editMessageText"};
constexpr api_method edit_caption_method{"editMessageCaption"};
constexpr api_method edit_buttons_method{"editMessageReplyMarkup"};
constexpr api_method delete_message_method{"deleteMessage"};
constexpr api_method set_reaction_method{"setMessageReaction"};
constexpr api_method chat_action_method{"sendChatAction", false, std::chrono::seconds{5}};
constexpr api_method answer_press_method{"answerCallbackQuery", false, std::chrono::seconds{5}};
constexpr api_method get_file_method{"getFile", false, std::chrono::seconds{5}};
constexpr api_method get_member_method{"getChatMember"};
constexpr api_method get_administrators_method{"getChatAdministrators"};

constexpr base::duration longest_download = std::chrono::seconds{20};

// As Telegram makes them, "photos/file_7.jpg": nothing leads out of the bot's own folder.
bool is_file_path(std::string_view path) {
    bool const plain = std::ranges::all_of(path, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.' || c == '/';
    });
    return plain && !path.empty() && path.front() != '/' && path.find("..") == path.npos;
}

bool valid_token(std::string_view token) {
    return !token.empty() && std::ranges::all_of(token, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == ':' || c == '_' || c == '-';
    });
}

std::string mask(std::string text, std::string const& secret) {
    for (auto at = text.find(secret); at != text.npos; at = text.find(secret, at + 3))
        text.replace(at, secret.size(), "***");
    return text;
}

api_method sending(agent::message_content const& content) {
    if (!content.media) return send_message_method;
    bool const photo = content.media->kind == agent::media_kind::photo;
    return photo ? send_photo_method : send_document_method;
}

api_method editing(edit_request const& message) {
    if (message.content.text.empty()) return edit_buttons_method;
    return message.is_caption ? edit_caption_method : edit_text_method;
}

// A text of Telegram's by which alone a failure is told from a success.
bool says(api_failure const& failure, std::string_view text) {
    return failure.cause.detail.find(text) != std::string::npos;
}

// Nothing is left to be done.
bool is_so_already(agent::moderation const& act, api_failure const& failure) {
    if (std::holds_alternative<agent::answer_join_request>(act))
        return says(failure, "HIDE_REQUESTER_MISSING") || says(failure, "USER_ALREADY_PARTICIPANT");
    return std::holds_alternative<agent::remove_messages>(act) &&
           says(failure, "message to delete not found");
}

api_failure lost(api_method const& method, base::error reason) {
    bool const unclear =
        reason == errc::ambiguous || reason == errc::invalid || reason == errc::too_large;
    if (unclear) reason.code = method.sends ? errc::ambiguous : errc::unavailable;
    return {std::move(reason), objection::none, {}};
}

// It says 200, so it was done; but not what.
api_failure unreadable(api_method const& method) {
    auto const code = method.sends ? errc::ambiguous : errc::unavailable;
    return {{code, "an unreadable answer to " + std::string(method.name)}, objection::none, {}};
}

} // namespace

bot_api::bot_api(
    net::http_client& http, base::clock& clock, net::base_url base, bot_api_options options
)
    : http_(http),
      clock_(clock),
      base_(std::move(base)),
      token_(std::move(options.token)),
      calls_(options.calls) {}

base::awaitable<api_result<bot_identity>> bot_api::get_me() {
    auto answer = co_await call(get_me_method, {});
    if (!answer) co_return answer.error();
    base::json_reader root{*answer};
    bot_identity identity;
    identity.id = user_id{root["id"].int64()};
    identity.username = root["username"].string_or("");
    identity.reads_all_group_messages = root["can_read_all_group_messages"].boolean_or(false);
    if (root.failed()) co_return api_failure{root.failure(), objection::none, {}};
    co_return identity;
}

base::awaitable<api_result<void>> bot_api::set_webhook(webhook_settings settings) {
    json_object body{
        {"url", settings.url},
        {"secret_token", settings.secret.reveal()},
        {"max_connections", settings.max_connections},
        {"allowed_updates", kinds_of_updates(settings.more)},
    };
    return done(set_webhook_method, std::move(body));
}

base::awaitable<api_result<void>> bot_api::delete_webhook() {
    return done(delete_webhook_method, {});
}

base::awaitable<api_result<webhook_info>> bot_api::get_webhook_info() {
    auto answer = co_await call(webhook_info_method, {});
    if (!answer) co_return answer.error();
    base::json_reader root{*answer};
    webhook_info info{
        root["url"].string_or(""),
        root["pending_update_count"].int64_or(0),
        root["last_error_message"].string_or(""),
        {}};
    if (auto const at = root["last_error_date"].int64_or(0); at > 0)
        info.last_error_at = base::sys_time{std::chrono::seconds{at}};
    co_return info;
}

base::awaitable<api_result<std::vector<bot_command>>> bot_api::get_my_commands(command_list list) {
    auto answer = co_await call(get_commands_method, body_of(list));
    if (!answer) co_return answer.error();
    std::vector<bot_command> commands;
    for (auto const& each : base::json_reader{*answer}.items_or_none())
        commands.push_back({each["command"].string_or(""), each["description"].string_or("")});
    co_return commands;
}

base::awaitable<api_result<void>> bot_api::set_my_commands(
    std::vector<bot_command> offered, command_list list
) {
    auto body = body_of(list);
    base::json::array commands;
    for (auto const& each : offered)
        commands.push_back(json_object{{"command", each.name}, {"description", each.description}});
    body["commands"] = std::move(commands);
    return done(set_commands_method, std::move(body));
}

base::awaitable<api_result<std::vector<std::string>>> bot_api::get_updates(
    update_id offset, std::chrono::seconds wait, update_kinds more
) {
    wait = std::min(wait, longest_poll);
    api_method poll{"getUpdates"};
    poll.patience = wait + std::chrono::seconds{10};
    json_object body{
        {"offset", base::raw(offset)},
        {"limit", updates_per_poll},
        {"timeout", wait.count()},
        {"allowed_updates", kinds_of_updates(more)},
    };
    // Named: within the call, g++ 12 destroys it twice.
    wire_body wire{base::json_text(body)};
    auto answer = co_await request(poll, std::move(wire));
    if (!answer) co_return answer.error();
    // Not parsed as a whole: one update beyond our limits must not hide the others.
    auto const updates = array_elements(answer->body, "result");
    if (!updates) co_return unreadable(poll);
    co_return std::vector<std::string>(updates->begin(), updates->end());
}

base::awaitable<api_result<telegram_message_id>> bot_api::send_message(send_request message) {
    bool const is_upload = message.content.media && message.content.media->upload;
    api_result<base::json::value> answer = base::json::value();
    if (is_upload)
        answer = co_await send_upload(std::move(message));
    else
        answer = co_await call(sending(message.content), body_of(message));
    if (!answer) co_return answer.error();
    // It says ok: the message is there, also where it tells no id.
    co_return telegram_message_id{base::json_reader{*answer}["message_id"].int64_or(0)};
}

base::awaitable<api_result<base::json::value>> bot_api::send_upload(send_request message) {
    auto bytes = co_await message.content.media->upload->load();
    if (!bytes) {
        bool const may_pass = base::retryable(bytes.error().code);
        base::error failure(may_pass ? errc::unavailable : errc::invalid, bytes.error().detail);
        co_return api_failure{std::move(failure), objection::none, {}};
    }
    auto const seed = token_.reveal() + base::to_string(message.chat);
    co_return co_await call_with(sending(message.content), upload_of(message, *bytes, seed));
}

base::awaitable<api_result<void>> bot_api::edit_message(edit_request message) {
    auto answer = co_await done(editing(message), body_of(message));
    if (!answer && says(answer.error(), "message is not modified")) co_return api_result<void>{};
    co_return answer;
}

base::awaitable<api_result<void>> bot_api::delete_message(
    chat_id chat, telegram_message_id message
) {
    json_object body{{"chat_id", base::raw(chat)}, {"message_id", base::raw(message)}};
    auto answer = co_await done(delete_message_method, std::move(body));
    if (!answer && says(answer.error(), "message to delete not found"))
        co_return api_result<void>{};
    co_return answer;
}

base::awaitable<api_result<void>> bot_api::set_reaction(
    chat_id chat, telegram_message_id message, std::string emoji
) {
    base::json::array reactions;
    if (!emoji.empty())
        reactions.push_back(json_object{{"type", "emoji"}, {"emoji", std::move(emoji)}});
    json_object body{
        {"chat_id", base::raw(chat)},
        {"message_id", base::raw(message)},
        {"reaction", std::move(reactions)},
    };
    return done(set_reaction_method, std::move(body));
}

base::awaitable<api_result<void>> bot_api::answer_callback_query(
    std::string query, std::string note, bool alert
) {
    json_object body{{"callback_query_id", std::move(query)}};
    if (!note.empty()) body["text"] = std::move(note);
    if (alert) body["show_alert"] = true;
    return done(answer_press_method, std::move(body));
}

base::awaitable<api_result<agent::chat_member>> bot_api::get_chat_member(
    chat_id chat, user_id user
) {
    json_object body{{"chat_id", base::raw(chat)}, {"user_id", base::raw(user)}};
    auto answer = co_await call(get_member_method, std::move(body));
    if (!answer) co_return answer.error();
    base::json_reader root{*answer};
    auto member = member_from(root);
    member.user = user;
    if (root.failed()) co_return api_failure{root.failure(), objection::none, {}};
    co_return member;
}

base::awaitable<api_result<std::vector<agent::chat_member>>> bot_api::get_administrators(
    chat_id chat
) {
    json_object body{{"chat_id", base::raw(chat)}};
    auto answer = co_await call(get_administrators_method, std::move(body));
    if (!answer) co_return answer.error();
    base::json_reader root{*answer};
    std::vector<agent::chat_member> members;
    for (auto const& entry : root.items_or_none()) members.push_back(member_from(entry));
    if (root.failed()) co_return api_failure{root.failure(), objection::none, {}};
    co_return members;
}

base::awaitable<api_result<void>> bot_api::moderate(chat_id chat, agent::moderation act) {
    for (auto& call_body : bodies_of(chat, act)) {
        auto answer = co_await done(method_of(act), std::move(call_body));
        if (!answer && !is_so_already(act, answer.error())) co_return answer;
    }
    co_return api_result<void>{};
}

base::awaitable<api_result<std::string>> bot_api::get_file(std::string file, std::size_t most) {
    json_object body{{"file_id", std::move(file)}};
    auto answer = co_await call(get_file_method, std::move(body));
    if (!answer) co_return answer.error();
    base::json_reader root{*answer};
    auto const path = root["file_path"].string_or("");
    auto const size = root["file_size"].int64_or(0);
    if (std::cmp_greater(size, most))
        co_return api_failure{{errc::too_large, "the file is too large"}, objection::none, {}};
    if (!is_file_path(path)) co_return unreadable(get_file_method);
    co_return co_await download(path, most);
}

base::awaitable<api_result<void>> bot_api::send_typing(
    chat_id chat, thread_id thread, std::optional<business_route> business
) {
    auto body = body_of_place(chat, business);
    body["action"] = "typing";
    if (thread != thread_id{}) body["message_thread_id"] = base::raw(thread);
    return done(chat_action_method, std::move(body));
}

// An answer that says ok.
base::awaitable<api_result<net::http_answer>> bot_api::request(api_method method, wire_body body) {
    base::stopwatch watch(calls_, method.name, clock_);
    auto answer = co_await post(method, std::move(body));
    if (answer)
        watch.succeeded();
    else
        watch.failed(answer.error().cause.code);
    co_return answer;
}

base::awaitable<api_result<net::http_answer>> bot_api::post(api_method method, wire_body body) {
    net::http_call call;
    call.origin = base_.origin;
    call.target = base_.path + "/bot" + token_.reveal() + "/" + std::string(method.name);
    call.headers.add("Content-Type", std::move(body.type));
    call.body = std::move(body.text);
    call.idempotent = !method.sends;
    call.connect_timeout = std::min(call.connect_timeout, method.patience);
    call.first_byte_timeout = method.patience;
    call.total_timeout = method.patience + transfer;
    auto answer = co_await http_.send(std::move(call));
    if (!answer) co_return lost(method, answer.error());
    if (answer->status == 200) co_return std::move(*answer);
    auto failure = failure_of(*answer, method.sends, clock_.now());
    failure.cause.detail = mask(std::move(failure.cause.detail), token_.reveal());
    co_return failure;
}

base::awaitable<api_result<std::string>> bot_api::download(std::string path, std::size_t most) {
    net::http_call call;
    call.method = "GET";
    call.origin = base_.origin;
    call.target = base_.path + "/file/bot" + token_.reveal() + "/" + path;
    call.idempotent = true;
    call.total_timeout = longest_download;
    call.answer_limit = most;
    auto answer = co_await http_.send(std::move(call));
    if (!answer && answer.error() == errc::too_large)
        co_return api_failure{answer.error(), objection::none, {}};
    if (!answer) co_return lost(get_file_method, answer.error());
    if (answer->status == 200) co_return std::move(answer->body);
    auto failure = failure_of(*answer, false, clock_.now());
    failure.cause.detail = mask(std::move(failure.cause.detail), token_.reveal());
    co_return failure;
}

base::awaitable<api_result<base::json::value>> bot_api::call(api_method method, json_object body) {
    return call_with(method, {base::json_text(body)});
}

// Its result member.
base::awaitable<api_result<base::json::value>> bot_api::call_with(
    api_method method, wire_body body
) {
    auto answer = co_await request(method, std::move(body));
    if (!answer) co_return answer.error();
    auto json = base::parse_json(answer->body);
    if (!json || !json->is_object()) co_return unreadable(method);
    auto* ok = json->get_object().if_contains("ok");
    auto* result = json->get_object().if_contains("result");
    if (!ok || !result || *ok != true) co_return unreadable(method);
    co_return std::move(*result);
}

base::awaitable<api_result<void>> bot_api::done(api_method method, json_object body) {
    auto answer = co_await call(method, std::move(body));
    if (!answer) co_return answer.error();
    co_return api_result<void>{};
}

base::result<std::unique_ptr<bot_api>> make_bot_api(
    net::http_client& http, base::clock& clock, bot_api_options options
) {
    auto base = net::parse_base_url(options.base);
    if (!base) return base.error();
    if (!valid_token(options.token.reveal()))
        return base::error(errc::invalid, "the bot token is no Telegram token");
    return std::unique_ptr<bot_api>(
        std::make_unique<bot_api>(http, clock, std::move(*base), std::move(options))
    );
}

} // namespace postrider::telegram
