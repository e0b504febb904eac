#pragma once
// Files that requests send, and answers as files.
#include "agent/flow/nodes/http_body.hpp"
#include "net/http.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// All files of a request together.
inline constexpr std::size_t most_request_bytes = 20u << 20;

// What fails for a moment is tried again. too_large; else as load_file().
base::awaitable<base::result<loaded_files>> load_files(
    node_run& run, std::vector<file_reference> references
);

// As the answer names it, or else its URL; without a path. At most 200 bytes of UTF-8. Pure.
std::string file_name_of(net::header_list const& headers, std::string_view url);

} // namespace postrider::agent::flow
