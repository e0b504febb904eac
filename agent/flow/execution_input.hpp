#pragma once
// What started an execution: the input of its job.
#include "agent/talk/image.hpp"
#include "agent/talk/message_file.hpp"
#include "agent/talk/messenger.hpp"
#include "base/error.hpp"
#include "base/json/json.hpp"
#include "storage/stores/messages.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
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
    std::optional<message_file> file = {};     // that it brings
    telegram_message_id message{};             // 0 = of another chat
    std::string album = {};                    // that it is a part of
    std::vector<message_file> more_files = {}; // of that album, where the intake has them
};

// Where a forwarded message was first: whose words it holds.
struct forwarded_message {
    user_id user{}; // 0 = not told, or a chat
    std::string name = {};
    bool is_chat = false; // a channel or a group
};

// A message before the one that an execution answers, which its lane's mailbox joined to that one.
struct joined_message {
    std::string text = {};
    user_id user{};
    std::vector<image_source> images = {};
    std::string attachment = {};
    std::optional<replied_message> replied = {};
    // Of what a flow sees that watches its group: the item of this one.
    boost::json::object item = {};
    std::vector<message_file> files = {};
    std::optional<forwarded_message> forwarded = {};
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
    // Of a flow that watches the group: what happened, as agent/talk/group_event.hpp writes it. It is then no
    // question: nobody waits for an answer. Empty = of any other flow.
    boost::json::object seen = {};
    // Oldest first; their images stand before its own. Read when the execution begins, no part of the job's input.
    std::vector<joined_message> joined = {};
    std::optional<message_file> file = {};
    std::vector<message_file> more_files = {}; // of the other parts of its album
    std::optional<forwarded_message> forwarded = {};
    bool is_spoken = false;        // its file is speech, to be written down
    std::chrono::seconds length{}; // of that, as the messenger says; zero = it does not
    bool wordless = false;         // nothing was written: its text says only what it is
};

// Of what `files` of an input holds. Tolerant.
std::vector<message_file> files_from(base::json_reader const& listed);

// All of it, the newest last: without those of joined messages.
std::vector<message_file> files_of(heard_message const& heard);

// By which items refer to a file of the message (parts/item_file.hpp).
std::string id_of(message_file const& file);

// The newest images of all of them are the message's, as many as one may have.
void join(heard_message& heard, std::vector<joined_message> messages);

// What a flow's first node passes on of it.
boost::json::object item_of(heard_message const& message, std::string_view text);

// An agent's past turn again, with another model or prompt, to compare them. Nothing but that agent runs anew,
// and it acts on nothing.
struct trial {
    job_id original{};
    std::string node; // the agent's id
    // Calls of the original with what became of them (watch/agent_record.hpp): the same call gets the same.
    boost::json::array calls = {};
};
boost::json::value to_json(trial const& trial);

struct execution_input {
    std::string flow;
    std::int64_t version = 0; // pinned when the job is made
    std::string trigger; // a node's id; "" = the only one, or of a command: none takes its place
    std::string agent = "assistant";         // [agents.NAME]: $vars.agent
    std::optional<heard_message> heard = {}; // whom the execution answers
    // The message is this command (agent/language/command.hpp), which is answered in place of the flow.
    std::string command = {};
    std::string argument = {}; // of the command: what stands behind it
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
    std::string start = {}; // a node's id: begin there, with `data`
    bool only = false;      // and run no other
    std::string until = {}; // a node's id: nothing behind it runs, and nothing beside the way there
    boost::json::object pinned = {}; // items by node name: those nodes do not run
    // The draft as it was when the job was made; `version` is then 0. Null = the version's.
    boost::json::value document = {};
    std::optional<flow::trial> trial = {};

    bool answers_a_message() const noexcept { return heard.has_value(); }
    // The chat that is to read what is said, if any.
    heard_message const* answered() const noexcept { return heard && !silent ? &*heard : nullptr; }
};

boost::json::value to_json(execution_input const& input);
base::result<execution_input> execution_input_from(boost::json::value const& input);

} // namespace postrider::agent::flow
