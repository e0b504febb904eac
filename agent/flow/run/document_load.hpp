#pragma once
// The bytes of a document that stands elsewhere: at a public address, or in the chat where it was sent.
#include "agent/flow/parts/services.hpp"
#include "agent/knowledge/ingest_job.hpp"

#include <string>

namespace postrider::agent::flow {

struct loaded_document {
    std::string bytes;
    std::string media_type; // as declared; "" = not declared
};

// The detail of an error is a sentence for people. refused: not a public address, or an answer that is no
// document; too_large; those of net::guarded_client and messenger::load_file otherwise.
base::awaitable<base::result<loaded_document>> load_document(
    node_services const& services, knowledge::ingest_request const& request
);

} // namespace postrider::agent::flow
