#pragma once
// Files that items refer to, as {"id", "name", "mime", "bytes"}. An item never holds the bytes: a node that needs
// them loads them. Only the execution that got a file can load it: with the message that started it, or by
// one of its nodes.
#include "agent/flow/node_run.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent::flow {

inline constexpr std::size_t most_file_bytes = 10u << 20;

struct file_reference {
    std::string id;
    std::string name = {};
    std::string mime = {};
    std::int64_t bytes = 0;
};
boost::json::object to_json(file_reference const& file);
// Also of an item whose `file` it is. Nothing: the value is no reference.
std::optional<file_reference> file_reference_from(boost::json::value const& value);

struct file_content {
    std::string name;
    std::string mime;
    std::string bytes;
};

// The messenger's id of the file that came with the message that started the execution; nothing: it is another
// one.
std::optional<std::string> message_file_id(node_run const& run, file_reference const& file);

// not_found: it has expired, or is of another execution. too_large: it has more than most_file_bytes. Else as
// messenger::load_file() and batcher::commit() fail.
base::awaitable<base::result<file_content>> load_file(node_run& run, file_reference file);

} // namespace postrider::agent::flow
