#pragma once
// What a tool sees while it runs: who asks, its node's settings, a key for the other side, and what
// becomes true together with its result. None of it is chosen by a model.
//
// One context is made for each try: what a failed try added is dropped with it.
#include "agent/talk/messenger.hpp"
#include "agent/tools/tool_configuration.hpp"
#include "agent/tools/tool_output.hpp"
#include "base/async.hpp"
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "net/credential.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <string>
#include <vector>

namespace postrider::net {
class guarded_client;
}

namespace postrider::agent {

// The person that a tool acts for. Ids are 0 where there is none: over the chat API there is no chat, and a schedule has
// no person.
struct requester {
    bot_id bot{};
    chat_id chat{};
    thread_id thread{};
    user_id user{};
    std::string conversation = {}; // over the chat API: its UUID
    bool is_owner = false;         // of the bot
    bool is_silent = false;        // a fork that answers nobody: nothing may speak later, either
    std::string timezone = {};     // of the bot, for people who have set none; "" = none
};

// Where the person is answered; no place where nobody is.
inline address address_of(requester const& requester) {
    if (!requester.conversation.empty()) return conversation_address(requester.conversation);
    return {.bot = requester.bot, .chat = requester.chat, .thread = requester.thread};
}

// The vector of a text as recall/vectors.hpp writes it, paid with the call. Null: no vectors are in use.
using text_vectors = std::function<base::awaitable<base::result<std::string>>(std::string text)>;

class tool_context {
public:
    struct parts {
        agent::requester requester;
        queue::job const& job;
        base::clock& clock;
        boost::json::object const& settings;
        std::string key;
        net::guarded_client* web;
        tool_configuration configuration = {};
        storage::batcher* reads = nullptr;
        net::credentials const* credentials = nullptr;
        messenger* out = nullptr;
        std::function<bool(user_id)> is_owner = {}; // of the requester's bot
        text_vectors vector_of = {};
    };
    // What the parts refer to outlives it.
    explicit tool_context(parts context_parts) : from_(std::move(context_parts)) {}
    tool_context(tool_context const&) = delete;
    tool_context& operator=(tool_context const&) = delete;

    agent::requester const& requester() const noexcept { return from_.requester; }
    queue::job const& job() const noexcept { return from_.job; }
    base::clock& clock() const noexcept { return from_.clock; }
    boost::json::object const& settings() const noexcept { return from_.settings; }
    // What the operator says of the tool.
    tool_configuration const& configuration() const noexcept { return from_.configuration; }
    // The same at every try and every run of this call, and another for any other call. "" for a tool
    // that is instant: it reaches nobody who could know the key.
    std::string const& key() const noexcept { return from_.key; }
    // Reaches public addresses only, but for hosts that a request trusts. Null: this process has none.
    net::guarded_client* web() const noexcept { return from_.web; }
    // Of [credentials.NAME]. Null: there is none of this name.
    net::credential const* credential(std::string_view name) const noexcept {
        if (!from_.credentials) return nullptr;
        auto const entry = from_.credentials->find(name);
        return entry == from_.credentials->end() ? nullptr : &entry->second;
    }
    // For rows that a tool of the product reads. Null: there is no database.
    storage::batcher* reads() const noexcept { return from_.reads; }

    // Acts in chats; a tool acts in the requester's alone. Null: nothing is said from here.
    messenger* out() const noexcept { return from_.out; }
    bool is_owner(user_id user) const { return from_.is_owner && from_.is_owner(user); }
    text_vectors const& vector_of() const noexcept { return from_.vector_of; }

    // A row of the tool's own: committed with the result of this try, or not at all.
    void add(storage::write row) { rows_.push_back(std::move(row)); }
    // What it changed, for people: recorded with the result.
    void add(receipt change) { receipts_.push_back(std::move(change)); }

    // For whoever runs the tool, after a try that succeeded.
    std::vector<storage::write> take_rows() { return std::move(rows_); }
    std::vector<receipt> take_receipts() { return std::move(receipts_); }

private:
    parts from_;
    std::vector<storage::write> rows_;
    std::vector<receipt> receipts_;
};

} // namespace postrider::agent
