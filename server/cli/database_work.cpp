#include "server/cli/database_work.hpp"

#include "server/start/local_database.hpp"
#include "storage/migrations.hpp"
#include "storage/stores/audit.hpp"

#include <pwd.h>
#include <unistd.h>

namespace postrider::cli {

namespace {

// "postrider jobs".
std::string application_of(context const& in) {
    return "postrider " + std::string(in.command.path.substr(0, in.command.path.find(' ')));
}

int run_in(
    context const& in,
    server::local_database const& db,
    std::string_view doing,
    database_action work
) {
    auto in_the_name = [work = std::move(work)](storage::transaction& tx) {
        act_as_operator(tx);
        work(tx);
    };
    auto done = storage::run_blocking(db.options, std::move(in_the_name));
    return done ? 0 : fail(in, doing, done.error());
}

} // namespace

void act_as_operator(storage::transaction& tx) {
    auto const id = geteuid();
    auto const* account = getpwuid(id);
    storage::act_as(tx, "cli:" + (account ? std::string(account->pw_name) : std::to_string(id)));
}

base::result<server::local_database> open_database(context const& in) {
    return server::open_local_database(
        in.configured.values, application_of(in), server::absent_cluster::refuse
    );
}

int in_database(context const& in, std::string_view doing, database_action work) {
    auto db = open_database(in);
    if (!db) return fail(in, "open the database", db.error());
    return run_in(in, *db, doing, std::move(work));
}

int in_new_database(context const& in, std::string_view doing, database_action work) {
    auto db = server::open_local_database(
        in.configured.values, application_of(in), server::absent_cluster::make
    );
    if (!db) return fail(in, "open the database", db.error());
    if (auto migrated = storage::migrate(db->options); !migrated)
        return fail(in, "prepare the database", migrated.error());
    return run_in(in, *db, doing, std::move(work));
}

} // namespace postrider::cli
