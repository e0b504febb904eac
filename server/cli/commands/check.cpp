// `check`: what is set up, and whether it works.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/finding.hpp"
#include "server/cli/mcp_offers.hpp"
#include "server/cli/online_checks.hpp"
#include "server/cli/online_work.hpp"
#include "server/cli/parser/option_parser.hpp"
#include "server/cli/table.hpp"
#include "server/start/local_database.hpp"
#include "server/start/tool_names.hpp"
#include "server/start/version.hpp"
#include "server/views/database_checks.hpp"
#include "storage/schema.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <ostream>

namespace postrider::cli {

namespace {

namespace json = boost::json;

constexpr base::duration check_patience = std::chrono::seconds{10};

// The folder itself, or the one that it will be made in.
std::filesystem::path nearest_existing(std::filesystem::path folder) {
    std::error_code ec;
    while (!std::filesystem::exists(folder, ec) && folder.has_relative_path())
        folder = folder.parent_path();
    return folder;
}

finding look_at_folder(std::filesystem::path const& data) {
    std::error_code ec;
    auto const folder = std::filesystem::absolute(data, ec);
    auto const existing = nearest_existing(folder);
    bool const is_there = existing == folder;
    auto const probe = existing / ".check";
    bool const usable = std::ofstream(probe).put('\n').good();
    std::filesystem::remove(probe, ec);
    if (!usable) return {"data folder", verdict::fail, "cannot write into " + folder.string()};
    return {
        "data folder",
        verdict::ok,
        folder.string() + (is_there ? "" : ", which `postrider serve` makes")};
}

finding schema_to_check(storage::schema_state const& state) {
    if (!state.refusal.empty()) return {"database", verdict::fail, state.refusal};
    int const own = server::this_version().schema;
    auto detail = fmt::format("reachable, schema {}", state.number);
    if (state.newer) detail += fmt::format(" is of a newer version, this program brings {}", own);
    if (!state.up_to_date())
        detail += state.number < own ? fmt::format("; `serve` brings it to {}", own)
                                     : "; `serve` replaces its functions and views";
    return {"database", verdict::ok, detail};
}

findings look_at_tools(server::config const& settings, std::vector<std::string> of_flows) {
    findings result;
    for (auto const& unknown : server::unknown_tools(settings, std::move(of_flows)))
        result.push_back(
            {"tool " + unknown.name,
             verdict::warn,
             "no built-in tool and no tool of a published flow has this name, so what "
             "[tools." +
                 unknown.name + "] says holds for none" +
                 (unknown.nearest.empty() ? "" : "; did you mean " + unknown.nearest + "?")}
        );
    return result;
}

finding unreadable_check(base::error const& reason, bool online) {
    if (reason != base::errc::unauthorized)
        return {"database", verdict::fail, base::to_string(reason)};
    return {"database", verdict::fail, reason.detail, online ? "" : "postrider check --online"};
}

struct known_tools {
    std::vector<std::string> of_flows; // names, of published ones
    std::vector<storage::refused_tool_row> refused;
};

findings check_database(context const& in, bool online, known_tools& tools) {
    auto db = open_database(in);
    if (!db && db.error() == base::errc::not_found && in.configured.values.database_url.empty())
        return {{"database", verdict::ok, db.error().detail}};
    if (!db) return {{"database", verdict::fail, base::to_string(db.error())}};
    db->options.statement_timeout = check_patience;
    findings of_schema;
    findings of_server; // needs no right, so it is told whatever the role may not do
    auto const read = look_into(db->options, [&](storage::transaction& tx) {
        of_server = online ? server::look_at_server(tx) : server::look_at_writing(tx);
        auto const state = storage::inspect_schema(tx);
        of_schema = {schema_to_check(state)};
        if (!state.refusal.empty() || !state.up_to_date()) return;
        tools = {server::tools_of_flows(tx), storage::refused_tools(tx)};
        append(of_schema, server::look_at_tool_models(tx, in.configured.values));
    });
    if (!read) of_schema = {unreadable_check(read.error(), online)};
    append(of_schema, std::move(of_server));
    return of_schema;
}

base::awaitable<findings> look_online(net::http_client& http, server::config const& settings) {
    auto result = co_await look_at_bots(http, settings.bots, settings.public_url);
    append(result, co_await look_at_models(http, settings.models));
    // One of Telegram's own among them makes the address one that it must reach.
    auto const& bots = settings.bots;
    auto const real = std::ranges::find(bots, server::telegrams_own, &server::bot_config::api_base);
    std::string const base = real != bots.end() ? real->api_base
                             : bots.empty()     ? std::string(server::telegrams_own)
                                                : bots.front().api_base;
    result.push_back(co_await look_at_public_url(settings.public_url, base));
    co_return result;
}

json::value report_json(context const& in, findings const& report) {
    json::object settings;
    for (auto const& line : in.configured.effective)
        settings[line.key] = {{"value", line.value}, {"source", line.source}};
    json::array problems(in.configured.problems.begin(), in.configured.problems.end());
    return json::object{
        {"settings", std::move(settings)},
        {"problems", std::move(problems)},
        {"checks", to_json(report)}};
}

// What somebody has set; `whole`: the defaults as well.
void report_text(context const& in, findings const& report, bool whole) {
    std::vector<cells> lines;
    for (auto const& line : in.configured.effective)
        if (whole || line.source != "default")
            lines.push_back({line.key, line.value.empty() ? "-" : line.value, line.source});
    if (!lines.empty()) in.out << table({"setting", "value", "from"}, lines) << '\n';
    if (auto const defaults = in.configured.effective.size() - lines.size(); defaults > 0)
        in.out << fmt::format(
            "{} settings are by default; `postrider check --all` shows them.\n\n", defaults
        );
    for (auto const& problem : in.configured.problems) in.out << "wrong  " << problem << '\n';
    in.out << to_text(report);
}

struct check_arguments {
    bool online = false;
    bool all = false;
};

void declare_check(option_parser& parser, check_arguments& args) {
    parser.add_flag(
        "--online",
        args.online,
        "Also ask Telegram, the model providers, the MCP servers and the name server"
    );
    parser.add_flag("--all", args.all, "Print settings that are by default, too");
}

int run_check(context const& in, check_arguments const& args) {
    findings report;
    if (in.configured.problems.empty()) {
        auto const& settings = in.configured.values;
        report.push_back(look_at_folder(settings.data));
        if (auto const& file = in.configured.exposed_file; !file.empty())
            report.push_back(
                {"environment file",
                 verdict::warn,
                 file + " holds secrets, and everybody on this machine may read it",
                 "chmod 600 " + file}
            );
        for (auto const& name : settings.withheld_keys)
            report.push_back(
                {"model " + name,
                 verdict::ok,
                 "its base_url is not the provider's, so the provider's key is not sent to it",
                 fmt::format("models.{}.share_key = \"true\" sends it", name)}
            );
        keep_log_quiet(in);
        known_tools tools;
        append(report, check_database(in, args.online, tools));
        append(report, look_at_tools(settings, std::move(tools.of_flows)));
        if (args.online)
            append(report, run_online([&](net::http_client& http) {
                       return look_online(http, settings);
                   }));
        if (args.online) append(report, look_at_mcp(settings.mcp_servers, tools.refused));
    }
    if (in.json)
        in.out << base::json_text(report_json(in, report)) << '\n';
    else
        report_text(in, report, args.all);
    if (!in.configured.problems.empty()) return 2;
    return any_failed(report) ? 1 : 0;
}

} // namespace

namespace commands {

extern constinit command const check{
    .path = "check",
    .summary = "Print what is configured and test what it names",
    .example = R"(postrider check
postrider check --online)",
    .prepare = with_options<declare_check, run_check>,
    .settings = settings_need::as_given};

} // namespace commands

} // namespace postrider::cli
