#include "server/telemetry/spans.hpp"

#include "agent/flow/parts/model_step.hpp"
#include "agent/models/model.hpp"
#include "base/utf8.hpp"
#include "net/digest.hpp"
#include "server/telemetry/trace_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace postrider::telemetry {

namespace {

std::string_view last_part(std::string_view key) {
    return key.substr(key.rfind('/') + 1);
}

std::string_view scope_of(std::string_view key) {
    auto const slash = key.rfind('/');
    return slash == key.npos ? std::string_view() : key.substr(0, slash);
}

bool is_model_call(std::string_view key) {
    return !scope_of(key).empty() && agent::flow::node_of_model_step(last_part(key));
}

// The same in every round.
std::string_view without_round(std::string_view key) {
    return key.substr(0, key.find('#', key.size() - last_part(key).size()));
}

// "assistant/tool:1"
bool is_tool_call(std::string_view key) {
    return !scope_of(key).empty() && last_part(key).starts_with("tool:");
}

std::string as_text(std::int64_t number) {
    return std::to_string(number);
}

// Others name them: a model may ask for a tool that it has made up.
constexpr std::size_t longest_name = 64;
constexpr std::size_t longest_call_id = 128;
constexpr std::size_t longest_model = 128;

struct tool_call {
    std::string name;
    std::string id;
};

// The calls behind the steps of tools: after a model's reply, those of the calls that it asks for, in
// its order. By the step's key.
std::map<std::string_view, tool_call> calls_of(std::vector<step_record> const& steps) {
    struct round {
        step_record const* reply = nullptr;
        std::size_t next = 0;
    };
    std::map<std::string_view, round> rounds; // by the agent's scope
    std::map<std::string_view, tool_call> calls;
    for (auto const& step : steps) {
        if (is_model_call(step.key) && step.outcome == "done") {
            rounds[scope_of(step.key)] = {&step, 0};
        } else if (is_tool_call(step.key) && !calls.contains(step.key)) {
            auto& current = rounds[scope_of(step.key)];
            if (!current.reply || current.next >= current.reply->call_names.size()) continue;
            auto const at = current.next++;
            auto& call = calls[step.key];
            call.name = base::cut_at_character(current.reply->call_names[at], longest_name);
            if (at < current.reply->call_ids.size())
                call.id = base::cut_at_character(current.reply->call_ids[at], longest_call_id);
        }
    }
    return calls;
}

class trace_builder {
public:
    trace_builder(
        job_record const& job, model_names const& models, std::optional<trace_context> parent
    )
        : job_(job),
          models_(models),
          from_(std::move(parent)),
          identity_(net::sha256_hex(fmt::format(
              "postrider\n{}\n{}\n{}",
              base::raw(job.id),
              job.began.time_since_epoch().count(),
              job.ended.time_since_epoch().count()
          ))),
          calls_(calls_of(job.steps)) {}

    std::vector<span> build() {
        find_models();
        add_job();
        for (auto const& step : job_.steps) {
            if (is_model_call(step.key)) add_agent(scope_of(step.key));
            add_step(step);
        }
        connect();
        std::erase_if(spans_, [](span const& empty) { return empty.began > empty.ended; });
        return std::move(spans_);
    }

private:
    // A call that failed does not say which model it asked: it is that of another round's. An agent has
    // the model that answered last.
    void find_models() {
        for (auto const& step : job_.steps) {
            if (!is_model_call(step.key) || step.model.empty()) continue;
            auto const model = model_named(step.model);
            known_models_[without_round(step.key)] = model;
            known_models_[scope_of(step.key)] = model;
        }
    }

    asked_model model_named(std::string const& reported) const {
        auto model = models_.find(reported);
        model.name = base::cut_at_character(model.name, longest_model);
        return model;
    }

    // Of the reply; of a call without one, that of the same step in another round.
    asked_model model_of(step_record const& step) const {
        if (!step.model.empty()) return model_named(step.model);
        auto const entry = known_models_.find(without_round(step.key));
        return entry == known_models_.end() ? asked_model{} : entry->second;
    }

    span& add(std::string key, std::int64_t attempt, span span) {
        span.trace_id = from_ ? from_->trace_id : identity_.substr(0, 32);
        span.id = net::sha256_hex(fmt::format("{}\n{}\n{}", identity_, key, attempt)).substr(0, 16);
        places_[key] = spans_.size();
        keys_.push_back(std::move(key));
        return spans_.emplace_back(std::move(span));
    }

    void add_job() {
        span whole;
        whole.name = job_.flow.empty() ? job_.kind : job_.kind + " " + job_.flow;
        whole.kind = span_kind::consumer;
        whole.began = job_.began;
        whole.ended = job_.ended;
        whole.attributes = {
            {"postrider.job.id", base::raw(job_.id)},
            {"postrider.job.kind", job_.kind},
            {"postrider.job.state", job_.state},
            {"postrider.job.runs", job_.runs},
            {"postrider.job.restarts", job_.restarts},
            {"gen_ai.conversation.id", as_text(base::raw(job_.conversation))}};
        if (!job_.flow.empty()) whole.attributes.push_back({"postrider.flow.name", job_.flow});
        if (job_.version) whole.attributes.push_back({"postrider.flow.version", *job_.version});
        if (job_.degraded) whole.attributes.push_back({"postrider.job.degraded", true});
        note_failure(whole, job_.state == "failed" || job_.degraded, job_.error_class);
        if (from_) whole.parent = from_->parent_id;
        add("", 1, std::move(whole));
    }

