#include "server/chat/conversation_messenger.hpp"

#include "storage/query.hpp"
#include "storage/stores/conversations.hpp"

#include <boost/json/object.hpp>

#include <charconv>

namespace postrider::chat {

namespace {

namespace json = boost::json;
using base::errc;

constexpr base::duration deadline = std::chrono::seconds{10};

base::error no_message() {
    return {errc::invalid, "the conversation has no such message"};
}

// Whatever became of the commit: it may be done again.
base::error failure_of(base::error cause) {
    if (cause == errc::ambiguous || cause == errc::conflict) cause.code = errc::unavailable;
    if (cause == errc::poison) cause.code = errc::invalid;
    return cause;
}

// What is shown beside the text.
json::object shown_of(agent::message_content const& content) {
    auto shown = agent::to_json(content);
    shown.erase("text");
    return shown;
}

} // namespace

conversation_messenger::conversation_messenger(
    storage::batcher& writes, storage::batcher& reads, base::random_source& random
)
    : refusing_messenger({errc::refused, "a conversation has one person, who stays"}),
      writes_(writes),
      reads_(reads),
      random_(random) {}

base::awaitable<base::result<telegram_message_id>> conversation_messenger::send(
    agent::outgoing message
) {
    if (auto violation = agent::content_violation(message.content)) co_return *violation;
    storage::conversation_message row;
    row.conversation = conversation_of(message.to);
    row.job = message.job;
    row.position = message.position;
    row.key = std::move(message.key);
    row.id = base::nanoid(random_);
    row.origin = message.origin;
    row.shown = shown_of(message.content);
    row.content = std::move(message.content.text);
    auto sent = co_await storage::query(writes_, storage::send_to_conversation(row), deadline);
    if (!sent) co_return failure_of(sent.error());
    auto const number = storage::read_sent(sent->at(0));
    if (!number) co_return base::error(errc::refused, "there is no such conversation");
    co_return *number;
}

base::awaitable<base::result<void>> conversation_messenger::edit(
    agent::address chat, telegram_message_id message, agent::message_content content
) {
    if (auto violation = agent::content_violation(content, true)) co_return *violation;
    storage::message_change edit{conversation_of(chat), message, true};
    auto const shown = shown_of(content);
    auto const* buttons = shown.if_contains("buttons");
    edit.shown["buttons"] = buttons ? *buttons : json::value();
    if (!content.text.empty()) {
        auto const* markup = shown.if_contains("markup");
        edit.shown["markup"] = markup ? *markup : json::value();
        edit.content = std::move(content.text);
    }
    auto const changed = co_await change(std::move(edit));
    if (!changed) co_return changed.error();
    if (!*changed) co_return no_message();
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> conversation_messenger::react(
    agent::address chat, telegram_message_id message, std::string emoji
) {
    storage::message_change reaction{conversation_of(chat), message};
    reaction.shown["reaction"] = emoji.empty() ? json::value() : json::value(emoji);
    auto const changed = co_await change(std::move(reaction));
    if (!changed) co_return changed.error();
    if (!*changed) co_return no_message();
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> conversation_messenger::remove(
    agent::address chat, telegram_message_id message
) {
    storage::message_change removal{conversation_of(chat), message};
    removal.shown["removed"] = true;
    auto const changed = co_await change(std::move(removal));
    if (!changed) co_return changed.error();
    co_return base::result<void>{};
}

// Nobody waits for it: the request that pressed was answered. A press is known by its message.
base::awaitable<base::result<void>> conversation_messenger::answer_press(
    agent::address chat, std::string press, std::string note, bool alert
) {
    std::int64_t number = 0;
    auto const* end = press.data() + press.size();
    auto const read = std::from_chars(press.data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end)
        co_return base::error(errc::stale, "there was no such press");
    storage::message_change answer{conversation_of(chat), telegram_message_id{number}};
    answer.shown["note"] = json::value();
    if (!note.empty()) answer.shown["note"] = {{"text", note}, {"alert", alert}};
    auto const changed = co_await change(std::move(answer));
    if (!changed) co_return changed.error();
    if (!*changed) co_return base::error(errc::stale, "the message is gone");
    co_return base::result<void>{};
}

base::awaitable<base::result<agent::chat_member>> conversation_messenger::get_member(
    agent::address chat, user_id user
) {
    auto own = storage::find_conversation(conversation_of(chat), user);
    auto const messages = co_await storage::query(reads_, std::move(own), deadline);
    if (!messages) co_return failure_of(messages.error());
    if (messages->empty())
        co_return base::error(errc::not_found, "it is not the user's conversation");
    agent::chat_member member;
    member.user = user;
    co_return member;
}

base::awaitable<base::result<bool>> conversation_messenger::change(storage::message_change change) {
    auto row = storage::change_in_conversation(change);
    auto const changed = co_await storage::query(writes_, std::move(row), deadline);
    if (!changed) co_return failure_of(changed.error());
    co_return changed->at(0).boolean(1);
}

} // namespace postrider::chat
