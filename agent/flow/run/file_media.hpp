#pragma once
// A file that an item refers to, as a messenger sends it.
#include "agent/flow/node_run.hpp"
#include "agent/talk/content.hpp"

#include <boost/json/value.hpp>

#include <string_view>

namespace postrider::agent::flow {

// A file of the message that started the execution goes back to its bot by the messenger's id; any other one is
// uploaded, and loaded when it is sent. `as`: photo, document, or auto = by its type. The run outlives the
// media. invalid: `file` is no reference, or a conversation is to get it, which shows none.
base::result<media> media_of_file(
    node_run& run, address const& target, boost::json::value const& file, std::string_view as
);

} // namespace postrider::agent::flow
