// `flows import-n8n`: a workflow of n8n as a draft.
#include "agent/flow/document/document_text.hpp"
#include "agent/flow/n8n/import.hpp"
#include "base/json/text.hpp"
#include "server/cli/flow_file.hpp"
#include "server/cli/flow_report.hpp"
#include "server/cli/flow_work.hpp"
#include "server/views/flow_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace flow = agent::flow;

struct workflow_arguments {
    std::string file;
    std::string name;
    bool overwrite = false;
    bool print = false;
};

void declare_workflow(option_parser& parser, workflow_arguments& args) {
    parser.add_option("FILE", args.file, "A workflow that n8n exported; - reads standard input")
        ->required();
    parser.add_option("--name", args.name, "The flow's name; usually made of the workflow's")
        ->type_name("NAME");
    parser.add_flag("--overwrite", args.overwrite, "Replace a draft that was never published, too");
    parser.add_flag("--print", args.print, "Print the document, without a database");
}

boost::json::object json_of_import(flow::n8n::imported_draft const& draft) {
    return {
        {"document", draft.document},
        {"problems", server::problems_json(draft.problems)},
        {"counts", flow::n8n::to_json(draft.counts)}};
}

int print_import(context const& in, flow::n8n::imported_draft const& draft) {
    if (in.json) {
        in.out << base::json_text(json_of_import(draft)) << '\n';
        return 0;
    }
    in.out << flow::document_text(draft.document);
    in.err << to_text(draft.problems);
    return 0;
}

int import_n8n(context const& in, workflow_arguments const& args) {
    auto const text = read_flow_file(args.file);
    if (!text) return fail(in, "read " + args.file, text.error());
    auto const types = flow::builtin_types();
    auto draft = flow::n8n::import_workflow(*text, types);
    if (!draft) {
        in.out << to_text(std::vector{draft.error()});
        in.err << fmt::format("{}: {}\n", args.file, summary_of({draft.error()}));
        return 1;
    }
    if (!args.name.empty()) draft->document["name"] = args.name;
    if (args.print) return print_import(in, *draft);
    auto const validator = validator_of(in, types);
    auto const document = flow::document_text(draft->document);
    auto const read = flow::read_candidate(document, validator);
    if (!read) {
        in.out << to_text(read.error().problems);
        in.err << fmt::format("{}: {}\n", args.file, summary_of(read.error().problems));
        return 1;
    }
    flow::publisher const author{std::string(publisher)};
    auto const work = [&](auto& tx) -> flow::allowed<report> {
        auto const imported =
            flow::import(tx, *read, {.overwrite = args.overwrite}, author, validator);
        if (!imported) return imported.error();
        auto body = server::flow_json(imported->flow);
        body["created"] = imported->created;
        body.insert_or_assign("problems", server::problems_json(draft->problems));
        body["counts"] = flow::n8n::to_json(draft->counts);
        auto summary =
            fmt::format("{} {}.\n", read->name, imported->created ? "was made" : "has a new draft");
        return report{std::move(body), "", summary + to_text(draft->problems)};
    };
    return with_outcome(in, "import the workflow", work, in_new_database);
}

} // namespace

namespace commands {

extern constinit command const flows_import_n8n{
    .path = "flows import-n8n",
    .summary = "Make a flow of a workflow of n8n, or replace its draft",
    .example = "postrider flows import-n8n workflow.json --name support",
    .prepare = with_options<declare_workflow, import_n8n>};

} // namespace commands

} // namespace postrider::cli
