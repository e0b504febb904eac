#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/vector_store.hpp"

namespace postrider::agent::flow::n8n {

namespace {

// Those that need no service of somebody else's.
constexpr std::string_view retriever_types[]{
    "retrieverContextualCompression",
    "retrieverMultiQuery",
    "retrieverVectorStore",
    "toolVectorStore",
    "vectorStoreInMemory",
    "vectorStoreInMemoryInsert",
    "vectorStoreInMemoryLoad"};

} // namespace

extern constinit mapping const retriever_mapping{
    .types = retriever_types, .map = become_search_placeholder};

} // namespace postrider::agent::flow::n8n
