#pragma once
// The failure of a step that asks a model, as its job tells it. A step often ends by an accident of
// its last try: no time was left for it, or a breaker had opened meanwhile. The reason is what the
// provider said to a try before. Private to the agent node.
#include "base/async.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>

namespace postrider::agent::flow {

// A gate that let no call pass.
base::error not_asked(base::error gate);

// The step was cut off or a gate stayed closed: no answer of a provider ended it.
bool ended_without_answer(base::error const& step_failure);

// The provider's class and words, and that the step then ended so.
base::error explain_end(base::error const& provider_failure, base::error const& step_failure);

// What the provider said to the last try that it answered, of the latest step of this name; none
// where that step was done, or its record cannot be read.
base::awaitable<std::optional<base::error>> recorded_failure(
    storage::batcher& reads, job_id job, std::string step
);

} // namespace postrider::agent::flow
