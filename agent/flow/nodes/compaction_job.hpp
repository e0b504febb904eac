#pragma once
// The job that summarises the older half of a group's messages, as its rows and its input say it. At most one of
// a lane lives. Pure.
#include "agent/flow/parts/models.hpp"
#include "storage/stores/group_context.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

inline constexpr std::string_view compaction_kind = "group.compaction";

struct compaction_request {
    storage::context_page page;                          // of the turn that asks
    std::optional<storage::group_place> summarised = {}; // up to where, as the turn read it
    std::string zone;                                    // of the times of messages
    std::string flow;                                    // whose budget pays
    model_part model; // credential, provider and its own name alone
};

std::vector<storage::write> compact_later(compaction_request const& request);
base::result<compaction_request> compaction_request_from(boost::json::value const& input);

} // namespace postrider::agent::flow
