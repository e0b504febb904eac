#pragma once
// The port through which agents speak to people, and act where they speak. server/telegram and
// server/chat implement it; agents know no wire format.
//
// Errors of all its calls: rate_limited (retry_after: a delay for that chat), unauthorized (the bot
// is stopped), refused (understood and declined for good: the chat does not want us, or we lack the
// right), invalid (never accepted in this form), unavailable or timeout (certainly not done),
// not_found (no such bot). A call adds those that it names. What is called idempotent may be done
// again after any failure: twice equals once.
#include "agent/talk/address.hpp"
#include "agent/talk/content.hpp"
#include "agent/talk/moderation.hpp"
#include "base/async.hpp"
#include "storage/stores/message_author.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct outgoing {
    address to;
    message_content content;        // one part (see split)
    telegram_message_id reply_to{}; // 0 = none
    // The job that says it, and what tells it apart from whatever else the job says: the same at
    // every try. Where it stands in the history of the job's lane already, its row's position.
    job_id job{};
    std::string key = {};
    std::optional<std::int64_t> position = {};
    // Who says it, for a place that has no row of it yet.
    storage::message_origin origin = storage::message_origin::engine;
};

enum class member_standing { owner, administrator, member, restricted, left, banned };
std::string_view to_string(member_standing standing) noexcept;
std::optional<member_standing> standing_from_string(std::string_view name) noexcept;
inline bool runs_chat(member_standing standing) noexcept {
    return standing == member_standing::owner || standing == member_standing::administrator;
}

struct chat_member {
    user_id user{};
    std::string name; // as shown; "" = not told
    member_standing standing = member_standing::member;
    std::string username = {}; // without '@'
    std::string first_name = {};
    std::string last_name = {};
    // As an administrator; an owner may do all.
    bool may_delete = false;   // messages of others
    bool may_restrict = false; // and ban
    bool may_invite = false;   // and answer requests to join
};

class messenger {
public:
    virtual ~messenger() = default;

    // Sends one message and returns its id in the chat, 0 where that was not told. Not idempotent;
    // also ambiguous: it may have been sent.
    virtual base::awaitable<base::result<telegram_message_id>> send(outgoing message) = 0;

    // Gives a message of the bot another text and other buttons: none = it has none any more. With
    // an empty text only the buttons change; its media never do. Idempotent: a message that is so
    // already is a success.
    virtual base::awaitable<base::result<void>> edit(
        address chat, telegram_message_id message, message_content content
    ) = 0;
    // Puts a reaction on a message; "" takes it away. Idempotent.
    virtual base::awaitable<base::result<void>> react(
        address chat, telegram_message_id message, std::string emoji
    ) = 0;
    // Takes a message away; one that is gone already is a success. Idempotent.
    virtual base::awaitable<base::result<void>> remove(
        address chat, telegram_message_id message
    ) = 0;

    // Ends the wait of who pressed a button, with a note of 200 characters at most; "" = without one.
    // `alert`: to be closed by hand. The intake has answered a press that comes as an event. Also
    // stale: the press is too old, or was answered. Doing it twice does no harm.
    virtual base::awaitable<base::result<void>> answer_press(
        address chat, std::string press, std::string note, bool alert
    ) = 0;

    // What the user is there; also not_found: the user was never there. Only reads.
    virtual base::awaitable<base::result<chat_member>> get_member(address chat, user_id user) = 0;
    // Who runs the chat, as of a few minutes ago at most; without other bots, and with the channel that is linked
    // with it, by its number. Only reads.
    virtual base::awaitable<base::result<std::vector<chat_member>>> get_administrators(address chat
    ) = 0;
    // They have changed: the next question is asked anew. Nothing where nobody keeps the answers.
    virtual void forget_administrators(address const& /*chat*/) {}
    // The group's name as people see it, as of a few minutes ago at most; "" = it is not told. Only reads, and never fails.
    virtual base::awaitable<std::string> get_title(address /*chat*/) { co_return std::string(); }
    // Also not_found: there is no such user. Refused also where the user may not be touched, or a message
    // is too old. Idempotent, the last one counts.
    virtual base::awaitable<base::result<void>> moderate(address chat, moderation act) = 0;

    // The bytes of a file that came with a message from there, by the messenger's id. Also too_large: it
    // has more than `most`. Only reads.
    virtual base::awaitable<base::result<std::string>> load_file(
        address chat, std::string file, std::size_t most
    ) = 0;

    // The bot of that name in this node's configuration.
    virtual std::optional<bot_id> find_bot(std::string_view name) const = 0;
    // False: this node's configuration lacks what is needed to speak there, or may not use it while another
    // node's may.
    virtual bool serves(address const& /*to*/) const { return true; }

    // The address by which people are there by now: a group may have become a supergroup. On any thread.
    virtual address current(address const& to) const { return to; }

    // What a send to there counts against (queue/limits/limits.hpp); "" = nothing.
    virtual std::string resource(address const& /*to*/) const { return {}; }

    // "typing…" for about five seconds. Never fails visibly.
    virtual base::awaitable<void> typing(address chat) = 0;

    // The content in parts that send() accepts there, cut on good boundaries, the buttons at the last
    // one; at least one part, none empty. A text that must be cut loses its markup.
    virtual std::vector<message_content> split(address const& chat, message_content content)
        const = 0;
};

// People are at both addresses alike, by now.
inline bool same_place(messenger const& out, address const& a, address const& b) {
    return a == b || out.current(a) == out.current(b);
}

} // namespace postrider::agent
