// `flows node-types`: what flows can be made of, from this program alone.
#include "agent/flow/catalog.hpp"
#include "base/json/text.hpp"
#include "server/cli/node_type_report.hpp"
#include "server/cli/options.hpp"
#include "server/cli/parser/suggestion.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;

struct flows_node_types_arguments {
    std::string name;
};

void declare_flows_node_types(option_parser& parser, flows_node_types_arguments& args) {
    parser.add_option("TYPE", args.name, "Only this one, with its parameters");
}

int list_node_types(context const& in, flow::catalog const& types) {
    if (!in.json) {
        in.out << to_text(types.all());
        return 0;
    }
    json::array all;
    for (auto const* type : types.all()) all.push_back(flow::to_json(*type));
    in.out << base::json_text(json::object{{"node_types", std::move(all)}}) << '\n';
    return 0;
}

int run_flows_node_types(context const& in, flows_node_types_arguments const& args) {
    auto const types = flow::builtin_types();
    if (args.name.empty()) return list_node_types(in, types);
    auto const* type = types.find(args.name);
    if (!type) {
        std::vector<std::string> names;
        for (auto const* type : types.all()) names.push_back(type->name);
        in.err << fmt::format(
            "postrider: there is no node type {}{}.\n",
            args.name,
            hint_and(suggestion(args.name, names), "`postrider flows node-types` shows all")
        );
        return 1;
    }
    in.out << (in.json ? base::json_text(flow::to_json(*type)) + "\n" : to_text(*type));
    return 0;
}

} // namespace

namespace commands {

extern constinit command const flows_node_types{
    .path = "flows node-types",
    .summary = "List the node types with their parameters",
    .example = R"(postrider flows node-types
postrider flows node-types telegram.send)",
    .prepare = with_options<declare_flows_node_types, run_flows_node_types>};

} // namespace commands

} // namespace postrider::cli
