// `doctor`: is the installation well that runs on this configuration's database?
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/finding.hpp"
#include "server/cli/flow_work.hpp"
#include "server/cli/mcp_offers.hpp"
#include "server/cli/online_checks.hpp"
#include "server/cli/online_work.hpp"
#include "server/start/local_database.hpp"
#include "server/views/database_checks.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

using namespace std::chrono_literals;

constexpr base::duration doctor_patience = 10s;

struct examined {
    findings inside;
    std::vector<storage::refused_tool_row> refused;
    bool watches_groups = false; // a published flow does
};

// What was found out before something is refused is told, too.
void examine(
    storage::transaction& tx,
    server::config const& settings,
    agent::flow::validator const& validator,
    examined& examination
) {
    if (!server::look_at_installation(tx, settings, validator, examination.inside)) return;
    examination.refused = storage::refused_tools(tx);
    examination.watches_groups = server::any_flow_watches_groups(tx, *validator.types);
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
               return look_at_bots(
                   http, settings.bots, settings.public_url, examination.watches_groups
               );
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
