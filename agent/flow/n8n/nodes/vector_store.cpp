#include "agent/flow/n8n/nodes/vector_store.hpp"

#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view vector_store_types[]{
    "vectorStoreChromaDB",
    "vectorStoreMilvus",
    "vectorStoreMongoDBAtlas",
    "vectorStorePGVector",
    "vectorStorePinecone",
    "vectorStoreQdrant",
    "vectorStoreRedis",
    "vectorStoreSupabase",
    "vectorStoreWeaviate",
    "vectorStoreZep"};

} // namespace

void become_search_placeholder(translation& in) {
    if (in.word("mode") == "insert")
        return in.become_placeholder(
            "it put documents into a store of vectors. Here documents go into a collection, by "
            "`postrider knowledge add` or the console, and a node of the type knowledge searches it"
        );
    in.become_placeholder(
        "it searched a store of vectors. Here a node of the type knowledge searches a collection "
        "of documents: connect one to the agent in its place"
    );
}

extern constinit mapping const vector_store_mapping{
    .types = vector_store_types, .map = become_search_placeholder, .is_vendor = true};

} // namespace postrider::agent::flow::n8n
