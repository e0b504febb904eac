// `doctor`: is the installation well that runs on this configuration's database?
#include "base/json/text.hpp"
#include "server/cli/database_checks.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/finding.hpp"
#include "server/cli/flow_work.hpp"
#include "server/cli/mcp_offers.hpp"
#include "server/cli/online_checks.hpp"
#include "server/cli/online_work.hpp"
#include "server/start/local_database.hpp"
#include "server/start/version.hpp"
#include "storage/schema.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

using namespace std::chrono_literals;

constexpr base::duration doctor_patience = 10s;

finding examined_schema(storage::schema_state const& state) {
    if (!state.refusal.empty()) return {"schema", verdict::fail, state.refusal};
    int const own = server::this_version().schema;
    auto detail = fmt::format("{}, this program brings {}", state.number, own);
    if (state.up_to_date()) return {"schema", verdict::ok, detail};
    if (state.number == own) detail += "; its functions and views are of another version";
    return {"schema", verdict::fail, detail, "postrider migrate"};
}

struct examined {
    findings inside;
    std::vector<storage::refused_tool_row> refused;
};

// Everything that Postgres can tell; of an older schema only what has always been there. What was
// found out before something is refused is told, too.
void examine(
    storage::transaction& tx,
    server::config const& settings,
    agent::flow::validator const& validator,
    examined& examination
) {
    auto& inside = examination.inside;
    inside = look_at_server(tx);
    inside.push_back(examined_schema(storage::inspect_schema(tx)));
    if (inside.back().verdict == verdict::fail) return;
    append(inside, look_at_nodes(tx));
    append(inside, look_at_work(tx));
    append(inside, look_at_flows(tx, validator));
    append(inside, look_at_tool_models(tx, settings));
    append(inside, look_at_storage(tx));
    examination.refused = storage::refused_tools(tx);
}

finding unreadable_cluster(base::error const& reason, bool own_cluster) {
    if (reason == base::errc::unauthorized) return {"database", verdict::fail, reason.detail};
    return {
        "database",
        verdict::fail,
        base::to_string(reason) +
            (own_cluster ? "" : "; is DATABASE_URL right, and does its server run?")};
}

findings examine_database(context const& in, examined& examination) {
    auto db = open_database(in);
    if (!db) return {{"database", verdict::fail, base::to_string(db.error())}};
    findings report;
    if (db->cluster)
        report.push_back(
            {"database", verdict::ok, "private cluster in " + db->cluster->folder().string()}
        );
    db->options.statement_timeout = doctor_patience;
    auto const types = agent::flow::builtin_types();
    auto const by = validator_of(in, types);
    auto const read = look_into(db->options, [&](storage::transaction& tx) {
        examination = {};
        examine(tx, in.configured.values, by, examination);
    });
    append(report, std::move(examination.inside));
    if (!read) report.push_back(unreadable_cluster(read.error(), db->cluster != nullptr));
    return report;
}

int run_doctor(context const& in) {
    auto const& settings = in.configured.values;
    keep_log_quiet(in);
    examined examination;
    auto report = examine_database(in, examination);
    append(report, run_online([&](net::http_client& http) {
               return look_at_bots(http, settings.bots, settings.public_url);
           }));
    append(report, look_at_mcp(settings.mcp_servers, examination.refused));
    bool const ill = any_failed(report);
    if (in.json)
        in.out << base::json_text(boost::json::object{{"ok", !ill}, {"findings", to_json(report)}})
               << '\n';
    else
        in.out << to_text(report);
    return ill ? 1 : 0;
}

} // namespace

namespace commands {

extern constinit command const doctor{
    .path = "doctor",
    .summary = "Tell whether the running installation is well",
    .example = "postrider doctor",
    .prepare = without_options<run_doctor>};

} // namespace commands

} // namespace postrider::cli
