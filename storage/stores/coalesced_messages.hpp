#pragma once
// The messages that one turn answers where its lane's mailbox put its job in the place of others.
#include "base/error.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postrider::storage {

struct coalesced_message {
    job_id job{}; // that would have answered it
    boost::json::value input;
};

// Of these jobs those that the turn's took the place of, by their numbers. Failures as of query().
base::awaitable<base::result<std::vector<coalesced_message>>> read_coalesced_messages(
    batcher& reads, std::vector<job_id> jobs, job_id turn, base::duration deadline
);

struct coalesced_arrival {
    job_id job{};
    boost::json::value input;
    std::optional<std::string> content; // of its message, where it has one
};

// Whatever arrived in the lane and the turn took the place of, with and without a message; oldest first, the
// newest 1,000 of the lane's jobs at most, and none that is older than a quarter of an hour on a busy server. Failures as of query().
base::awaitable<base::result<std::vector<coalesced_arrival>>> read_coalesced_arrivals(
    batcher& reads, lane_id lane, job_id turn, base::duration deadline
);

} // namespace postrider::storage
