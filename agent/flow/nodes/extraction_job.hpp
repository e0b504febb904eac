#pragma once
// The job that makes long-term memories of a lane's older messages, as its rows and its input say it. At most one
// of a lane lives. Pure.
#include "agent/flow/parts/models.hpp"
#include "agent/recall/memory_owner.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

inline constexpr std::string_view extraction_kind = "memory.extract";

struct extraction_request {
    lane_id lane{}; // whose messages
    job_id until{}; // those before this turn
    recall::memory_owner owner;
    std::string flow; // whose budget pays
    model_part model; // credential, provider and its own name alone
};

std::vector<storage::write> extract_later(extraction_request const& request);
base::result<extraction_request> extraction_request_from(boost::json::value const& input);

} // namespace postrider::agent::flow
