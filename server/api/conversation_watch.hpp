#pragma once
// Tells one watcher of a conversation what happens in it, whichever node it happens on: messages and
// the ends of turns from the database, a turn's steps and a model's words as far as they are seen
// from here. On the loop's thread; costs nothing once it is let go of.
#include "agent/flow/services.hpp"
#include "agent/flow/watch/live.hpp"
#include "net/http.hpp"
#include "server/api/conversation_bells.hpp"
#include "server/api/conversation_events.hpp"
#include "storage/database.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace postrider::api {

// What a watch needs; outlives it.
struct conversation_watch_services {
    storage::database& db;
    agent::flow::node_services const& nodes;
    agent::flow::live& live;
    conversation_bells& bells;
};

class conversation_watch {
public:
    conversation_watch(
        conversation_watch_services services,
        storage::api_conversation of,
        std::optional<conversation_position> from,
        base::asio::any_io_executor executor
    );

    // Looks at the conversation. not_found: it is gone; invalid: it was to go on from a moment that
    // this database has not come to; else as the database fails.
    base::awaitable<base::result<void>> look();

    // The watch is of one turn: it ends when the turn does.
    void follow(job_id turn) { followed_ = turn; }

    // After the first look: tells what is new until the turn that it follows is over, a look fails,
    // or the watcher should come again to show that it still may. It looks twice a second, and ten
    // times where something happens.
    base::awaitable<void> tell(net::body_writer& to);

private:
    struct reading;

    base::awaitable<base::result<void>> attend();
    base::awaitable<bool> write(net::body_writer& to);

    conversation_watch_services services_;
    storage::api_conversation of_;
    conversation_events events_;
    std::shared_ptr<agent::flow::live_queue> heard_;
    std::optional<job_id> attended_; // the turn that is listened to
    std::set<std::string> speakers_; // of its flow
    std::optional<job_id> followed_;
};

} // namespace postrider::api
