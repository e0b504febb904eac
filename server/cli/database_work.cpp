#include "server/cli/database_work.hpp"

#include "server/start/local_database.hpp"
#include "server/views/database_checks.hpp"
#include "storage/migrations.hpp"
#include "storage/refusals.hpp"
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
    return done ? 0 : fail(in, doing, told(db.options, done.error()));
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

std::optional<std::string> denied(storage::database_error const& defect) {
    auto reason = storage::denial(defect);
    if (!reason) return std::nullopt;
    return *reason + "; make it the owner of the database, or of the schema";
}

base::error told(storage::database_options const& database, base::error reason) {
    auto const refusal = storage::lasting_refusal(reason);
    if (!refusal) return reason;
    server::findings result;
    auto const looked = storage::run_blocking(database, [&](storage::transaction& tx) {
        result = server::look_at_writing(tx);
    });
    reason.detail = looked && !result.empty() ? result.front().detail
                                              : *refusal + "; `postrider doctor` tells more";
    return reason;
}

base::result<void> look_into(
    storage::database_options const& database, database_action const& look
) {
    try {
        return storage::run_blocking(database, look);
    } catch (storage::database_error const& e) {
        auto reason = denied(e);
        if (!reason) throw;
        return base::error(base::errc::unauthorized, std::move(*reason));
    }
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
        return fail(in, "prepare the database", told(db->options, migrated.error()));
    return run_in(in, *db, doing, std::move(work));
}

} // namespace postrider::cli
