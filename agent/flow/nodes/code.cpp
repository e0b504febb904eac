#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/code_run.hpp"
#include "agent/flow/parts/services.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr base::duration longest_code = 60s;

// Code changes nothing outside, so it may run again. It is not run again for a failure of its own.
base::retry_policy code_tries(node_run const& run, base::duration deadline) {
    return run.retry(
        {.limit = 3,
         .delay = 1s,
         .timeout = std::chrono::ceil<std::chrono::milliseconds>(deadline + 5s)}
    );
}

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
        .for_each = parameters.at("run").get_string() == "each",
        .deadline = deadline};
    co_return co_await run_code(*code, std::move(request));
}

base::awaitable<base::result<outputs>> run_code_node(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    auto const written = base::duration_from_text(parameters->at("timeout").get_string());
    auto const deadline = std::min(written.value_or(longest_code), longest_code);
    auto const work = [&] { return run_code_of(run, *parameters, deadline); };
    auto const results = co_await run.steps().run("code", code_tries(run, deadline), work);
    if (!results) co_return results.error();
    outputs output;
    for (auto const& result : results->as_array()) output["main"].push_back({result});
    co_return output;
}

} // namespace

behaviour code_behaviour() {
    return durable{run_code_node};
}

} // namespace postrider::agent::flow
