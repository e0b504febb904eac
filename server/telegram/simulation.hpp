#pragma once
// A simulated Telegram on this machine: the Bot API over HTTP, bots, chats, and people who write.
// The product talks to it as to the real one; demo mode and the tests' fake are built on it.
//
// It has the methods that the product calls (simulated_api.cpp, simulated_methods.cpp); they check their
// arguments and answer as the real ones. Deliveries follow the real rules (simulated_deliveries.hpp). On the executor's one thread.
#include "server/telegram/simulated_deliveries.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace postrider::telegram {

// One request to the Bot API.
struct simulated_call {
    std::string method;
    std::string bot; // username; empty when the token is of none
    base::json::object params;
    chat_id chat{}; // where the method has one
    std::string text;
    base::steady_time at;
    int status = 0;                // as answered; 0 while it is not
    bool carried_out = false;      // also when the answer was lost
    telegram_message_id message{}; // made or edited by it
};

// What goes wrong with a call.
struct simulated_fault {
    base::duration delay{0};
    int status = 0; // other than 0: answered so, and not carried out
    std::string description{};
    base::json::object parameters{};
    bool lose_answer = false; // carried out, then the connection is closed
    bool lose_result = false; // carried out, but the answer says only that
};

struct simulated_bot {
    std::string token; // "100200:demo"
    user_id id{};
    std::string username;
    bool reads_all_group_messages = false; // its privacy mode is off
};

struct simulated_file {
    std::string name;
    std::string mime;
    std::string bytes;
};

// A person's business account, with which a bot is connected, or is not any more.
struct simulated_connection {
    std::string id;
    user_id account{};
    bool is_enabled = true;
    bool may_reply = true;
};

// What a person writes.
struct simulated_message {
    user_id from{};
    std::string name = "Alex";
    std::optional<chat_id> group{}; // none: the private chat of that person
    thread_id topic{};
    std::string text{};
    bool replies_to_bot = false;
    std::string photo{};                      // a JPEG's bytes, whose caption the text is then
    std::string album{};                      // that it is a part of
    std::optional<simulated_file> document{}; // whose caption the text is then
    std::string business{};    // the connection of the business account in whose chat it is written
    chat_id customer{};        // with that customer
    base::json::object more{}; // other members of the message, as Telegram sends them
};

// Who presses which button, by what the button carries.
struct simulated_press {
    user_id from{};
    std::string name = "Alex";
    chat_id chat{};
    telegram_message_id message{};
    std::string data{};
};

struct pressed {
    update_id update{};
    std::string query{}; // answerCallbackQuery takes it once
};

struct said {
    update_id update{};
    telegram_message_id message{};
};

// A method of the Bot API, carried out as simulated_methods.hpp tells.
struct desk;
struct simulated_answer;
struct simulated_method {
    std::string_view name;
    simulated_answer (*run)(desk const&);
};

struct simulation_options {
    std::string listen = "127.0.0.1:0";
    delivery_rules deliveries;
    // Asked before a call is carried out; told after its answer is fixed.
    std::function<simulated_fault(simulated_call const&)> fault = [](auto&) {
        return simulated_fault{};
    };
    std::function<void(simulated_call const&)> on_call = [](auto&) {};
    std::vector<simulated_method> more_methods = {}; // beside the product's
};

class simulation {
public:
    virtual ~simulation() = default;

    // Failures as http_server::start().
    virtual base::result<void> start() = 0;
    // "http://127.0.0.1:43121": what TELEGRAM_API_BASE is set to.
    virtual std::string api_base() const = 0;
    virtual void add_bot(simulated_bot bot) = 0;
    // A chat that began before this simulation did: bots may write there at once, and messages are
    // numbered on from the last one.
    virtual void resume(chat_id chat, telegram_message_id last) = 0;
    // A message that a bot sent there before, which it can change and delete.
    virtual void recall(chat_id chat, telegram_message_id message, std::string text) = 0;

    // A person writes, or edits what they wrote; the bot of that username gets the update.
    virtual said say(std::string const& username, simulated_message message) = 0;
    virtual update_id edit(
        std::string const& username, simulated_message message, telegram_message_id id
    ) = 0;
    // A person presses a button of a message of the bot, whether it has that button or not.
    virtual pressed press(std::string const& username, simulated_press press) = 0;
    // What a person is in a group from now on, as ChatMember's status; the bot itself is a member
    // without rights until told otherwise. Bots that are administrators get a chat_member update.
    virtual void set_member(
        std::string const& username, chat_id group, user_id user, std::string status
    ) = 0;
    // A right that an administrator lacks from now on: "can_delete_messages".
    virtual void deny(chat_id group, user_id user, std::string right) = 0;
    // The channel whose posts come to the group from now on.
    virtual void link(chat_id group, chat_id channel) = 0;
    // The group's name from now on; without one, nobody is told of it.
    virtual void set_title(chat_id group, std::string title) = 0;
    // A person asks to join a group, which its bots that are administrators are told.
    virtual update_id ask_to_join(std::string const& username, chat_id group, user_id user) = 0;
    // A person connects the bot with their business account, or changes or ends that.
    virtual update_id connect(std::string const& username, simulated_connection connection) = 0;
    // Any other update, without its id; `queue` names the order it stands in.
    virtual update_id deliver(
        std::string const& username, std::string queue, base::json::object update
    ) = 0;
    // The queues of a bot, for what is not foreseen here.
    virtual simulated_deliveries& deliveries(std::string const& username) = 0;

    virtual base::awaitable<void> stop() = 0;
};

// Everything given must outlive it.
std::unique_ptr<simulation> make_simulation(
    base::asio::any_io_executor executor,
    net::http_client& http,
    base::clock& clock,
    base::random_source& random,
    simulation_options options = {}
);

} // namespace postrider::telegram
