#pragma once
// What a person does to jobs, lanes, bots, everything and effects: one result or more, told alike.
#include "queue/admin/operations.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"

#include <functional>
#include <vector>

namespace postrider::cli {

// invalid: the text is not JSON; the detail names the option.
base::result<boost::json::value> json_of(std::string const& text, std::string_view option);
base::result<queue::new_event> event_of(event_options const& options);

// Results on stdout, refusals on stderr; with --json all of them on stdout. The exit code.
int tell(context const& in, std::vector<queue::operation_result> const& results);

// One operation in a transaction of its own.
int operate_once(
    context const& in, std::function<queue::operation_result(storage::transaction&)> operation
);

// What was probably meant by a lane's key that is not known, or "".
std::string lane_suggestion(storage::transaction& tx, std::string const& key);

} // namespace postrider::cli
