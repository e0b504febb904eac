#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/code_run.hpp"
#include "agent/flow/nodes/simple_code.hpp"
#include "agent/flow/parts/services.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr base::duration longest_code = 60s;

// Long enough for a machine or a process that is busy with other code.
constexpr base::retry_policy when_overloaded{.limit = 12, .delay = 1s};

// One of those that this process runs at once, for as long as it lives.
class code_place {
public:
    explicit code_place(int& running) : running_(++running) {}
    ~code_place() { --running_; }
    code_place(code_place const&) = delete;
    code_place& operator=(code_place const&) = delete;

private:
    int& running_;
};

struct code_tries {
    base::retry_policy policy;
    bool are_configured = false; // by the flow's author, who wants the code run again
};

// Code changes nothing outside, so it may run again. It does so for the sake of an overloaded machine; for a
// failure of its own only where the node says so.
code_tries tries_of(node_run const& run, base::duration deadline) {
    auto usual = when_overloaded;
    usual.timeout = std::chrono::ceil<std::chrono::milliseconds>(deadline + 5s);
    auto const policy = run.retry(usual);
    return {.policy = policy, .are_configured = policy != usual};
}

base::awaitable<queue::step_value> run_code_of(
    node_run& run, json::object const& parameters, base::duration deadline
) {
    auto const& code = run.services().code;
    if (!code)
        co_return base::error(
            base::errc::refused,
            "nodes that run code are off: set code.enabled in the configuration"
        );
    if (*code->running >= code->most_at_once)
        co_return base::error(base::errc::overloaded, "too much code runs already");
    code_place const place(*code->running);
    json::array input;
    for (auto const& entry : run.input()) input.push_back(*entry.json);
    code_request request{
        .language = std::string(parameters.at("language").get_string()),
        .code = std::string(parameters.at("code").get_string()),
        .items = std::move(input),
        .values = parameters.at("values"),
        .for_each = parameters.at("run").get_string() == "each",
        .deadline = deadline};
    co_return co_await run_code(*code, std::move(request));
}

base::awaitable<queue::step_value> run_code_within(
    node_run& run, json::object const& parameters, base::duration deadline, code_tries tries
) {
    auto results = co_await run_code_of(run, parameters, deadline);
    // The code takes longer than its limit, and will at the next try.
    if (!results && results.error() == base::errc::timeout && !tries.are_configured)
        co_return base::error(base::errc::too_large, results.error().detail);
    co_return results;
}

base::awaitable<base::result<outputs>> run_code_node(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    auto const written = base::duration_from_text(parameters->at("timeout").get_string());
    auto const deadline = std::min(written.value_or(longest_code), longest_code);
    auto const tries = tries_of(run, deadline);
    auto const work = [&] { return run_code_within(run, *parameters, deadline, tries); };
    auto const results = co_await run.steps().run("code", tries.policy, work);
    if (!results) co_return results.error();
    outputs output;
    for (auto const& result : results->as_array()) output["main"].push_back({result});
    co_return output;
}

// The parameters as they are written: the defaults are not filled in.
std::string_view simpler_type_for(json::object const& parameters) {
    auto const* code = parameters.if_contains("code");
    auto const* language = parameters.if_contains("language");
    if (!code || !code->is_string()) return {};
    bool const is_python = language && *language == "python";
    std::string_view const text(code->get_string());
    return simpler_type_than(is_python ? "python" : "javascript", text);
}

} // namespace

behaviour code_behaviour() {
    return durable{.execute = run_code_node, .simpler_type = simpler_type_for};
}

} // namespace postrider::agent::flow
