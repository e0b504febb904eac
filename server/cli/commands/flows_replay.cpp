// `flows replay`: a recorded execution over again, in another version or by a document, or the last ones of a
// flow, as the running server tells it. Nothing is done, sent or written.
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "net/http.hpp"
#include "server/cli/execution_report.hpp"
#include "server/cli/operations.hpp"
#include "server/cli/options.hpp"
#include "server/cli/own_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

namespace postrider::cli {

namespace {

namespace json = boost::json;

struct flows_replay_arguments {
    std::string subject; // an execution's job, or a flow with --last
    int last = 0;
    std::string version;
    std::string file;
    std::string pinned;
    std::string address;
};

void declare_flows_replay(option_parser& parser, flows_replay_arguments& args) {
    parser.add_option("ID", args.subject, "The execution's job; with --last a flow's name")
        ->required();
    auto* last =
        parser
            .add_option(
                "--last", args.last, "So many of the flow's last executions, with its draft"
            )
            ->check(in_range(1, 20))
            ->type_name("N");
    auto* version =
        parser
            .add_option(
                "--version", args.version, "A number, draft or published; as pinned otherwise"
            )
            ->check(version_name())
            ->type_name("N");
    parser.add_option("--file", args.file, "Replay with this document")
        ->type_name("FILE")
        ->excludes(version)
        ->excludes(last);
    parser
        .add_option(
            "--pinned", args.pinned, "Items of nodes, instead of theirs: {\"Fetch\": [{…}]}"
        )
        ->type_name("JSON")
        ->excludes(last);
    add_address(parser, args.address);
}

// invalid: an option does not hold JSON; the detail names it.
base::result<json::object> body_of(flows_replay_arguments const& args) {
    json::object body;
    if (args.last > 0) body["last"] = args.last;
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

struct replay_call {
    std::string target;
    std::string body;
    std::string (*text)(json::value const& document) = replay_text;
};

base::awaitable<int> replay(context const& in, replay_call request, own_server& server) {
    net::http_call call;
    call.target = std::move(request.target);
    call.headers = {{"Content-Type", "application/json"}};
    call.body = std::move(request.body);
    auto const answer = co_await server.ask(std::move(call));
    if (!answer) co_return fail_to_ask(in, "replay it", answer.error());
    in.out << (in.json ? base::json_text(*answer) + "\n" : request.text(*answer));
    co_return 0;
}

int run_flows_replay(context const& in, flows_replay_arguments const& args) {
    bool const is_number = !args.subject.empty() && std::ranges::all_of(args.subject, [](char c) {
        return c >= '0' && c <= '9';
    });
    if (args.last == 0 && !is_number)
        return usage(in, "ID is the number of an execution's job; for a flow add --last");
    auto const body = body_of(args);
    if (!body) return usage(in, body.error().detail);
    replay_call request{
        fmt::format("/api/v1/executions/{}/replay", args.subject), base::json_text(*body)};
    if (args.last > 0) {
        request.target =
            fmt::format("/api/v1/flows/{}/replays", net::percent_encoded(args.subject));
        request.text = replays_text;
    }
    return ask_own_server(in, args.address, [&](own_server& server) {
        return replay(in, request, server);
    });
}

} // namespace

namespace commands {

extern constinit command const flows_replay{
    .path = "flows replay",
    .summary = "Replay recorded executions with a version or a document; changes nothing",
    .example = R"(postrider flows replay 42 --version 3
postrider flows replay 42 --version draft
postrider flows replay support --last 10
postrider flows replay 42 --file support.json)",
    .prepare = with_options<declare_flows_replay, run_flows_replay>};

} // namespace commands

} // namespace postrider::cli
