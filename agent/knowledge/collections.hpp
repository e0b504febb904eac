#pragma once
// The rows of collections (sql/tables/0052_collections.sql), for people: in transactions of their own. Changes
// are in the audit. All throws as transaction::query() does.
#include "agent/knowledge/collection.hpp"
#include "storage/database.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

// The newest first; at most `limit`, with what each holds.
std::vector<stored_collection> list_collections(storage::transaction& tx, int limit = 1'000);
std::optional<stored_collection> find_collection(storage::transaction& tx, std::string_view name);

// Nothing: there is none.
std::optional<std::int64_t> collection_id(storage::transaction& tx, std::string_view name);

struct new_collection {
    std::string name; // is_collection_name()
    std::string description = {};
    collection_access access = {};
};

// Nothing: there is one of this name.
std::optional<std::int64_t> create_collection(
    storage::transaction& tx, new_collection const& collection
);
// Its id, made without a description where there is none. It is there until the transaction ends.
std::int64_t find_or_create_collection(storage::transaction& tx, std::string_view name);
// All but the name. False: there is none.
bool change_collection(storage::transaction& tx, new_collection const& collection);
// With its documents; their jobs end, and sweep_removed() deletes what is left of them. How many documents it had; nothing: there is none.
std::optional<std::int64_t> remove_collection(storage::transaction& tx, std::string_view name);

// For pickers: names that hold a text, by name.
struct collection_option {
    std::string name;
    std::string description;
};
std::vector<collection_option> collection_options(
    storage::transaction& tx, std::string_view search, std::string_view after, int limit
);

} // namespace postrider::agent::knowledge
