#pragma once
// The rows of documents (sql/tables/0053_documents.sql), for people: in transactions of their own. What is added
// or removed is in the audit. All throws as transaction::query() does.
//
// Guarantees that a document that is added again answers by its older parts until the new ones are whole, and
// that the same bytes change nothing.
#include "agent/knowledge/document.hpp"
#include "storage/database.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

struct document_filter {
    std::optional<document_state> state = {};
    std::string search = {}; // within its name or title, in any case of letters
    std::int64_t after = 0;  // a page: those added before this one; 0 = the newest
    int limit = 50;
};

// The newest first.
std::vector<stored_document> list_documents(
    storage::transaction& tx, std::int64_t collection, document_filter const& filter
);
std::optional<stored_document> find_document(
    storage::transaction& tx, std::int64_t collection, std::int64_t id
);
// Those that answer, behind a number.
std::vector<shown_part> list_parts(
    storage::transaction& tx, std::int64_t document, std::int64_t after, int limit
);
// Its job ends, and nothing finds it any more. False: there is none.
bool remove_document(storage::transaction& tx, std::int64_t id);
// Deletes some of what was removed: many parts take several transactions. How many rows; 0 = nothing is left.
std::int64_t sweep_removed(storage::transaction& tx);

struct new_document {
    std::int64_t collection = 0;
    std::string name;            // what is there by this name is replaced
    std::string url = {};        // it is loaded from there; "" = these are its bytes:
    std::string bytes = {};      // most_document_bytes at most
    std::string media_type = {}; // as declared; "" = not declared
    boost::json::object metadata = {};
};

struct added_document {
    std::int64_t id = 0;
    bool unchanged = false; // the same bytes are there, or a job is reading them
};

// With the job that reads it. Nothing: the collection is gone.
std::optional<added_document> add_document(storage::transaction& tx, new_document const& document);

} // namespace postrider::agent::knowledge
