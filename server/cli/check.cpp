// `check`, `migrate` and `version`: what is set up, and whether it works.
#include "base/json_text.hpp"
#include "server/cli/command.hpp"
#include "server/cli/finding.hpp"
#include "server/cli/inside.hpp"
#include "server/cli/online_work.hpp"
#include "server/cli/outside.hpp"
#include "server/cli/table.hpp"
#include "server/start/local_database.hpp"
#include "server/version.hpp"
#include "storage/migrations.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <ostream>

namespace postrider::cli {

namespace {

namespace json = boost::json;

constexpr base::duration patience = std::chrono::seconds{10};

finding look_at_folder(std::filesystem::path const& folder) {
    std::error_code ec;
    std::filesystem::create_directories(folder, ec);
    auto probe = folder / ".check";
    bool const writable = !ec && std::ofstream(probe).put('\n').good();
    std::filesystem::remove(probe, ec);
    auto path = std::filesystem::absolute(folder, ec).string();
    return {
        "data folder",
        writable ? verdict::ok : verdict::fail,
        writable ? path : "cannot write into " + path};
}

finding schema(storage::schema_state const& state) {
    if (!state.refusal.empty()) return {"database", verdict::fail, state.refusal};
    int const ours = server::this_version().schema;
    auto detail = fmt::format("reachable, schema {}", state.number);
    if (state.newer) detail += fmt::format(" is of a newer version, ours is {}", ours);
    if (!state.up_to_date())
        detail += state.number < ours ? fmt::format("; `serve` brings it to {}", ours)
                                      : "; `serve` replaces its functions and views";
    return {"database", verdict::ok, detail};
}

findings look_at_database(server::config const& from, bool online) {
    auto db = server::open_local_database(from, "postrider check");
    if (!db) return {{"database", verdict::fail, base::to_string(db.error())}};
    db->options.statement_timeout = patience;
    findings all;
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        all = {schema(storage::inspect_schema(tx))};
        if (online) append(all, look_at_server(tx));
    });
    if (!read) return {{"database", verdict::fail, base::to_string(read.error())}};
    return all;
}

base::awaitable<findings> look_outside(net::http_client& http, server::config const& settings) {
    auto all = co_await look_at_bots(http, settings.bots, settings.public_url);
    append(all, co_await look_at_models(http, settings.models));
    // One of Telegram's own among them makes the address one that it must reach.
    auto const& bots = settings.bots;
    auto const real = std::ranges::find(bots, server::telegrams_own, &server::bot_config::api_base);
    std::string const base = real != bots.end() ? real->api_base
                             : bots.empty()     ? std::string(server::telegrams_own)
                                                : bots.front().api_base;
    all.push_back(co_await look_at_public_url(settings.public_url, base));
    co_return all;
}

json::value report_json(context const& in, findings const& all) {
    json::object settings;
    for (auto const& line : in.configured.effective)
        settings[line.key] = {{"value", line.value}, {"source", line.source}};
    json::array problems(in.configured.problems.begin(), in.configured.problems.end());
    return json::object{
        {"settings", std::move(settings)},
        {"problems", std::move(problems)},
        {"checks", to_json(all)}};
}

void report_text(context const& in, findings const& all) {
    std::vector<cells> lines;
    for (auto const& line : in.configured.effective)
        lines.push_back({line.key, line.value.empty() ? "-" : line.value, line.source});
    in.out << table({"setting", "value", "from"}, lines) << '\n';
    for (auto const& problem : in.configured.problems) in.out << "wrong  " << problem << '\n';
    in.out << to_text(all);
}

} // namespace

int check(context const& in) {
    findings all;
    if (in.configured.problems.empty()) {
        auto const& settings = in.configured.values;
        all.push_back(look_at_folder(settings.data));
        append(all, look_at_database(settings, in.args.online));
        if (in.args.online)
            append(all, run_online([&](net::http_client& http) {
                       return look_outside(http, settings);
                   }));
    }
    if (in.args.json)
        in.out << base::json_text(report_json(in, all)) << '\n';
    else
        report_text(in, all);
    if (!in.configured.problems.empty()) return 2;
    return any_failed(all) ? 1 : 0;
}

int migrate(context const& in) {
    auto db = server::open_local_database(in.configured.values, "postrider migrate");
    if (!db) return fail(in, "open the database", db.error());
    auto report = storage::migrate(db->options);
    if (!report) return fail(in, "migrate", report.error());
    if (in.args.json) {
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

int version(context const& in) {
    auto const& v = server::this_version();
    if (in.args.json) {
        in.out << base::json_text(json::object{
                      {"version", v.product},
                      {"schema", v.schema},
                      {"boost", v.boost},
                      {"libpqxx", v.libpqxx},
                      {"compiler", v.compiler}})
               << '\n';
        return 0;
    }
    in.out << fmt::format(
        "postrider {}\nschema    {}\nBoost     {}\nlibpqxx   {}\ncompiler  {}\n",
        v.product,
        v.schema,
        v.boost,
        v.libpqxx,
        v.compiler
    );
    return 0;
}

} // namespace postrider::cli
