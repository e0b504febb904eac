#pragma once
// Brings a database to the schema of sql/, which is embedded in the binary.
//
// The files of tables/ are numbered and go forward only: each is applied once, and a released one
// never changes. The files of functions/ and views/ are whole and are applied again when their text
// has changed; what a file no longer defines is dropped. Those of a build with a greater schema number
// are left alone. Everything that is due is applied in one
// transaction, under one lock: processes that start at the same time wait for the first of them
// and then find nothing to do.
#include "storage/database.hpp"
#include "storage/schema.hpp"

#include <string>
#include <vector>

namespace postrider::storage {

struct migration_report {
    int before = 0; // the newest number found
    int now = 0;    // the newest number afterwards
    std::vector<std::string> applied;
};

// refused: this binary and the database do not fit, and the detail says what to do: Postgres is too
// old, the schema is that of a newer release or of an unreleased one, or a person's view depends on
// a view that must be replaced. Other failures as in database.hpp; bad SQL throws.
base::result<migration_report> migrate(
    database_options const& options, schema const& files = embedded_schema()
);

} // namespace postrider::storage
