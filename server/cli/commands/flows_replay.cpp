// `flows replay`: a recorded execution over again, in another version or by a document, as the
// running server tells it. Nothing is done, sent or written.
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "server/cli/execution_report.hpp"
#include "server/cli/operations.hpp"
#include "server/cli/options.hpp"
#include "server/cli/own_server.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

namespace postrider::cli {

namespace {

namespace json = boost::json;

struct flows_replay_arguments {
    std::int64_t job = 0;
    std::string version;
    std::string file;
    std::string pinned;
    std::string address;
};

void declare_flows_replay(option_parser& parser, flows_replay_arguments& args) {
    parser.add_option("ID", args.job, "The execution's job")->required()->check(id_number());
    auto* version =
        parser
            .add_option(
                "--version", args.version, "A number, draft or published; as pinned otherwise"
            )
            ->check(version_name())
            ->type_name("N");
    parser.add_option("--file", args.file, "Replay with this document")
        ->type_name("FILE")
        ->excludes(version);
    parser
        .add_option(
            "--pinned", args.pinned, "Items of nodes, instead of theirs: {\"Fetch\": [{…}]}"
        )
        ->type_name("JSON");
    add_address(parser, args.address);
}

// invalid: an option does not hold JSON; the detail names it.
base::result<json::object> body_of(flows_replay_arguments const& args) {
    json::object body;
    if (args.version == "draft" || args.version == "published")
        body["version"] = args.version;
    else if (!args.version.empty())
        body["version"] = std::stoll(args.version);
    if (!args.file.empty()) {
        std::ifstream file(args.file, std::ios::binary);
        if (!file.is_open())
            return base::error(base::errc::invalid, "there is no file " + args.file);
        auto document = base::parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
        if (!document)
            return base::error(base::errc::invalid, args.file + ": " + document.error().detail);
        body["document"] = std::move(*document);
    }
    if (args.pinned.empty()) return body;
    auto pinned = json_of(args.pinned, "--pinned");
    if (!pinned) return pinned.error();
    body["pinned"] = std::move(*pinned);
    return body;
}

base::awaitable<int> replay(
    context const& in, std::int64_t job, std::string body, own_server& server
) {
    net::http_call call;
    call.target = fmt::format("/api/v1/executions/{}/replay", job);
    call.headers = {{"Content-Type", "application/json"}};
    call.body = std::move(body);
    auto const answer = co_await server.ask(std::move(call));
    if (!answer) co_return fail_to_ask(in, "replay the execution", answer.error());
    in.out << (in.json ? base::json_text(*answer) + "\n" : replay_text(*answer));
    co_return 0;
}

int run_flows_replay(context const& in, flows_replay_arguments const& args) {
    auto const body = body_of(args);
    if (!body) return usage(in, body.error().detail);
    return ask_own_server(in, args.address, [&](own_server& server) {
        return replay(in, args.job, base::json_text(*body), server);
    });
}

} // namespace

namespace commands {

extern constinit command const flows_replay{
    .path = "flows replay",
    .summary = "Replay a recorded execution with a version or a document; changes nothing",
    .example = R"(postrider flows replay 42 --version 3
postrider flows replay 42 --version draft
postrider flows replay 42 --file support.json)",
    .prepare = with_options<declare_flows_replay, run_flows_replay>};

} // namespace commands

} // namespace postrider::cli
