#pragma once
// The transactional inbox: an update and everything that follows from it become true in one commit,
// and only then it is accepted. Webhook and polling are two doors to it. On the executor's one
// thread.
//
// Exactly one inbox row and one disposition per update; one that was seen before changes nothing.
// What is authentic but cannot be used, or what Postgres refuses for its content, is recorded as
// rejected with its bytes, and accepted: an answer that is no 2xx would block its chat for a day.
#include "base/async.hpp"
#include "base/random.hpp"
#include "queue/store/enqueue.hpp"
#include "server/telegram/message_flows.hpp"
#include "storage/batcher.hpp"

#include <memory>
#include <optional>
#include <string>

namespace postrider::telegram {

// Room for turns on this node. A slot that is reserved before the commit lets the commit lease the
// job's lane to this node; it is then started, or released.
class turn_slots {
public:
    virtual ~turn_slots() = default;
    // This node, with a slot reserved; nothing when it has no room, or is draining.
    virtual std::optional<node_id> try_reserve() = 0;
    // Runs the job in the reserved slot. The lane is leased to this node since the commit.
    virtual void start(queue::enqueued const& made, queue::job job) = 0;
    virtual void release() = 0;
    // A lane with a job has just become ready, and no node runs it.
    virtual void job_waits() = 0;
    // A message asked the running turn of its lane to make way.
    virtual void turn_interrupted() = 0;
};

struct accepted {
    bool is_new = false;          // false: seen before
    std::string_view disposition; // job, event, ignored, rejected
};

struct intake_options {
    base::duration deadline = std::chrono::seconds{5}; // for all of one update
    std::size_t most_waiting = 2000;                   // units that wait for their commit
    base::duration oldest_waiting = std::chrono::seconds{1};
    std::size_t lanes_known = 100'000;
};

class intake {
public:
    virtual ~intake() = default;

    // Returns after the commit. invalid: no update, nothing was stored. overloaded, timeout,
    // unavailable, ambiguous, conflict: not (or not certainly) stored; the same update may be
    // brought again at any time.
    virtual base::awaitable<base::result<accepted>> accept(
        bot_settings const& bot, std::string body
    ) = 0;
    // The same of a body beyond the size limit, of which only the beginning was read: rejected,
    // without its bytes.
    virtual base::awaitable<base::result<accepted>> accept_cut(
        bot_settings const& bot, std::string beginning
    ) = 0;
};

// Everything given must outlive it, and so must the bots whose settings are passed to accept().
std::unique_ptr<intake> make_intake(
    storage::batcher& writes,
    turn_slots& slots,
    chat_moves& moves,
    message_flows const& flows,
    base::clock& clock,
    base::random_source& random,
    intake_options options = {}
);

} // namespace postrider::telegram
