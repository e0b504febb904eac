#pragma once
// The messages that go with a caught one: of an album all its parts that are stored by now, also those from before the part with the
// words. Reads of the database are steps of the job.
#include "agent/spam/store/catches.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"

#include <string>
#include <vector>

namespace postrider::agent {

// The caught one first; nothing: what was caught is no message. Failures as of storage::query(). Throws queue::suspended where the
// record is only read and ends before.
base::awaitable<base::result<std::vector<telegram_message_id>>> gather_album(
    queue::workflow steps,
    storage::batcher& reads,
    spam::caught_message caught,
    std::string step,
    base::retry_policy tries
);

// The message's own words, or those of another part of its album; "" = there are none. The step records the numbers of the parts
// alone: the words are those of people. Failures and throws as above.
base::awaitable<base::result<std::string>> find_words(
    queue::workflow steps,
    storage::batcher& reads,
    spam::caught_message caught,
    std::string step,
    base::retry_policy tries
);

} // namespace postrider::agent
