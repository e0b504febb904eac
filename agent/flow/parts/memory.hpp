#pragma once
// What an agent remembers of a session: the seam that every kind of memory fills. Made for one
// session and one execution.
//
// A memory in our database changes by rows, which are committed with the work that makes them. One outside
// is written by a step, once the item's last message is said; what fails there is left to a job of its own.
#include "agent/flow/node_run.hpp"
#include "agent/models/model.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/messages.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// The steps of a memory that asks somebody outside, of the node that it hangs on.
inline constexpr std::string_view recall_step = "recall";
inline constexpr std::string_view remember_step = "remember";
inline constexpr std::string_view forget_step = "forget";

// What a memory has for a question.
struct recollection {
    std::vector<chat_message>
        messages;        // oldest first, ready for a model: no call without its result
    bool is_cut = false; // it has more than these
    // The last of the messages is the question. What the node asks is an instruction behind it, which the next
    // request of the session does not have.
    bool has_question = false;
    // More was said than it may recall, and no answer has offered the person a new conversation yet.
    bool offers_new_conversation = false;
    // Of a lane's conversation: all of it from that turn on is among the messages. Job 0 = that is not known.
    storage::turn_place shown_since = {};
    // What it recalls beside them, in lines; "" = nothing now. None: it never recalls anything else.
    std::optional<std::string> memories = {};
    std::optional<base::error> shortfall = {}; // why some of that is missing
};

struct kept_message {
    chat_message message;
    std::int64_t position = 0; // among those of the execution
};

class memory {
public:
    virtual ~memory() = default;

    // What was said before this execution and helps with the question. Every run must read the same. Of its
    // lane's messages it does so unrecorded, since what an execution adds is no part of them; a session that
    // others share records which messages it has seen. A memory that asks somebody outside does it in
    // recall_step.
    virtual base::awaitable<base::result<recollection>> recall(
        std::string_view question, queue::workflow& steps
    ) = 0;

    // Rows that make the message part of the session, once, however often they are committed. The
    // position orders this execution's own.
    virtual std::vector<storage::write> keep(chat_message const&, std::int64_t /*position*/) {
        return {};
    }
    // Rows that follow from the size of the first request with what was recalled: its tokens, as the model
    // counted them; 0 = it did not.
    virtual std::vector<storage::write> after_question(std::int64_t /*tokens*/) { return {}; }
    // Rows that delete the session's messages; of the lane's conversation those before this
    // execution. What is recalled once they are committed is without them.
    virtual std::vector<storage::write> clear() { return {}; }

    // Of a memory outside: all that was said for an item, in remember_step, told in every run. An error: it is
    // not there yet, and the next commit has the job that brings it.
    virtual base::awaitable<base::result<void>>
    remember(std::vector<kept_message>, queue::workflow&) {
        co_return base::result<void>{};
    }
    // Of a memory outside: deletes the session's messages up to this position of this execution, in
    // forget_step. An error: as of remember().
    virtual base::awaitable<base::result<void>>
    forget(std::int64_t /*position*/, queue::workflow&) {
        co_return base::result<void>{};
    }
};

// Where a memory's messages stand.
enum class memory_site {
    conversation, // the lane's, where the person's messages stand already
    session,      // beside it, in our database
    outside,
};

struct memory_part {
    std::shared_ptr<flow::memory> memory; // null = none
    memory_site site = memory_site::session;
};
inline constexpr part_kind_of<memory_part> ai_memory{{"ai_memory", "memory", 2}};

// That hangs on the node, if one does.
base::awaitable<base::result<memory_part>> connected_memory(node_run& run, std::size_t item);

} // namespace postrider::agent::flow
