#pragma once
// The Bot API's methods that the product calls, for one bot. On the executor's one thread.
//
// The token stands in every request's path: it is a secret here and reaches no log and no error
// detail. Source: Bot API 10.3; codes and parameters decide, texts are only a hint (Telegram may
// change them).
#include "agent/talk/messenger.hpp"
#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/json/json.hpp"
#include "base/measures.hpp"
#include "base/secret.hpp"
#include "net/http_client.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::telegram {

// One call ends by then: of a method that sends, and of any other but the poll.
inline constexpr base::duration longest_send = std::chrono::seconds{65};
inline constexpr base::duration longest_change = std::chrono::seconds{20};

// What a 400 finds fault with, where the same message in another form would be taken.
enum class objection {
    none,
    markup,       // malformed: plain text is taken
    length,       // a shorter text is taken
    thread,       // a forum topic that is gone or closed: without one it is taken
    reply_target, // gone: without a reply it is taken
    no_text,      // of media: its caption can be edited
};

std::string_view to_string(objection objection) noexcept;

// Codes: rate_limited (retry_after), unauthorized (401), refused (403, or a 400 about the chat or a
// right), conflict (409: another poller or a webhook), stale (a press that is too old, or was
// answered), invalid (other 4xx), not_found (no such user, method or token form), unavailable or
// timeout (certainly not done), ambiguous (sends only: may have been done, a 5xx among them).
struct api_failure {
    base::error cause;
    telegram::objection objection = objection::none;
    std::optional<chat_id> migrated_to; // 400: the group has this id now
};

// Found by value(), as base's for base::error.
[[noreturn]] inline void throw_exception_from_error(
    api_failure const& failure, boost::source_location const& where
) {
    base::throw_exception_from_error(failure.cause, where);
}

template<class T>
using api_result = boost::system::result<T, api_failure>;

struct bot_identity {
    user_id id{};
    std::string username;
    bool reads_all_group_messages = false;
};

// Kinds of updates that Telegram is asked for beside messages, edits, presses and changes of the bot itself.
// All but the last two are told of groups in which the bot is an administrator.
struct update_kinds {
    bool member_changes = false; // of others than the bot
    bool reactions = false;
    bool join_requests = false;
    bool business = false; // connections with business accounts, and what happens in their chats
    bool stops = false;    // of drafts, in private chats

    bool operator==(update_kinds const&) const = default;
};

struct webhook_settings {
    std::string url;
    base::secret secret;
    int max_connections = 40;
    update_kinds more = {};
};

struct webhook_info {
    std::string url = {}; // empty: none is set
    std::int64_t pending = 0;
    std::string last_error = {};
    std::optional<base::sys_time> last_error_at = {};
};

// What Telegram lists for a person who types '/'.
struct bot_command {
    std::string name; // without its '/'
    std::string description;

    bool operator==(bot_command const&) const = default;
};

// For whom a list of commands is; the list of private chats goes before the other one there.
enum class command_scope { everywhere, private_chats };

struct command_list {
    command_scope scope = command_scope::everywhere;
    std::string language =
        {}; // ISO 639-1; "" = of all people whose language has no list of the scope
};

// How a chat of a business account is written to.
struct business_route {
    std::string connection;
    chat_id chat{}; // as Telegram calls it
};

struct send_request {
    chat_id chat{};
    thread_id thread{}; // forum topic, 0 = none
    agent::message_content content;
    telegram_message_id reply_to{};              // 0 = none; a deleted one is no reason to fail
    std::optional<business_route> business = {}; // goes before `chat`
};

struct edit_request {
    chat_id chat{};
    telegram_message_id message{};
    agent::message_content content = {}; // with an empty text its buttons change alone
    bool is_caption = false;             // of media
    std::optional<business_route> business = {};
};

struct bot_api_options {
    std::string base = "https://api.telegram.org"; // as parse_base_url() takes it
    base::secret token;
    base::durations* calls = nullptr; // by method; outlives the api
};

