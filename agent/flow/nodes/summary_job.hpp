#pragma once
// The job that summarises a session, as its rows and its input say it. At most one of a session lives. Pure but
// for the look at those that failed.
#include "agent/flow/parts/models.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

inline constexpr std::string_view summary_kind = "memory.summary";

struct summary_request {
    std::string session;
    std::string flow; // whose budget pays
    int window = 0;   // messages that stay as they are
    user_id user{};   // whose turn asks for it; 0 = nobody's
    model_part model; // credential, provider and its own name alone
};

// The session's newest job failed, and the next one is not to begin yet: ten minutes after the end of the first that
// failed, twice as long after each further one in a row, and a day at most. Fails as batcher::commit().
base::awaitable<base::result<bool>> summaries_pause(
    storage::batcher& reads, std::string const& session, base::duration deadline
);

std::vector<storage::write> summarise_later(summary_request const& request);
base::result<summary_request> summary_request_from(boost::json::value const& input);

} // namespace postrider::agent::flow
