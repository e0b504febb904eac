#pragma once
// The messages that one turn answers where its lane's mailbox put its job in the place of others.
#include "base/error.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

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

} // namespace postrider::storage
