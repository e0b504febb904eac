#pragma once
// The files of sql/, and how far a database's schema is behind them.
#include "storage/database.hpp"
#include "storage/embedded_schema.hpp"

#include <string>
#include <vector>

namespace postrider::storage {

// The number in a name of tables/: 1 of "tables/0001_engine".
int number_of(schema_file const& file);
int newest_number(schema const& files);

struct schema_state {
    int number = 0;      // the newest file of tables/ that was applied; 0 = the schema is not there
    bool newer = false;  // a newer build has applied its files, and ours work on them
    std::string refusal; // why this binary cannot work with the database, and what to do
    std::vector<schema_file const*> due; // to be applied, in order; empty when newer
    std::vector<std::string> gone;       // files that were applied and exist no more

    bool up_to_date() const { return due.empty() && gone.empty(); }
};

// Reads only. Throws as transaction::query() does. `files` outlives the result.
schema_state inspect_schema(transaction& tx, schema const& files = embedded_schema());

} // namespace postrider::storage
