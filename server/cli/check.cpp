// `check`, `migrate` and `version`: what is set up, and whether it works.
#include "base/clock.hpp"
#include "server/cli/command.hpp"
#include "server/cli/table.hpp"
#include "server/local_database.hpp"
#include "server/version.hpp"
#include "storage/migrations.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <ostream>

namespace postrider::cli {

namespace {

namespace json = boost::json;

constexpr storage::statement schema_exists{
    "cli.schema_exists", "select to_regclass('postrider.migration') is not null"};
constexpr storage::statement newest_migration{
    "cli.newest_migration", "select coalesce(max(number), 0) from postrider.migration"};

struct finding {
    std::string what;
    bool well = false;
    std::string detail;
};

finding look_at_folder(std::filesystem::path const& folder) {
    std::error_code ec;
    std::filesystem::create_directories(folder, ec);
    auto probe = folder / ".check";
    bool const writable = !ec && std::ofstream(probe).put('\n').good();
    std::filesystem::remove(probe, ec);
    auto path = std::filesystem::absolute(folder, ec).string();
    return {"data folder", writable, writable ? path : "cannot write into " + path};
}

finding look_at_database(server::config const& in) {
    auto db = server::open_local_database(in, "postrider check");
    if (!db) return {"database", false, base::to_string(db.error())};
    int found = 0;
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        if (tx.query(schema_exists).front().boolean(0))
            found = static_cast<int>(tx.query(newest_migration).front().int64(0));
    });
    if (!read) return {"database", false, base::to_string(read.error())};
    int const ours = server::this_version().schema;
    if (found == ours) return {"database", true, fmt::format("reachable, schema {}", found)};
    if (found > ours)
        return {
            "database",
            true,
            fmt::format("reachable, schema {} is newer than ours ({})", found, ours)};
    return {
        "database",
        true,
        fmt::format("reachable, schema {}; `serve` brings it to {}", found, ours)};
}

json::value report_json(context const& in, std::vector<finding> const& findings) {
    json::object settings;
    for (auto const& line : in.configured.effective)
        settings[line.key] = {{"value", line.value}, {"source", line.source}};
    json::array problems(in.configured.problems.begin(), in.configured.problems.end());
    json::array checks;
    for (auto const& f : findings)
        checks.push_back({{"what", f.what}, {"ok", f.well}, {"detail", f.detail}});
    return json::object{
        {"settings", std::move(settings)},
        {"problems", std::move(problems)},
        {"checks", std::move(checks)}};
}

void report_text(context const& in, std::vector<finding> const& findings) {
    std::vector<cells> lines;
    for (auto const& line : in.configured.effective)
        lines.push_back({line.key, line.value.empty() ? "-" : line.value, line.source});
    in.out << table({"setting", "value", "from"}, lines) << '\n';
    for (auto const& problem : in.configured.problems) in.out << "wrong  " << problem << '\n';
    for (auto const& f : findings)
        in.out << (f.well ? "ok     " : "failed ") << f.what << ": " << f.detail << '\n';
}

} // namespace

int check(context const& in) {
    std::vector<finding> findings;
    if (in.configured.problems.empty()) {
        findings.push_back(look_at_folder(in.configured.values.data));
        findings.push_back(look_at_database(in.configured.values));
    }
    if (in.args.json)
        in.out << json::serialize(report_json(in, findings)) << '\n';
    else
        report_text(in, findings);
    if (!in.configured.problems.empty()) return 2;
    return std::ranges::all_of(findings, &finding::well) ? 0 : 1;
}

int migrate(context const& in) {
    auto db = server::open_local_database(in.configured.values, "postrider migrate");
    if (!db) return fail(in, "open the database", db.error());
    auto report = storage::migrate(db->options);
    if (!report) return fail(in, "migrate", report.error());
    if (in.args.json) {
        json::array applied(report->applied.begin(), report->applied.end());
        in.out << json::serialize(json::object{
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
        in.out << json::serialize(json::object{
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
