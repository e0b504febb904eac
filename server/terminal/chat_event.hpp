#pragma once
// The events of a conversation (docs/api.md, Watch a conversation) as a client reads them:
// tolerantly, since members are added. Pure.
#include "base/ids.hpp"
#include "net/sse.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::terminal {

struct chat_button {
    std::string text;
    std::string data = {}; // what a press of it says; "" = it opens the page
    std::string url = {};
};

struct chat_message {
    std::string id = {};
    std::string role = {};
    std::string content = {};
    std::string tool = {};      // of a tool's result: what was called
    std::string arguments = {}; // with these, as JSON
    std::string media = {};     // a URL
    std::vector<chat_button> buttons = {};
};

struct chat_event {
    std::string type = {}; // "" = it could not be read
    std::optional<job_id> job = {};
    std::optional<job_id> answered_by = {}; // of done
    std::string state = {};                 // of turn
    std::string paused = {};                // of turn: all or lane; "" = it is not
    std::string lane = {};                  // of turn: the lane that is paused
    std::string tool = {};                  // of step; "" = it thinks
    std::string text = {};                  // of words; of failed and cancelled: why
    chat_message message = {};              // of message; of message_removed its id
};

chat_event read_chat_event(net::sse_event const& event);

// The buttons that answer a question, in order.
std::vector<chat_button> answers_of(chat_message const& message);

// Which of them a person means who writes its number or its words.
std::optional<chat_button> chosen_answer(chat_message const& question, std::string_view written);

} // namespace postrider::terminal
