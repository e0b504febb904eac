#pragma once
// An agent's memory for one item: what is recalled before the first question, and what is kept of
// what the agent hears and says.
//
// Guarantees that an agent goes on without a memory that cannot be read or written, and tells of it, and that
// a message stands in its session once, at its place among those of the execution, committed with the work
// that made it. Private to the agent node.
#include "agent/flow/node_run.hpp"
#include "agent/flow/parts/memory.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::flow {

// How far a node has come, over all its items.
struct agent_progress {
    std::size_t item = 0;
    int messages = 0; // said so far
    int calls = 0;
    int results = 0; // messages, once the round's results and what it asked of people are said
    bool has_offered_new = false; // a new conversation
};

class agent_memory {
public:
    // Both outlive it.
    agent_memory(node_run& run, agent_progress& progress) : run_(run), progress_(progress) {}

    // Finds the memory that hangs on the node, if any.
    base::awaitable<void> open();
    // What was said before, for that question; empty without a memory. A reply to it that stands in the record was
    // given with what an earlier run recalled: then nothing else is.
    base::awaitable<std::vector<chat_message>> recall(std::string_view question, bool was_answered);
    // What was recalled beside it, in lines; "" = nothing now; none: no memory of the node ever does.
    std::optional<std::string> take_memories() { return std::exchange(memories_, {}); }
    // Where the last of what was recalled is the question, it takes the place of the node's, which is an
    // instruction behind it.
    void take_question(std::vector<chat_message>& earlier, chat_message& question);
    std::string const& instruction() const noexcept { return instruction_; } // "" = there is none
    // The model was asked for the first time, as it counted: rows for the next commit.
    void note_size(std::int64_t tokens);
    // The question, for the next commit.
    void keep_question(chat_message const& question, bool is_stored);
    // The next message of the node, held with the step that it comes from: nothing may be awaited
    // in between, since a commit takes all that is held. One that is stored already takes its place only:
    // since then the session may have been cleared, which a later run does not take back.
    void keep(chat_message const& message, bool is_stored);
    // The same for the message at that place, which is not the next one where calls run side by side.
    void keep_at(int place, chat_message const& message, bool is_stored);
    // Behind the item's last message: a memory outside gets all of them.
    base::awaitable<void> write_out();
    // A new conversation is to be offered with the answer to the person's message.
    bool offers_new_conversation() const;
    // The answer, which may offer that. A conversation gets it from whoever sends it, in every run.
    void give(chat_message const& answer, bool is_stored, bool offers_new = false);
    // In place of an answer: why there is none.
    void give_apology(std::string const& text, bool is_stored);

private:
    void give(
        chat_message const& message, bool is_stored, bool offers_new, storage::message_origin origin
    );
    void report(base::error const& failure);

    node_run& run_;
    agent_progress& progress_;
    memory_part part_;
    bool offers_new_ = false;
    bool has_question_ = false;
    std::string instruction_;
    std::optional<std::string> memories_;
    std::vector<kept_message> said_; // for a memory outside
};

} // namespace postrider::agent::flow
