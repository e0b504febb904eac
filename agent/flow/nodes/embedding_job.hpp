#pragma once
// The job that gives memories their vectors, as its rows and its input say it. At most one of a kind lives: one that
// makes those that are missing, and one that makes all anew which are not of the configured model. Pure.
#include "base/ids.hpp"
#include "queue/store/later.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

inline constexpr std::string_view embedding_kind = "memory.embed";

// What is left to be done, and what was done by the jobs before.
struct embedding_request {
    bool again = false;     // also memories with a vector of another model or dimension
    std::int64_t after = 0; // those behind this one
    std::int64_t memories = 0;
    std::int64_t refused = 0;
    std::int64_t part = 0;  // which of the jobs that follow each other it is
    std::string model = {}; // by which that was done, with its dimension; "" = nothing was
};
embedding_request embedding_request_from(boost::json::value const& input);

// A moment later, so that several memories share a call. What comes while one runs gets another.
std::vector<storage::write> embed_later();
// Behind that job, in the commit of its end.
std::vector<storage::write> embed_further(job_id before, embedding_request const& done);
// All that are not of the model with that name, at once: the job, and whether it is new.
queue::later_enqueued reembed_now(storage::transaction& tx, std::string_view model);

} // namespace postrider::agent::flow
