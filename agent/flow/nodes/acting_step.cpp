#include "agent/flow/nodes/acting_step.hpp"

#include "net/digest.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

bool is_recorded(node_run& run, std::string const& step) {
    if (run.steps().recorded(step)) return true;
    if (run.steps().is_read_only()) throw queue::suspended{}; // here the record ends
    return false;
}

base::awaitable<queue::step_value> recorded_result(node_run& run, std::string const& step) {
    co_return co_await run.steps().record_value(step, boost::json::value{});
}

base::awaitable<queue::step_value> act(node_run& run, acting_step step, queue::step_function work) {
    auto& steps = run.steps();
    auto const tries = run.retry(step.tries);
    bool const is_planned = steps.planned(step.name);
    if (step.effect_class == queue::effect_class::pure && !is_planned)
        co_return co_await steps.try_step(step.name, tries, std::move(work));
    if (!is_planned) {
        queue::effect_intent intent;
        intent.key = step.name;
        intent.kind = std::move(step.kind);
        intent.effect_class = step.effect_class;
        intent.request = std::move(step.request);
        queue::commit_with additions;
        additions.effects.push_back(std::move(intent));
        co_await run.commit(std::move(additions));
    }
    co_return co_await steps.perform(step.name, tries, std::move(work));
}

std::string key_of_step(node_run& run, std::string_view step) {
    auto const& steps = run.steps();
    auto const& job = steps.job();
    auto const text =
        fmt::format("{}\n{}\n{}{}", base::raw(job.id), job.restarts, steps.prefix(), step);
    return net::sha256_hex(text).substr(0, 32);
}

} // namespace postrider::agent::flow
