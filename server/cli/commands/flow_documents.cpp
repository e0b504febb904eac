// `flows list|show|validate|import|export`: documents in and out.
#include "base/json/text.hpp"
#include "server/cli/flow_file.hpp"
#include "server/cli/flow_report.hpp"
#include "server/cli/flow_work.hpp"
#include "server/start/config.hpp"
#include "server/start/local_database.hpp"
#include "server/views/flow_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace flow = agent::flow;

constexpr int most_flows = 1000;

// With the flows of the database, where there is one: a check of a file makes none.
flow::validator best_validator(context const& in, flow::catalog const& types) {
    auto validator = validator_of(in, types);
    auto const& settings = in.configured.values;
    if (settings.database_url.empty() && !storage::has_private_cluster(settings.data / "postgres"))
        return validator;
    auto const unknown = [&](base::error const& reason) {
        in.err << "postrider: names of other flows are not checked: " << base::to_string(reason)
               << '\n';
        return validator;
    };
    auto const db = open_database(in);
    if (!db) return unknown(db.error());
    auto with_names = validator;
    try {
        auto const read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
            with_names = flow::with_flows(tx, validator);
        });
        return read ? with_names : unknown(read.error());
    } catch (storage::database_error const& e) { // before the first start it has no schema
        return unknown({base::errc::unavailable, e.what()});
    }
}

int reject(context const& in, std::string const& file, std::vector<flow::problem> const& problems) {
    in.out << to_text(problems);
    in.err << fmt::format("{}: {}\n", file, summary_of(problems));
    return 1;
}

struct flow_listing {
    bool archived = false;
};

void declare_flow_list(option_parser& parser, flow_listing& args) {
    parser.add_flag("--archived", args.archived, "List archived flows too");
}

int list_flows(context const& in, flow_listing const& args) {
    std::vector<storage::flow_row> flows;
    int const code = in_database(in, "read the flows", [&](auto& tx) {
        flows = storage::list_flows(tx, "", most_flows, args.archived);
    });
    if (code != 0) return code;
    if (in.json) {
        boost::json::array all;
        for (auto const& flow : flows) all.push_back(server::flow_json(flow));
        boost::json::object answer{{"flows", std::move(all)}};
        in.out << base::json_text(answer) << '\n';
    } else if (flows.empty()) {
        in.err << "There is no flow; `postrider flows import FILE` makes one.\n";
    } else {
        in.out << to_text(flows);
    }
    return 0;
}

int show_flow(context const& in, named_flow const& args) {
    return on_flow(in, args.name, "read the flow", [&](auto& tx, storage::flow_row const& row) {
        auto const versions = storage::list_versions(tx, row.id, 0, most_flows);
        auto body = server::flow_json(row);
        boost::json::array all;
        for (auto const& version : versions) all.push_back(server::version_json(version));
        body["versions"] = std::move(all);
        return report{std::move(body), to_text(row, versions)};
    });
}

struct source {
    std::string file;
};

void declare_file(option_parser& parser, source& args) {
    parser.add_option("FILE", args.file, "A flow as JSON; - reads standard input")->required();
}

int validate(context const& in, source const& args) {
    auto const text = read_flow_file(args.file);
    if (!text) return fail(in, "read " + args.file, text.error());
    auto const types = flow::builtin_types();
    auto const read = flow::read_candidate(*text, best_validator(in, types));
    auto const& problems = read ? read->problems : read.error().problems;
    bool const valid = !flow::any_error(problems);
    if (in.json) {
        boost::json::object answer{{"valid", valid}, {"problems", server::problems_json(problems)}};
        in.out << base::json_text(answer) << '\n';
        return valid ? 0 : 1;
    }
    if (!valid) return reject(in, args.file, problems);
    in.out << to_text(problems);
    in.err << fmt::format(
        "{} can be published{}.\n", read->name, problems.empty() ? "" : ": " + summary_of(problems)
    );
    return 0;
}

struct import_arguments {
    cli::source source;
    bool publish = false;
    bool overwrite = false;
    std::string note;
};

void declare_import(option_parser& parser, import_arguments& args) {
    declare_file(parser, args.source);
    parser.add_flag("--publish", args.publish, "Publish the flow, too");
    parser.add_flag("--overwrite", args.overwrite, "Replace a draft that was never published, too");
    parser.add_option("--note", args.note, "A note for people on what is new")->type_name("TEXT");
}

int import(context const& in, import_arguments const& args) {
    auto const text = read_flow_file(args.source.file);
    if (!text) return fail(in, "read " + args.source.file, text.error());
    auto const types = flow::builtin_types();
    auto const validator = validator_of(in, types);
    auto const read = flow::read_candidate(*text, validator);
    if (!read) return reject(in, args.source.file, read.error().problems);
    flow::import_options const options{args.publish, args.overwrite};
    flow::publisher const author{std::string(publisher), args.note};
    auto const work = [&](auto& tx) -> flow::allowed<report> {
        auto const imported = flow::import(tx, *read, options, author, validator);
        if (!imported) return imported.error();
        auto body = server::flow_json(imported->flow);
        body["created"] = imported->created;
        body["problems"] = server::problems_json(imported->problems);
        auto summary =
            fmt::format("{} {}", read->name, imported->created ? "was made" : "has a new draft");
        if (imported->published)
            summary += fmt::format(
                "; v{} {}",
                imported->published->version,
                imported->published->fresh ? "is published" : "is published already"
            );
        return report{std::move(body), "", summary + ".\n" + to_text(imported->problems)};
    };
    return with_outcome(in, "import the flow", work, in_new_database);
}

struct export_arguments {
    named_flow flow;
    std::string version;
};

void declare_export(option_parser& parser, export_arguments& args) {
    declare_flow(parser, args.flow);
    parser.add_option("--version", args.version, "A number, draft or published (published)")
        ->type_name("N");
}

int export_document(context const& in, export_arguments const& args) {
    auto const work = [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const usual = row.published ? "published" : "draft";
        auto text = flow::read_document(tx, row, args.version.empty() ? usual : args.version);
        if (!text) return text.error();
        return report{{}, std::move(*text)};
    };
    return on_flow(in, args.flow.name, "export the flow", work);
}

} // namespace

namespace commands {

extern constinit command const flows_list{
    .path = "flows list",
    .summary = "List all flows",
    .example = "postrider flows list --archived",
    .prepare = with_options<declare_flow_list, list_flows>};

extern constinit command const flows_show{
    .path = "flows show",
    .summary = "Show a flow with its versions",
    .example = "postrider flows show assistant",
    .prepare = with_options<declare_flow, show_flow>};

extern constinit command const flows_validate{
    .path = "flows validate",
    .summary = "List every problem of a file, also without a database",
    .example = "postrider flows validate support.json",
    .prepare = with_options<declare_file, validate>};

extern constinit command const flows_import{
    .path = "flows import",
    .summary = "Make a flow of a file, or replace its draft",
    .example = R"(postrider flows import support.json --publish --note "Answer in German")",
    .prepare = with_options<declare_import, import>};

extern constinit command const flows_export{
    .path = "flows export",
    .summary = "Print the document of a flow",
    .example = "postrider flows export assistant --version published > assistant.json",
    .prepare = with_options<declare_export, export_document>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
