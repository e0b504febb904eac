#pragma once
// The calls of a simulated Bot API: arguments checked and answers made as the real one does, on the
// state of one bot. No HTTP here.
#include "server/telegram/simulation.hpp"

#include <map>
#include <set>

namespace postrider::telegram {

// Messages of all chats: ids are given here, and what can be edited is remembered.
class simulated_chats {
public:
    telegram_message_id next(chat_id chat) { return telegram_message_id{++last_[chat]}; }
    // A message that somebody wrote there.
    bool has(chat_id chat, telegram_message_id message) const {
        auto const found = last_.find(chat);
        auto const id = base::raw(message);
        return found != last_.end() && id > 0 && id <= found->second &&
               !removed_.contains({chat, message});
    }
    void remove(chat_id chat, telegram_message_id message);
    void meet(chat_id chat) { known_.insert(chat); }
    bool knows(chat_id chat) const { return known_.contains(chat); }
    std::string* sent(chat_id chat, telegram_message_id message);
    void keep(chat_id chat, telegram_message_id message, std::string text);

private:
    std::map<chat_id, std::int64_t> last_;
    std::set<chat_id> known_; // a bot cannot write first
    std::map<std::pair<chat_id, telegram_message_id>, std::string> sent_;
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

// Carries out the call and notes in it what it did.
base::awaitable<simulated_answer> carry_out(
    simulated_call& call,
    simulated_bot const& bot,
    simulated_deliveries& updates,
    simulated_chats& chats,
    base::clock& clock
);

} // namespace postrider::telegram
