#pragma once
// Which flow is started by what comes from outside. Pure. A flow that changes is removed and added
// again; that costs what it and its rivals have, whatever others there are.
//
// Of several flows that take a message the most specific wins: one for its command over one for its
// chat, that over one for its bot. Among equals the first by name wins, and the other is listed as
// rivalled. What none of them takes is for the flow that the bot's `agent` names, whatever the
// first of its triggers asks for; else likewise for the assistant that ships; else for the first by
// name of those that ask for nothing. What is said in a group to others is seen by those triggers
// alone whose `group_messages` asks for it. A command of ours (agent/language/command.hpp) is answered
// whatever the triggers ask for, by a flow of the message's chat and bot if there is one.
//
// What happens in a group that a trigger watches is that trigger's alone, whoever it is said to. Of several
// the more specific wins likewise.
#include "agent/flow/trigger.hpp"
#include "base/ids.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::flow {

// What a job's input pins: which version, started where.
struct start {
    std::string flow;
    std::int64_t version = 0;
    std::string node;   // the trigger's id; "" = of a command: the flow takes nothing of that place
    bool begins = true; // false: the message is stored, and starts nothing
    bool asks_for_command = false; // the trigger takes the message for its command
    bool lent = false; // no trigger asks for the command: it is answered in the chat's own lane
    bool takes_files = false; // the trigger takes a file without words

    bool operator==(start const&) const = default;
};

struct incoming_message {
    std::string_view bot; // its name in the configuration
    chat_id chat{};
    std::string_view command;    // "/help" of "/help@bot me"; "" = none
    std::string_view agent = {}; // the bot's
    bool addressed = true;       // false: said in a group to others
};

// What happened in a group.
struct group_incident {
    std::string_view bot; // its name in the configuration
    chat_id chat{};
    group_event event = group_event::message;
};

struct webhook_start {
    start to;
    request_opening requests;
};

// What both triggers ask for starts the other one.
struct rivalled_trigger {
    std::string flow;
    std::string node;
    start winner;
};

// What a flow's rivals would have in their documents too: the commands, chats or bots that its
// triggers of messages ask for; of one that asks for nothing, the trigger's type.
std::vector<std::string> words_of_rivals(definition const& flow, catalog const& types);

class triggers {
public:
    // A flow that has none here, in any order of names. Disabled nodes are left out.
    void add(std::int64_t version, definition const& flow, catalog const& types);
    void remove(std::string_view flow);

    std::optional<start> message(incoming_message const& message) const;
    // Nothing: no trigger watches the group for that.
    std::optional<start> group(group_incident const& incident) const;
    // What triggers watch the groups of the bot for.
    std::set<group_event> group_events(std::string_view bot) const;
    // What no trigger that asks for something takes: the flow that the bot's `agent` names, or the
    // assistant; where neither has a trigger, the first by name that asks for nothing.
    std::optional<start> answering(std::string_view agent, bool addressed = true) const;
    std::optional<start> unasking(bool addressed = true) const;
    // Who answers over the chat API: the flow of that name, else the assistant that ships, if it has
    // a trigger for it.
    std::optional<start> conversation(std::string_view chosen) const;
    // Null when none takes the method at the path, which is without a slash in front. A form's has
    // form_method.
    webhook_start const* webhook(std::string_view method, std::string_view path) const;
    // Those that the path has triggers for, for Allow; empty = the path is unknown.
    std::vector<std::string> methods(std::string_view path) const;
    // By the names of the flows whose triggers are rivalled.
    std::vector<rivalled_trigger> rivalled() const;
    // Those alone whose loser or winner is the flow's.
    std::vector<rivalled_trigger> rivalled_with(std::string_view flow) const;

private:
    struct message_start {
        message_opening filter;
        start to;

        int rank() const noexcept;
        // False: what is said to others does not concern it.
        bool accepts(bool addressed) const noexcept;
        start start_for(bool addressed) const;
    };
    struct group_start {
        group_opening filter;
        start to;

        int rank() const noexcept;
    };
    // The flow's name, and the number of the trigger in it. Of equals the first wins.
    using position = std::pair<std::string, std::size_t>;
    using webhook_contenders = std::map<position, webhook_start>;
    using webhook_methods = std::map<std::string, webhook_contenders, std::less<>>;

    // What a trigger asks for most of all: two of one rank take the same messages only where they
    // share a word. None: it asks for nothing.
    static std::vector<std::string> words_of(message_opening const& filter);
    friend std::vector<std::string> words_of_rivals(definition const& flow, catalog const& types);
    // Those that take some of the same messages by the same rank, itself among them where it asks
    // for anything.
    std::set<position> contenders_of(message_start const& message) const;
    void add_rivalled(std::vector<rivalled_trigger>& rivalled, position const& at) const;
    // For a command that no trigger takes: the first by name that asks for messages of its place, or
    // else for any.
    std::optional<start> lending(incoming_message const& message) const;

    // Of those that watch a group for the same by the same rank, the first; itself where it wins.
    position watching_instead_of(position const& at) const;

    std::map<position, message_start> messages_;
    std::map<position, group_start> groups_;
    std::map<std::string, std::set<position>, std::less<>> asking_;  // of messages_, by word
    std::map<std::string, webhook_methods, std::less<>> webhooks_;   // by path
    std::map<position, std::pair<std::string, std::string>> routes_; // path and method of webhooks_
    std::map<std::string, start, std::less<>> conversations_;        // by flow
};

} // namespace postrider::agent::flow
