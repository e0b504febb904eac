// `flows list|show|validate|import|export|run`: documents in and out.
#include "agent/flow/start/hand_start.hpp"
#include "base/json.hpp"
#include "base/json_text.hpp"
#include "server/cli/command.hpp"
#include "server/cli/flow_report.hpp"
#include "server/cli/flow_work.hpp"
#include "server/start/local_database.hpp"
#include "server/views/flow_json.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

namespace postrider::cli {

namespace {

namespace flow = agent::flow;

constexpr int most_listed = 1000;

// "-" is standard input.
base::result<std::string> read_file(std::string const& name) {
    std::error_code ec;
    if (std::filesystem::is_directory(name, ec))
        return base::error(base::errc::invalid, "it is a folder; name a file of it");
    std::ifstream file(name == "-" ? "/dev/stdin" : name, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (file.bad() || !file.is_open())
        return base::error(base::errc::not_found, "no such file, or none that may be read");
    return text;
}

// With the flows of the database, where there is one: a check of a file makes none.
flow::judge best_judge(context const& in, flow::catalog const& types) {
    auto judge = judge_of(in, types);
    auto const& settings = in.configured.values;
    if (settings.database_url.empty() && !std::filesystem::exists(settings.data / "postgres"))
        return judge;
    auto const unknown = [&](base::error const& why) {
        in.err << "postrider: names of other flows are not checked: " << base::to_string(why)
               << '\n';
        return judge;
    };
    auto const db = server::open_local_database(settings, application);
    if (!db) return unknown(db.error());
    auto known = judge;
    auto const read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        known = flow::with_flows(tx, judge);
    });
    return read ? known : unknown(read.error());
}

int reject(context const& in, std::vector<flow::problem> const& problems) {
    in.out << to_text(problems);
    in.err << fmt::format("{}: {}\n", in.args.flow.file, summary_of(problems));
    return 1;
}

} // namespace

int flows_list(context const& in) {
    std::vector<storage::flow_row> flows;
    int const code = in_migrated(in, application, "read the flows", [&](auto& tx) {
        flows = storage::list_flows(tx, "", most_listed, in.args.flow.archived);
    });
    if (code != 0) return code;
    if (in.args.json) {
        boost::json::array all;
        for (auto const& each : flows) all.push_back(server::flow_json(each));
        boost::json::object answer{{"flows", std::move(all)}};
        in.out << base::json_text(answer) << '\n';
    } else if (flows.empty()) {
        in.err << "There is no flow.\n";
    } else {
        in.out << to_text(flows);
    }
    return 0;
}

int flows_show(context const& in) {
    return on_flow(in, "read the flow", [&](auto& tx, storage::flow_row const& row) {
        auto const versions = storage::list_versions(tx, row.id, 0, most_listed);
        auto body = server::flow_json(row);
        boost::json::array all;
        for (auto const& each : versions) all.push_back(server::version_json(each));
        body["versions"] = std::move(all);
        return report{std::move(body), to_text(row, versions)};
    });
}

int flows_validate(context const& in) {
    auto const text = read_file(in.args.flow.file);
    if (!text) return fail(in, "read " + in.args.flow.file, text.error());
    auto const types = flow::builtin_types();
    auto const read = flow::read_candidate(*text, best_judge(in, types));
    auto const& problems = read ? read->problems : read.error().problems;
    bool const valid = !flow::any_error(problems);
    if (in.args.json) {
        boost::json::object answer{{"valid", valid}, {"problems", server::problems_json(problems)}};
        in.out << base::json_text(answer) << '\n';
        return valid ? 0 : 1;
    }
    if (!valid) return reject(in, problems);
    in.out << to_text(problems);
    in.err << fmt::format(
        "{} can be published{}.\n", read->name, problems.empty() ? "" : ": " + summary_of(problems)
    );
    return 0;
}

int flows_import(context const& in) {
    auto const text = read_file(in.args.flow.file);
    if (!text) return fail(in, "read " + in.args.flow.file, text.error());
    auto const types = flow::builtin_types();
    auto const judge = judge_of(in, types);
    auto const read = flow::read_candidate(*text, judge);
    if (!read) return reject(in, read.error().problems);
    flow::import_options const options{in.args.flow.publish, in.args.flow.overwrite};
    flow::publisher const who{std::string(publisher), in.args.flow.note};
    return with_outcome(in, "import the flow", [&](auto& tx) -> flow::allowed<report> {
        auto const done = flow::import(tx, *read, options, who, judge);
        if (!done) return done.error();
        auto body = server::flow_json(done->flow);
        body["created"] = done->created;
        body["problems"] = server::problems_json(done->problems);
        auto said =
            fmt::format("{} {}", read->name, done->created ? "was made" : "has a new draft");
        if (done->published)
            said += fmt::format(
                "; v{} {}",
                done->published->version,
                done->published->fresh ? "is published" : "is published already"
            );
        return report{std::move(body), "", said + ".\n" + to_text(done->problems)};
    });
}

int flows_export(context const& in) {
    return on_flow(in, "export the flow", [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const usual = row.published ? "published" : "draft";
        auto const& version = in.args.flow.version;
        auto text = flow::read_document(tx, row, version.empty() ? usual : version);
        if (!text) return text.error();
        return report{{}, std::move(*text)};
    });
}

int flows_run(context const& in) {
    auto const folder = in.args.flags.find("data");
    if (folder != in.args.flags.end() && folder->second.starts_with('{'))
        return usage(in, "--data names the folder of the data; JSON for the trigger is --input");
    flow::hand_start start;
    start.trigger = in.args.flow.trigger;
    if (!in.args.flow.version.empty()) start.version = std::stoll(in.args.flow.version);
    if (!in.args.flow.input.empty()) {
        auto data = base::parse_json(in.args.flow.input);
        if (!data) return usage(in, "--input: " + data.error().detail);
        start.data = std::move(*data);
    }
    auto const types = flow::builtin_types();
    return on_flow(in, "start the flow", [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const started = flow::start_by_hand(tx, row, start, types);
        if (!started) return started.error();
        boost::json::object body{
            {"job_id", base::raw(started->job)},
            {"version", started->version},
            {"trigger", started->trigger}};
        auto const job = base::to_string(started->job);
        return report{
            std::move(body),
            job + "\n",
            fmt::format(
                "v{} starts; `postrider jobs show {}` tells of it.\n", started->version, job
            )};
    });
}

} // namespace postrider::cli
