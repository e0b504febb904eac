#pragma once
// This process as a node: its row, its heartbeat, and the rescue of nodes that have fallen silent.
//
// The heartbeat is driven by the loop on purpose (a node whose loop hangs must lose its lanes) but
// runs on a connection and thread of its own: it waits for no other work of this node, and for no
// lock but that of its own row. Rescue waits for no lock at all: it passes over what another
// session has locked, and finds that at the next look.
#include "base/async.hpp"
#include "queue/job.hpp"
#include "queue/node/lease_look.hpp"
#include "queue/node/node_identity.hpp"
#include "storage/batcher.hpp"

#include <utility>
#include <vector>

namespace postrider::queue {

struct held_lane {
    lane_id lane{};
    lane_epoch epoch{};
    auto operator<=>(held_lane const&) const = default;
};

struct beat_result {
    bool known = false; // false: others have rescued this node; all its leases are gone
    // The leases that the database believes to be ours, and whether something is asked of their
    // job.
    std::vector<std::pair<held_lane, bool>> lanes;
    look_horizon horizon;
    bool others_died = false;         // there is something to rescue
    std::vector<storage::rows> reads; // what was read beside it
};

struct rescue_result {
    std::int64_t nodes = 0;
    std::int64_t lanes = 0;
    std::int64_t spent = 0;    // jobs whose lost runs are used up: a worker ends them
    std::int64_t suspects = 0; // jobs that were in flight: each is tried alone
};

class node_store {
public:
    // beats: a batcher of its own.
    node_store(storage::batcher& beats, storage::database& db) : beats_(beats), db_(db) {}

    base::awaitable<base::result<node_id>> join(node_identity const& identity, int slots);
    // With statements that are read in the same transaction. Leases of nodes that have left are
    // looked for where those of this node are, or everywhere.
    base::awaitable<base::result<beat_result>> beat(
        node_id me,
        node_identity const& self,
        int busy,
        base::duration silence,
        lease_look const& look,
        bool everywhere,
        std::vector<storage::write> reads
    );
    // Frees the lanes of other nodes that were silent for longer than `silence`, or whose process
    // on this machine is gone. Jobs that were in flight become suspects. One that was the only
    // suspect of its node has lost a run; from lost_budget lost runs on it is no suspect but spent.
    base::awaitable<base::result<rescue_result>> rescue(
        node_id me, node_identity const& identity, base::duration silence, int lost_budget
    );
    // The lanes that others took from this process, which lives, are no suspects on its account.
    base::awaitable<base::result<void>> clear_suspects(std::vector<lane_id> const& lanes);
    // Frees one lane that this node leases without knowing why (a commit whose answer was lost).
    base::awaitable<base::result<void>> release(node_id me, held_lane held);
    // Removes the node's row; whatever it still leases becomes free, and no run counts as lost.
    base::awaitable<base::result<void>> leave(node_id me);

private:
    storage::batcher& beats_;
    storage::database& db_;
};

} // namespace postrider::queue
