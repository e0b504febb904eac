#include "server/cli/trial.hpp"

#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "server/cli/own_server.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <iterator>
#include <ostream>

namespace postrider::cli {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr auto pause_between_comparisons = 500ms;

bool is_end_of_trial(std::string_view state) {
    return state == "completed" || state == "failed" || state == "cancelled";
}

void append_side(std::string& text, std::string_view title, base::json_reader const& side) {
    auto add = std::back_inserter(text);
    if (!side) {
        fmt::format_to(add, "{}\n  its record was deleted\n", title);
        return;
    }
    fmt::format_to(
        add,
        "{}: job {}, {}, {}\n",
        title,
        side["job_id"].int64_or(0),
        side["state"].string_or(""),
        side["model"].string_or("no model replied")
    );
    fmt::format_to(
        add, "  tokens {} in, {} out", side["tokens_in"].int64_or(0), side["tokens_out"].int64_or(0)
    );
    if (side["cost"]) fmt::format_to(add, ", ${:.6f}", side["cost"].number_or(0) / 100);
    text += '\n';
    for (auto const& call : side["calls"].items_or_none()) {
        auto const* arguments = call["arguments"].raw();
        fmt::format_to(
            add,
            "  {} {}{}\n",
            call["tool"].string_or(""),
            arguments ? base::json_text(*arguments) : "",
            call["recorded"].boolean_or(false) ? " (recorded result)" : ""
        );
        if (auto const failure = call["error"].string_or(""); !failure.empty())
            fmt::format_to(add, "    {}\n", failure);
    }
    if (auto const failure = side["error"].string_or(""); !failure.empty())
        fmt::format_to(add, "  {}\n", failure);
    if (auto const answer = side["text"].string_or(""); !answer.empty())
        fmt::format_to(add, "\n{}\n", answer);
}

base::awaitable<base::result<json::value>> await_comparison(
    own_server& server, std::int64_t trial
) {
    for (;;) {
        net::http_call call;
        call.method = "GET";
        call.target = fmt::format("/api/v1/executions/{}/comparison", trial);
        auto answer = co_await server.ask(std::move(call));
        if (!answer) co_return answer;
        base::json_reader const comparison(*answer);
        if (is_end_of_trial(comparison["trial"]["state"].string_or(""))) co_return answer;
        co_await base::sleep_for(pause_between_comparisons);
    }
}

base::awaitable<int> run_trial(
    context const& in, std::int64_t job, std::string body, own_server& server
) {
    net::http_call call;
    call.target = fmt::format("/api/v1/executions/{}/trials", job);
    call.headers = {{"Content-Type", "application/json"}};
    call.body = std::move(body);
    auto const started = co_await server.ask(std::move(call));
    if (!started) co_return fail_to_ask(in, "try the turn again", started.error());
    auto const trial = base::json_reader(*started)["job_id"].int64_or(0);
    in.err << fmt::format("Job {} tries it. Ctrl-C does not end it.\n", trial);
    auto const comparison = co_await await_comparison(server, trial);
    if (!comparison) co_return fail_to_ask(in, "compare the turns", comparison.error());
    in.out << (in.json ? base::json_text(*comparison) + "\n" : comparison_text(*comparison));
    auto const state = base::json_reader(*comparison)["trial"]["state"].string_or("");
    co_return state == "completed" ? 0 : 1;
}

} // namespace

void add_trial(option_parser& parser, trial_options& options) {
    parser
        .add_option("--model", options.model, "Try the agent's turn again with this [models.NAME]")
        ->type_name("NAME");
    parser
        .add_option(
            "--system-prompt", options.system_prompt, "Try it again with this system prompt"
        )
        ->type_name("TEXT");
    parser.add_option("--node", options.node, "Of a trial: the agent, if several ran")
        ->type_name("NAME");
    add_address(parser, options.address);
}

int try_again(context const& in, std::int64_t job, trial_options const& options) {
    json::object body;
    if (!options.model.empty()) body["model"] = options.model;
    if (!options.system_prompt.empty()) body["system_prompt"] = options.system_prompt;
    if (!options.node.empty()) body["node"] = options.node;
    return ask_own_server(in, options.address, [&](own_server& server) {
        return run_trial(in, job, base::json_text(body), server);
    });
}

std::string comparison_text(json::value const& comparison) {
    base::json_reader const fields(comparison);
    std::string text;
    append_side(text, "Original", fields["original"]);
    text += '\n';
    append_side(text, "Trial", fields["trial"]);
    return text;
}

} // namespace postrider::cli
