#pragma once
// What people see of a simulated Telegram's chat: made of what the person writes and of the bot's calls
// that were carried out, and of nothing else. Pure.
#include "server/telegram/simulation.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

struct shown_message {
    telegram_message_id id{};
    bool is_persons = false;         // else the bot's
    std::string text = {};           // without markup
    std::string created_at = {};     // ISO 8601 in UTC, as all times here
    boost::json::array buttons = {}; // rows of {"text", "data" or "url"}
    std::string media = {};          // photo or document; "" = none
    std::string source = {};         // where that is, as the bot named it; "" = `picture` is it
    std::string picture = {};        // bytes
    bool is_picture_gone = false;    // there was one: only the newest are kept
    std::string reaction = {};
    std::string note = {}; // for the person who pressed a button of it
    std::string edited_at = {};

    bool has_button(std::string_view data) const;
};

class shown_chat {
public:
    static constexpr std::size_t most_pictures = 20;
    static constexpr std::size_t most_picture_bytes = 8u << 20; // of all together

    // In the order of their ids; the oldest go where there are too many, pictures before their messages.
    void add(shown_message message);
    // A press waits for its note, which the bot sends to the query.
    void press(telegram_message_id message, std::string query);
    // False: it changes nothing that is shown.
    bool carry_out(telegram::simulated_call const& call, std::string const& at);

    shown_message const* find(telegram_message_id message) const;
    // As Message of the API's description.
    boost::json::array to_json() const;

private:
    void drop_old_pictures();
    shown_message* at(telegram_message_id message);

    std::vector<shown_message> messages_;
    std::string query_; // of the newest press
    telegram_message_id pressed_{};
};

} // namespace postrider::server
