// `migrate`: the schema of the configured database.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/start/local_database.hpp"
#include "storage/migrations.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace json = boost::json;

int run_migrate(context const& in) {
    auto db = server::open_local_database(in.configured.values, "postrider migrate");
    if (!db) return fail(in, "open the database", db.error());
    auto report = storage::migrate(db->options);
    if (!report) return fail(in, "migrate", told(db->options, report.error()));
    if (in.json) {
        json::array applied(report->applied.begin(), report->applied.end());
        in.out << base::json_text(json::object{
                      {"before", report->before},
                      {"now", report->now},
                      {"applied", std::move(applied)}})
               << '\n';
        return 0;
    }
    for (auto const& name : report->applied) in.out << "applied " << name << '\n';
    in.out << fmt::format("schema {}\n", report->now);
    return 0;
}

} // namespace

namespace commands {

extern constinit command const migrate{
    .path = "migrate",
    .summary = "Bring the database's schema up to date",
    .example = "postrider migrate",
    .prepare = without_options<run_migrate>};

} // namespace commands

} // namespace postrider::cli
