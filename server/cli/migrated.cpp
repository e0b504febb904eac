#include "server/cli/migrated.hpp"

#include "server/start/local_database.hpp"
#include "storage/migrations.hpp"

namespace postrider::cli {

int in_migrated(
    context const& in,
    std::string application,
    std::string_view doing,
    std::function<void(storage::transaction&)> work
) {
    auto db = server::open_local_database(in.configured.values, std::move(application));
    if (!db) return fail(in, "open the database", db.error());
    if (auto migrated = storage::migrate(db->options); !migrated)
        return fail(in, "prepare the database", migrated.error());
    auto done = storage::run_blocking(db->options, std::move(work));
    return done ? 0 : fail(in, doing, done.error());
}

} // namespace postrider::cli