// As it is sent.
struct wire_body {
    std::string text;
    std::string type = "application/json";
};

// A method, as far as waiting and repeating go: all that call() needs to know of it.
struct api_method {
    std::string_view name;
    bool sends = false; // not repeatable
    base::duration patience = std::chrono::seconds{15};
};

class bot_api {
public:
    bot_api(
        net::http_client& http, base::clock& clock, net::base_url base, bot_api_options options
    );

    // What any method gives back, as JSON.
    base::awaitable<api_result<base::json::value>> call(
        api_method method, base::json::object parameters
    );

    base::awaitable<api_result<bot_identity>> get_me();
    // The product's kinds of updates are named: what is omitted would keep an earlier setting.
    base::awaitable<api_result<void>> set_webhook(webhook_settings settings);
    // Waiting updates are kept.
    base::awaitable<api_result<void>> delete_webhook();
    base::awaitable<api_result<webhook_info>> get_webhook_info();
    // Empty where no such list was set.
    base::awaitable<api_result<std::vector<bot_command>>> get_my_commands(command_list list);
    base::awaitable<api_result<void>> set_my_commands(
        std::vector<bot_command> offered, command_list list
    );
    // Each update as it came, since each is judged by itself. `wait` up to 50 s; cancellable.
    base::awaitable<api_result<std::vector<std::string>>> get_updates(
        update_id offset, std::chrono::seconds wait, update_kinds more
    );
    // By the method for its kind of media, if it has any. An upload that cannot be loaded is unavailable or
    // invalid: certainly not sent.
    base::awaitable<api_result<telegram_message_id>> send_message(send_request message);
    // A message that is so already is a success.
    base::awaitable<api_result<void>> edit_message(edit_request message);
    // A message that is gone already is a success.
    base::awaitable<api_result<void>> delete_message(chat_id chat, telegram_message_id message);
    // "" takes the bot's reaction away.
    base::awaitable<api_result<void>> set_reaction(
        chat_id chat, telegram_message_id message, std::string emoji
    );
    base::awaitable<api_result<void>> answer_callback_query(
        std::string query, std::string note, bool alert
    );
    base::awaitable<api_result<agent::chat_member>> get_chat_member(chat_id chat, user_id user);
    // Of messages, 100 in a call; a person who is not banned is unbanned already, and one who was let in
    // already is let in.
    base::awaitable<api_result<void>> moderate(chat_id chat, agent::moderation act);
    // Without other bots.
    base::awaitable<api_result<std::vector<agent::chat_member>>> get_administrators(chat_id chat);
    // The bytes of a file that somebody sent; also too_large.
    base::awaitable<api_result<std::string>> get_file(std::string file, std::size_t most);
    base::awaitable<api_result<void>> send_typing(
        chat_id chat, thread_id thread, std::optional<business_route> business = {}
    );

private:
    base::awaitable<api_result<net::http_answer>> request(api_method method, wire_body body);
    base::awaitable<api_result<net::http_answer>> post(api_method method, wire_body body);
    base::awaitable<api_result<base::json::value>> call_with(api_method method, wire_body body);
    base::awaitable<api_result<base::json::value>> send_upload(send_request message);
    base::awaitable<api_result<void>> done(api_method method, base::json::object body);
    base::awaitable<api_result<std::string>> download(std::string path, std::size_t most);

    net::http_client& http_;
    base::clock& clock_;
    net::base_url base_;
    base::secret token_;
    base::durations* calls_; // null: nobody counts
};

// invalid: a malformed base URL or token. The client must outlive the api.
base::result<std::unique_ptr<bot_api>> make_bot_api(
    net::http_client& http, base::clock& clock, bot_api_options options
);

// What an answer that is not ok means; `sends` for methods that cannot be repeated without harm.
// Pure.
api_failure failure_of(net::http_answer const& answer, bool sends, base::sys_time now);

} // namespace postrider::telegram