    void add_agent(std::string_view scope) {
        if (places_.contains(scope)) return;
        span agent;
        agent.name = fmt::format("invoke_agent {}", last_part(scope));
        agent.began = base::sys_time::max();
        agent.ended = base::sys_time::min();
        agent.attributes = {
            {"gen_ai.operation.name", "invoke_agent"},
            {"gen_ai.agent.name", std::string(last_part(scope))}};
        if (auto const entry = known_models_.find(scope); entry != known_models_.end())
            name_provider(agent, entry->second);
        add(std::string(scope), 0, std::move(agent));
    }

    void add_step(step_record const& step) {
        span step_span;
        step_span.name = step.key;
        step_span.began = step.began;
        step_span.ended = std::max(step.began, step.ended);
        step_span.attributes = {
            {"postrider.step.key", step.key}, {"postrider.step.attempt", step.attempt}};
        if (is_model_call(step.key))
            describe_model_call(step_span, step);
        else if (is_tool_call(step.key))
            describe_tool_call(step_span, step);
        if (step.effect) describe_effect(step_span, *step.effect, is_tool_call(step.key));
        note_failure(step_span, step.outcome != "done", step.error_class);
        add(step.key, step.attempt, std::move(step_span));
    }

    void describe_model_call(span& call_span, step_record const& step) {
        call_span.kind = span_kind::client;
        call_span.attributes.push_back({"gen_ai.operation.name", "chat"});
        auto const model = model_of(step);
        name_provider(call_span, model);
        call_span.name = model.name.empty() ? "chat" : "chat " + model.name;
        if (!model.name.empty())
            call_span.attributes.push_back({"gen_ai.request.model", model.name});
        if (!step.model.empty())
            call_span.attributes.push_back(
                {"gen_ai.response.model",
                 std::string(base::cut_at_character(step.model, longest_model))}
            );
        if (auto const stop = agent::stop_reason_from_string(step.stop))
            call_span.attributes.push_back(
                {"gen_ai.response.finish_reasons",
                 std::vector<std::string>{std::string(agent::to_string(*stop))}}
            );
        if (!step.paid) return;
        call_span.attributes.push_back({"gen_ai.usage.input_tokens", step.paid->tokens_in});
        call_span.attributes.push_back({"gen_ai.usage.output_tokens", step.paid->tokens_out});
        call_span.attributes.push_back(
            {"gen_ai.usage.cache_read.input_tokens", step.paid->tokens_cached}
        );
        call_span.attributes.push_back({"postrider.cost.micro_usd", step.paid->cost_micro});
    }

    void describe_tool_call(span& call_span, step_record const& step) {
        call_span.name = "execute_tool";
        call_span.attributes.push_back({"gen_ai.operation.name", "execute_tool"});
        call_span.attributes.push_back({"gen_ai.tool.type", "function"});
        auto const call = calls_.find(step.key);
        if (call == calls_.end()) return;
        call_span.name += " " + call->second.name;
        call_span.attributes.push_back({"gen_ai.tool.name", call->second.name});
        call_span.attributes.push_back({"gen_ai.tool.call.id", call->second.id});
    }

    // "telegram.send" is a message that was sent.
    static void describe_effect(span& effect_span, effect_record const& effect, bool of_tool) {
        effect_span.attributes.push_back({"postrider.effect.kind", effect.kind});
        effect_span.attributes.push_back({"postrider.effect.class", effect.effect_class});
        effect_span.attributes.push_back({"postrider.effect.state", effect.state});
        if (of_tool) return;
        effect_span.kind = span_kind::client;
        auto const dot = effect.kind.rfind(".send");
        if (dot == effect.kind.npos || dot + 5 != effect.kind.size()) return;
        auto const system = effect.kind.substr(0, dot);
        effect_span.name = "send " + system;
        effect_span.attributes.push_back({"messaging.system", system});
        effect_span.attributes.push_back({"messaging.operation.name", "send"});
        effect_span.attributes.push_back({"messaging.operation.type", "send"});
    }

    static void name_provider(span& call_span, asked_model const& model) {
        if (!model.provider.empty())
            call_span.attributes.push_back({"gen_ai.provider.name", model.provider});
    }

    static void note_failure(span& failed_span, bool failed, std::string const& error_class) {
        failed_span.failed = failed;
        if (failed && !error_class.empty())
            failed_span.attributes.push_back({"error.type", error_class});
    }

    // Each below the nearest scope that has a span; a scope lasts as long as what is in it.
    void connect() {
        for (std::size_t at = 1; at < spans_.size(); ++at) {
            auto const first = parent_of(at);
            spans_[at].parent = spans_[first].id;
            if (spans_[at].began > spans_[at].ended) continue; // a scope, not widened yet
            for (auto above = first;; above = parent_of(above)) {
                widen(spans_[above], spans_[at]);
                if (above == 0) break;
            }
        }
    }

    std::size_t parent_of(std::size_t at) const {
        std::string_view scope = keys_[at];
        while (!(scope = scope_of(scope)).empty())
            if (auto const place = places_.find(scope); place != places_.end())
                return place->second;
        return 0;
    }

    static void widen(span& outer, span const& inner) {
        outer.began = std::min(outer.began, inner.began);
        outer.ended = std::max(outer.ended, inner.ended);
    }

    job_record const& job_;
    model_names const& models_;
    std::optional<trace_context> from_;
    std::string identity_; // of this life of the job, in whatever database
    std::map<std::string_view, tool_call> calls_;
    std::map<std::string_view, asked_model> known_models_; // by scope, and by step
    std::vector<span> spans_;
    std::vector<std::string> keys_;                          // of the spans, in their order
    std::map<std::string, std::size_t, std::less<>> places_; // of the last span with a key
};

} // namespace

std::vector<span> spans_of(job_record const& job, model_names const& models) {
    auto from = parse_traceparent(job.traceparent);
    if (from && !from->sampled) return {};
    return trace_builder(job, models, std::move(from)).build();
}

} // namespace postrider::telemetry
