#pragma once
// The calls of a simulated Bot API: arguments checked and answers made as the real one does, on the
// state of one bot. No HTTP here.
#include "server/telegram/simulation.hpp"

#include <deque>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace postrider::telegram {

struct simulated_content {
    std::string text; // or the caption
    std::string buttons;
    bool is_media = false;

    bool operator==(simulated_content const&) const = default;
};

// A BusinessConnection, as updates and answers have it.
base::json::object connection_json(simulated_connection const& connection, std::int64_t date);

// Messages and members of all chats, and the commands of all bots: ids are given here, and what can
// be edited is remembered.
class simulated_chats {
public:
    // A connection with a business account, as it is from now on.
    void connect(simulated_connection connection) {
        auto id = connection.id;
        connections_[std::move(id)] = std::move(connection);
    }
    simulated_connection const* connection(std::string const& id) const {
        auto const entry = connections_.find(id);
        return entry == connections_.end() ? nullptr : &entry->second;
    }
    // Where the messages of a chat of that account are kept: they are numbered by the account, whatever else the
    // customer's id names.
    chat_id place_in_business(std::string const& id, chat_id customer);

    telegram_message_id next(chat_id chat) { return telegram_message_id{++last_[chat]}; }
    // A message that somebody wrote there.
    bool has(chat_id chat, telegram_message_id message) const {
        auto const entry = last_.find(chat);
        auto const id = base::raw(message);
        return entry != last_.end() && id > 0 && id <= entry->second &&
               !removed_.contains({chat, message});
    }
    void remove(chat_id chat, telegram_message_id message);
    void meet(chat_id chat) { known_.insert(chat); }
    // Messages up to the last one were written there before.
    void resume(chat_id chat, telegram_message_id last) {
        meet(chat);
        last_[chat] = base::raw(last);
    }
    bool knows(chat_id chat) const { return known_.contains(chat); }
    simulated_content* sent(chat_id chat, telegram_message_id message);
    void keep(chat_id chat, telegram_message_id message, simulated_content content);

    // The id of a press that waits for its answer.
    std::string ask();
    // False: there is none, or it was answered.
    bool answer(std::string const& query) { return queries_.erase(query) > 0; }

    // As ChatMember's status; "" = never seen there.
    std::string standing(chat_id chat, user_id user) const;
    void set_standing(chat_id chat, user_id user, std::string status);
    std::vector<std::pair<user_id, std::string>> members(chat_id chat) const;
    // Administrators may do all, but what they were denied: "can_delete_messages".
    bool may(chat_id chat, user_id user, std::string const& right) const;
    void deny(chat_id chat, user_id user, std::string right) {
        denied_.insert({chat, user, std::move(right)});
    }
    void link(chat_id group, chat_id channel) { linked_[group] = channel; }
    void set_title(chat_id group, std::string title) { titles_[group] = std::move(title); }
    std::string title(chat_id group) const {
        auto const entry = titles_.find(group);
        return entry == titles_.end() ? std::string() : entry->second;
    }
    std::optional<chat_id> linked(chat_id group) const {
        auto const channel = linked_.find(group);
        return channel == linked_.end() ? std::nullopt : std::optional(channel->second);
    }
    void ask_to_join(chat_id chat, user_id user) { joining_.insert({chat, user}); }
    // False: the user does not ask to join.
    bool answer_join(chat_id chat, user_id user) { return joining_.erase({chat, user}) > 0; }
    void hear(chat_id chat, user_id user) { standings_.try_emplace({chat, user}, "member"); }

    static constexpr std::size_t most_files = 64;
    static constexpr std::size_t most_file_bytes = 24u << 20; // of all together

    // The file that somebody sent, by its id from then on. The oldest go where there are too many, or too
    // large ones.
    std::string keep_file(std::string bytes);
    std::string const* file(std::string_view id) const;

    // As BotCommand; what @BotFather would set, too.
    base::json::array& commands_of(user_id bot, std::string const& list) {
        return commands_[{bot, list}];
    }

private:
    std::map<std::string, simulated_connection> connections_;
    std::map<std::pair<user_id, chat_id>, chat_id> business_places_;
    std::map<chat_id, std::int64_t> last_;
    std::set<chat_id> known_; // a bot cannot write first
    std::map<std::pair<chat_id, telegram_message_id>, simulated_content> sent_;
    std::map<std::pair<chat_id, user_id>, std::string> standings_;
    std::map<std::pair<user_id, std::string>, base::json::array> commands_;
    std::set<std::string> queries_;
    std::set<std::tuple<chat_id, user_id, std::string>> denied_;
    std::set<std::pair<chat_id, user_id>> joining_;
    std::map<chat_id, chat_id> linked_;
    std::map<chat_id, std::string> titles_;
    struct kept_file {
        std::string id;
        std::string bytes;
    };
    std::deque<kept_file> files_; // oldest first
    std::size_t file_bytes_ = 0;
    std::int64_t last_file_ = 0;
    std::int64_t last_query_ = 4'000'000'000;
    std::set<std::pair<chat_id, telegram_message_id>> removed_;
};

struct simulated_answer {
    int status = 200;
    std::string raw; // the JSON body

    static simulated_answer ok(base::json::value result);
    static simulated_answer failure(
        int status, std::string_view description, base::json::object parameters = {}
    );
};

base::json::object bot_user(simulated_bot const& bot);

// Carries out the call and notes in it what it did.
base::awaitable<simulated_answer> carry_out(
    simulated_call& call,
    simulated_bot const& bot,
    simulated_deliveries& updates,
    simulated_chats& chats,
    base::clock& clock,
    std::span<simulated_method const> more_methods
);

} // namespace postrider::telegram
