#pragma once
// Items that the nodes of flows have seen, as digests. Whoever claims an item first has it: of several
// executions that claim the same at the same time, one finds it as its own.
//
// Rows are written inside other rooms' commits and read in batches.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/array.hpp>

#include <set>
#include <string>

namespace postrider::storage {

// A run of a node, which finds the same items as its own however often it looks.
struct item_claim {
    std::string flow;
    std::string node; // the id
    job_id job{};
    std::string run; // of the node, within the job
};

// Claims those that no run has; digests in hexadecimal. Order 54; returns no row.
write claim_items(item_claim const& claim, boost::json::array digests);
// Forgets all but the newest of that node, a bounded number at a time. What jobs claimed that are not over
// stays: a later run of theirs looks for it.
write forget_seen_items(item_claim const& claim, std::int64_t newest);

// Of the digests those that the run has claimed.
base::awaitable<base::result<std::set<std::string>>> claimed_items(
    batcher& reads, item_claim claim, boost::json::array digests, base::duration deadline
);
// Of the digests those that the run has claimed, or nobody: for a look that claims nothing.
base::awaitable<base::result<std::set<std::string>>> unseen_items(
    batcher& reads, item_claim claim, boost::json::array digests, base::duration deadline
);

} // namespace postrider::storage
