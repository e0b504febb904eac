#pragma once
// The summary of a session's older messages: where it stands, what the next one covers, and how it is asked
// for. Pure.
//
// A summary is a row of the session of the role system, behind all messages of the last execution that it
// covers. Its detail names the first and the last message that it covers, and how many there are:
// {"from": [job, position], "to": [job, position], "messages": n}. A later one covers what an earlier one does,
// too.
#include "agent/flow/nodes/visible_history.hpp"
#include "agent/recall/extraction.hpp"
#include "storage/stores/messages.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

using recall::first_words;
using recall::most_summary_words;

// Of messages of the person and the agent: the newest `window` are always shown as they are. Once there are
// `batch` more, those are to be summarised, and until they are, another `batch` is shown, too.
struct summary_sizes {
    int window = 0;
    int batch = 0;
};

// The newest summary, if there is one, then the messages behind it. `is_due` tells whether those are to be
// summarised.
visible_history visible_summarised(summary_sizes sizes, std::shared_ptr<bool> is_due);

struct summary_plan {
    std::string prompt;
    storage::message_row row; // the summary's, without its text
};

// Of a session's rows, oldest first: all executions but those of the newest `window` messages. Nothing: none
// is left.
std::optional<summary_plan> plan_summary(std::vector<storage::message_row> const& rows, int window);

} // namespace postrider::agent::flow
