// `executions show`: what went through the nodes of an execution, as the running server tells it
// over its API: it has the models, the bots and the memory that the record is read with.
#include "base/json/text.hpp"
#include "server/cli/execution_report.hpp"
#include "server/cli/options.hpp"
#include "server/cli/own_server.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

struct executions_show_arguments {
    std::int64_t job = 0;
    std::string node;
    std::string address;
};

void declare_executions_show(option_parser& parser, executions_show_arguments& args) {
    add_job(parser, args.job);
    parser
        .add_option(
            "--node", args.node, "Only this node, with its parameters and the items that came to it"
        )
        ->type_name("NAME");
    add_address(parser, args.address);
}

base::awaitable<int> show_execution(
    context const& in, executions_show_arguments const& args, own_server& server
) {
    net::http_call call;
    call.method = "GET";
    call.target = fmt::format("/api/v1/executions/{}", args.job);
    auto const answer = co_await server.ask(std::move(call));
    if (!answer) {
        int const code = fail_to_ask(in, "show the execution", answer.error());
        if (answer.error() != base::errc::refused)
            in.err << fmt::format("`postrider jobs show {}` reads the record.\n", args.job);
        co_return code;
    }
    if (in.json) {
        in.out << base::json_text(*answer) << '\n';
        co_return 0;
    }
    if (args.node.empty()) {
        in.out << execution_text(*answer);
        co_return 0;
    }
    auto const text = node_text(*answer, args.node);
    if (!text) co_return fail(in, "show the node", text.error());
    in.out << *text;
    co_return 0;
}

int run_executions_show(context const& in, executions_show_arguments const& args) {
    return ask_own_server(in, args.address, [&](own_server& server) {
        return show_execution(in, args, server);
    });
}

} // namespace

namespace commands {

extern constinit command const executions_show{
    .path = "executions show",
    .summary = "Show an execution with the items of its nodes; asks the running server",
    .example = R"(postrider executions show 42
postrider executions show 42 --node Fetch)",
    .prepare = with_options<declare_executions_show, run_executions_show>};

} // namespace commands

} // namespace postrider::cli
