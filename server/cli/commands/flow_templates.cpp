// `flows templates|new`: flows to begin with.
#include "server/start/flow_templates.hpp"

#include "base/json/text.hpp"
#include "server/cli/flow_report.hpp"
#include "server/cli/flow_work.hpp"
#include "server/cli/table.hpp"
#include "server/views/flow_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

constexpr std::size_t template_description_width = 80;

int list_templates(context const& in) {
    boost::json::array templates;
    std::vector<cells> lines;
    for (auto const& shipped : server::flow_templates()) {
        templates.push_back(server::summary_of(shipped));
        lines.push_back(
            {shipped.name, shipped.title, one_line(shipped.description, template_description_width)}
        );
    }
    if (in.json)
        in.out << base::json_text(boost::json::object{{"flow_templates", std::move(templates)}})
               << '\n';
    else
        in.out << table({"template", "title", "description"}, lines);
    return 0;
}

struct new_flow_arguments {
    named_flow flow;
    std::string origin;
};

void declare_new(option_parser& parser, new_flow_arguments& args) {
    declare_flow(parser, args.flow);
    parser.add_option("--template", args.origin, "The flow to begin with (an empty one)")
        ->type_name("TEMPLATE");
}

int make_flow(context const& in, new_flow_arguments const& args) {
    auto const* origin = args.origin.empty() ? nullptr : server::find_flow_template(args.origin);
    if (!origin && !args.origin.empty()) {
        in.err << fmt::format("postrider: {}\n", server::no_such_template(args.origin));
        return 1;
    }
    auto const types = agent::flow::builtin_types();
    auto const validator = validator_of(in, types);
    auto const text = server::new_flow_document(args.flow.name, origin);
    auto const work = [&](auto& tx) -> agent::flow::allowed<report> {
        auto const draft =
            agent::flow::read_candidate(text, agent::flow::with_flows(tx, validator));
        if (!draft) return draft.error();
        auto const row = agent::flow::create(tx, *draft);
        if (!row) return row.error();
        auto body = server::flow_json(*row);
        body["problems"] = server::problems_json(draft->problems);
        return report{
            std::move(body),
            to_text(draft->problems),
            fmt::format("{} was made as a draft.\n", draft->name)};
    };
    return with_outcome(in, "make the flow", work, in_new_database);
}

} // namespace

namespace commands {

extern constinit command const flows_templates{
    .path = "flows templates",
    .summary = "List the flows to begin with",
    .example = "postrider flows templates",
    .prepare = without_options<list_templates>};

extern constinit command const flows_new{
    .path = "flows new",
    .summary = "Make a draft, from a template or empty",
    .example = "postrider flows new news --template rss_digest",
    .prepare = with_options<declare_new, make_flow>};

} // namespace commands

} // namespace postrider::cli
