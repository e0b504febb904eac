#pragma once
// The server that makes vectors of texts, in the configuration: [embeddings.default].
#include "server/start/config.hpp"

#include <string>
#include <vector>

namespace postrider::server {

std::vector<base::setting> embedding_rows();

// Fills in the embeddings, where the file has them, and tells what no single row can.
void read_embeddings(
    base::settings const& settings, config& into, std::vector<std::string>& problems
);

} // namespace postrider::server
