#pragma once
// Tells one watcher of a conversation what happens in it, whichever node it happens on: messages and
// the ends of turns from the database, a turn's steps and a model's words as far as they are seen
// from here. On the loop's thread; costs nothing once it is let go of.
#include "agent/flow/parts/services.hpp"
#include "agent/flow/watch/live.hpp"
#include "server/api/conversation_events.hpp"
#include "server/api/conversation_listeners.hpp"
#include "server/api/conversation_looks.hpp"
#include "server/api/event_writer.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace postrider::api {

// What a watch needs; outlives it.
struct conversation_watch_services {
    conversation_looks& looks;
    agent::flow::node_services const& nodes;
    agent::flow::live& live;
    conversation_listeners& listeners;
};

class conversation_watch {
public:
    // A conversation without an id is a chat of a bot: its lane alone is watched, and never gone.
    conversation_watch(
        conversation_watch_services services,
        storage::api_conversation conversation,
        std::optional<conversation_position> position,
        base::asio::any_io_executor executor
    );

    // Looks at the conversation. not_found: it is gone, and how the turn that is followed ended with it
    // may be left to tell; invalid: it was to go on from a moment that
    // this database has not come to; else as the database fails.
    base::awaitable<base::result<void>> look();

    // From here on the watch is of one turn, and ends when that does, or the one that took its message
    // in; before anything was told. It begins at that position, else where its first look was. Of a
    // turn that begins just now every step and word is heard.
    void follow(job_id turn, std::optional<conversation_position> position);

    // After the first look: tells what is new until the turn that it follows is over, the
    // conversation is gone, or the watcher should come again to show that it still may. A look that
    // the database fails is tried again. It looks twice a second, ten times
    // where something happens, and at once when its listener is notified; together with all others
    // whose time it is (server/views/shared_looks.hpp).
    base::awaitable<void> tell(event_writer& writer);

private:
    conversation_query query() const { return {events_.query(of_.lane), followed_}; }
    base::awaitable<base::result<void>> understand(conversation_looks::answer looked);
    base::awaitable<void> attend(std::optional<storage::running_turn> turn);
    base::awaitable<bool> write(event_writer& writer);

    conversation_watch_services services_;
    storage::api_conversation of_;
    conversation_events events_;
    std::shared_ptr<agent::flow::live_queue> heard_;
    std::shared_ptr<conversation_listener> listener_;
    std::shared_ptr<conversation_looks::place> place_;
    std::optional<storage::running_turn> attended_; // that is told of
    std::set<std::string> speakers_;                // of its flow
    std::optional<job_id> followed_;
};

} // namespace postrider::api
