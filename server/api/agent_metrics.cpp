#include "server/api/agent_metrics.hpp"

#include "agent/flow/execution_input.hpp"

namespace postrider::api {

namespace {

using labels = metric_families::labels;

void add_durations(
    metric_families& families,
    base::durations const& durations,
    std::string_view name_label,
    std::string_view outcome_label
) {
    for (auto const& [name, outcomes] : durations.all())
        for (auto const& [outcome, took] : outcomes)
            families.sample(
                took, {{std::string(name_label), name}, {std::string(outcome_label), outcome}}
            );
}

// "anthropic/claude-haiku-4-5"; what has no name of its own has no provider either.
labels labels_of_model(std::string const& name) {
    auto const slash = name.find('/');
    auto const model = slash == name.npos ? name : name.substr(slash + 1);
    return {{"gen_ai_provider_name", name.substr(0, slash)}, {"gen_ai_request_model", model}};
}

labels labels_of_call(std::string const& model) {
    auto all = labels_of_model(model);
    all.push_back({"gen_ai_operation_name", "chat"});
    return all;
}

void add_models(metric_families& families, telemetry::model_measures const& models) {
    families.histogram("gen_ai_client_operation_duration_seconds", "Calls of models.");
    for (auto const& [model, outcomes] : models.calls.all())
        for (auto const& [error, took] : outcomes) {
            auto with = labels_of_call(model);
            with.push_back({"error_type", error});
            families.sample(took, std::move(with));
        }
    families.histogram("gen_ai_client_token_usage", "Tokens of a call, cached ones included.");
    for (auto const& [model, types] : models.tokens.all())
        for (auto const& [type, tokens] : types) {
            auto with = labels_of_call(model);
            with.push_back({"gen_ai_token_type", type});
            families.sample(tokens, std::move(with));
        }
    families.counter(
        "model_cost_usd_total", "Cost of calls in US dollars, at the configured prices."
    );
    for (auto const& [model, all] : models.totals.all())
        families.sample(static_cast<double>(all.at("").cost_micro) / 1e6, labels_of_model(model));
    families.counter("model_cached_tokens_total", "Tokens of the input from the provider's cache.");
    for (auto const& [model, all] : models.totals.all())
        families.sample(all.at("").cached, labels_of_model(model));
}

void add_tools(metric_families& families, agent::flow::tool_measures const& tools) {
    families.histogram("gen_ai_execute_tool_duration_seconds", "Executions of tools.");
    auto const add = [&families](base::durations const& some, std::string const& source) {
        for (auto const& [tool, outcomes] : some.all())
            for (auto const& [error, took] : outcomes)
                families.sample(
                    took, {{"gen_ai_tool_name", tool}, {"source", source}, {"error_type", error}}
                );
    };
    add(tools.own, "own");
    add(tools.of_servers, "mcp");
}

// Of a turn, an effect "telegram.send" is what the person reads.
void add_first_replies(metric_families& families, base::durations const& first_effects) {
    constexpr std::string_view send_suffix = ".send";
    families.histogram(
        "turn_first_reply_seconds", "From the update's commit to the turn's first message."
    );
    for (auto const& [effect, kinds] : first_effects.all()) {
        auto const turns = kinds.find(agent::flow::turn_kind);
        if (!effect.ends_with(send_suffix) || turns == kinds.end()) continue;
        families.sample(
            turns->second, {{"messenger", effect.substr(0, effect.size() - send_suffix.size())}}
        );
    }
}

} // namespace

void add_agents(metric_families& families, telemetry::measures const& measures) {
    add_models(families, measures.models);
    add_tools(families, measures.tools);
    add_first_replies(families, measures.engine.first_effects);
    families.histogram("job_run_duration_seconds", "Runs of jobs, by how they ended.");
    add_durations(families, measures.engine.runs, "kind", "outcome");
    families.histogram("step_duration_seconds", "Tries of steps, by the kind of their effect.");
    add_durations(families, measures.engine.steps, "effect", "error_type");
    families.histogram("telegram_request_duration_seconds", "Requests to Telegram, by method.");
    add_durations(families, measures.bots, "method", "error_type");
}

} // namespace postrider::api
