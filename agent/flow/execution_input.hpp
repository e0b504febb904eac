#pragma once
// What started an execution: the input of its job.
#include "agent/talk/image.hpp"
#include "agent/talk/messenger.hpp"
#include "base/error.hpp"
#include "storage/stores/messages.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// The kinds of job that run flows: one that answers a message, and any other.
inline constexpr std::string_view turn_kind = "turn";
inline constexpr std::string_view flow_kind = "flow";

// The earlier message that another one replies to.
struct replied_message {
    user_id user{};
    std::string name = {}; // as shown
    bool own = false;      // it is one of ours
    std::string text = {};
};

// A message before the one that an execution answers, which its lane's mailbox joined to that one.
struct joined_message {
    std::string text = {};
    user_id user{};
    std::vector<image_source> images = {};
    std::string attachment = {};
    std::optional<replied_message> replied = {};
};

// A person's message, in a chat or over the chat API. Its text stands in the message's row (position
// 0 of the turn), not here.
struct heard_message {
    address from;
    user_id user{};
    telegram_message_id message{}; // what is answered; over the chat API the turn's number
    std::vector<image_source> images = {};
    bool addressed = true;       // false: said in a group to others
    std::string attachment = {}; // what came with it and nothing here can read: "voice message"
    std::optional<replied_message> replied = {};
    bool of_album = false; // more of it may come, within a moment
    // In which the person is told where no message of theirs is in one: "de". "" = it is not known.
    std::string usual_language = {};
    // Oldest first; their images stand before its own. Read when the execution begins, no part of the job's input.
    std::vector<joined_message> joined = {};
};

// The newest images of all of them are the message's, as many as one may have.
void join(heard_message& heard, std::vector<joined_message> messages);

// What a flow's first node passes on of it.
boost::json::object item_of(heard_message const& message, std::string_view text);

struct execution_input {
    std::string flow;
    std::int64_t version = 0; // pinned when the job is made
    std::string trigger; // a node's id; "" = the only one, or of a command: none takes its place
    std::string agent = "assistant";         // [agents.NAME]: $vars.agent
    std::optional<heard_message> heard = {}; // whom the execution answers
    // The message is this command (agent/language/command.hpp), which is answered in place of the flow.
    std::string command = {};
    // The lane of the command's chat, whose history it belongs to, where the job has a lane beside it.
    std::optional<lane_id> chat_lane = {};
    std::optional<job_id> ended_turn = {}; // that the command has ended
    bool others_turn = false;              // there is one that it may not end
    std::string language = {};             // of the stop word that the command was; "" = none
    boost::json::value data = {};          // what any other trigger passes on
    bool after_failure = false;            // begun as another flow's error flow
    bool silent = false;                   // forked to look: nobody is answered
    // Of a silent one, whose lane is its own: the original's turn, before which it stands.
    std::optional<storage::turn_place> history = {};
    // For trying things out.
    std::string start = {};          // a node's id: begin there, with `data`
    bool only = false;               // and run no other
    boost::json::object pinned = {}; // items by node name: those nodes do not run
    // The draft as it was when the job was made; `version` is then 0. Null = the version's.
    boost::json::value document = {};

    bool answers_a_message() const noexcept { return heard.has_value(); }
    // The chat that is to read what is said, if any.
    heard_message const* answered() const noexcept { return heard && !silent ? &*heard : nullptr; }
};

boost::json::value to_json(execution_input const& input);
base::result<execution_input> execution_input_from(boost::json::value const& input);

} // namespace postrider::agent::flow
