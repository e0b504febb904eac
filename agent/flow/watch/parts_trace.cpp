#include "agent/flow/watch/parts_trace.hpp"

#include "agent/flow/parts/memory.hpp"
#include "agent/flow/parts/model_step.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/watch/events.hpp"
#include "agent/models/reply_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace postrider::agent::flow {

namespace json = boost::json;
using std::chrono::microseconds;

namespace {

using tries = std::vector<queue::step_summary const*>;

microseconds part_end(queue::step_summary const& step) {
    return step.begins + step.took;
}

bool is_by_rules(std::string_view step) {
    return step.substr(0, step.find('#')) == rules_step;
}

// Several nodes may share a part.
void use(node_trace& part, microseconds since, std::optional<microseconds> until) {
    part.began = std::min(part.began.value_or(since), since);
    bool const runs = !until || part.state == node_state::running;
    part.state = runs ? node_state::running : node_state::used;
    part.ended = runs ? std::nullopt : std::max(part.ended, until);
}

// What hangs on it was there while it was: only agents' records say more.
void use_with(retraced& execution, graph const& flow, std::size_t host) {
    auto const& seen = execution.seen.nodes[host];
    if (!seen.began) return;
    for (auto const part : flow.nodes()[host].parts) {
        use(execution.seen.nodes[part], *seen.began, seen.ended);
        use_with(execution, flow, part);
    }
}

class agent_parts {
public:
    agent_parts(
        retraced& execution, graph const& flow, queue::job_details const& record, std::size_t agent
    )
        : to_(execution),
          flow_(flow),
          record_(record),
          agent_(agent),
          prefix_(flow.flow().nodes[agent].id + '/') {
        for (auto part : flow.nodes()[agent].parts)
            if (is_of(ai_model, part)) models_.push_back(part);
    }

    void add() {
        gather();
        std::optional<std::size_t> asks; // the model that is being asked
        for (auto const& key : to_.missing)
            if (key.starts_with(prefix_) && !asks) asks = model_asked_by(within(key));
        if (asked_.empty() && !asks) return; // it did not come to its first round
        if (auto const memory = first_part_of(ai_memory)) add_memory(*memory);
        for (std::size_t at = 0; at < models_.size(); ++at) add_model(at, asks == at);
        add_tools();
        for (auto const part : flow_.nodes()[agent_].parts) use_with(to_, flow_, part);
    }

private:
    // Of the agent's step of that key, whichever its round.
    std::string_view within(std::string_view key) const {
        return without_round(key.substr(prefix_.size()));
    }

    // What the steps of a call begin with, its round in front.
    std::string_view call_of(std::string_view key) const {
        auto const scope = key.size() - prefix_.size() - within(key).size();
        auto const end = within(key).find('/');
        return key.substr(prefix_.size(), end == key.npos ? end : scope + end);
    }

    void gather() {
        std::set<std::string_view> const unasked(to_.unasked.begin(), to_.unasked.end());
        for (auto const& step : record_.steps) {
            if (!queue::part_of_the_run(step) || !step.key.starts_with(prefix_)) continue;
            if (unasked.contains(step.key)) continue;
            if (model_asked_by(within(step.key)))
                asked_.push_back(&step);
            else // the steps of a flow that is run as a tool are called tool:1/…
                calls_[call_of(step.key)].push_back(&step);
        }
        std::ranges::sort(asked_, {}, [](auto const* step) {
            return std::pair(step->number, step->attempt);
        });
    }

    // Its place among the agent's models; nothing for another step. The rules answer in the place of
    // the last one.
    std::optional<std::size_t> model_asked_by(std::string_view step) const {
        if (is_by_rules(step)) return std::max<std::size_t>(models_.size(), 1) - 1;
        auto const node = node_of_model_step(step);
        if (!node) return std::nullopt;
        return static_cast<std::size_t>(*node) - 1;
    }

    bool is_of(part_kind const& kind, std::size_t part) const {
        return flow_.nodes()[part].type->outputs.front().type == kind.name;
    }

    std::optional<std::size_t> first_part_of(part_kind const& kind) const {
        for (auto at : flow_.nodes()[agent_].parts)
            if (is_of(kind, at)) return at;
        return std::nullopt;
    }

    std::optional<std::size_t> part_called(json::value const& id) const {
        for (auto at : flow_.nodes()[agent_].parts)
            if (flow_.nodes()[at].node->id == std::string_view(id.get_string())) return at;
        return std::nullopt;
    }

    std::string port_of(std::size_t part) const {
        for (auto const& connection : flow_.flow().connections)
            if (connection.from == part && connection.to == agent_) return connection.output;
        return "main";
    }

    static void count(node_trace& part, std::size_t more) {
        auto& calls = part.metadata["calls"];
        calls = (calls.is_int64() ? calls.get_int64() : 0) + static_cast<std::int64_t>(more);
    }

    // It is read before the first question of each item; how long that took is not recorded.
    void add_memory(std::size_t at) {
        auto const& agent = to_.seen.nodes[agent_];
        auto& memory = to_.seen.nodes[at];
        auto const from = agent.began.value_or(microseconds{0});
        use(memory, from, asked_.empty() ? from : std::max(from, asked_.front()->begins));
        if (agent.state == node_state::done) count(memory, agent.input.size());
        if (auto const* code = agent.metadata.if_contains("memory_degraded");
            code && code->is_string()) {
            auto const reason = base::errc_from_string(std::string_view(code->get_string()));
            memory.failure = base::error(reason.value_or(base::errc::internal));
        }
    }

    void add_model(std::size_t place, bool asks) {
        tries attempts;
        for (auto const* step : asked_)
            if (model_asked_by(within(step->key)) == place) attempts.push_back(step);
        if (attempts.empty() && !asks) return;
        auto const at = models_[place];
        auto& model = to_.seen.nodes[at];
        auto const now = to_.seen.nodes[agent_].began.value_or(microseconds{0});
        auto const begins = attempts.empty() ? now : attempts.front()->begins;
        auto const until = asks ? std::nullopt : std::optional(part_end(*attempts.back()));
        use(model, begins, until);
        count(model, attempts.size());
        auto& replies = model.output[port_of(at)];
        for (auto const* step : attempts) {
            if (step->outcome == "done") replies.push_back({reply_in(step->result)});
            if (step->outcome == "failed") model.failure = failure_of(*step);
        }
    }

    // Without what only its provider understands.
    static json::value reply_in(json::value const& recorded) {
        auto shown = recorded;
        if (auto* members = shown.if_object()) members->erase("state");
        return shown;
    }

    void add_tools() {
        std::vector<tool_call> requested; // by the model, run or not
        for (auto const* step : asked_) {
            if (step->outcome != "done") continue;
            auto const reply = reply_from_json(step->result);
            if (reply) requested.insert(requested.end(), reply->calls.begin(), reply->calls.end());
        }
        auto next_call = requested.begin();
        int number = 0, round = 0;
        for (auto const& happened : to_.seen.happened) {
            if (happened.kind == happening::sort::node_started && happened.at == agent_) {
                ++round;
                number = 0;
            }
            if (happened.kind != happening::sort::told || happened.at != agent_ ||
                happened.event != "tool_called")
                continue;
            next_call = std::find_if(next_call, requested.end(), [&](auto const& call) {
                return happened.detail.at("call") == json::string(call.id) &&
                       happened.detail.at("tool") == json::string(call.name);
            });
            if (next_call == requested.end()) return;
            auto name = fmt::format("tool:{}", ++number);
            if (!flow_.nodes()[agent_].loops.empty())
                name = fmt::format("{}{}/{}", round_prefix, round, name);
            add_call(*next_call++, happened, name);
        }
    }

    void add_call(tool_call const& call, happening const& happened, std::string const& name) {
        auto const at = part_called(happened.detail.at("part"));
        if (!at) return;
        auto& tool = to_.seen.nodes[*at];
        auto const entry = calls_.find(name);
        auto const steps = entry == calls_.end() ? tries{} : entry->second;
        auto const result = std::ranges::find_if(steps, [&](auto const* step) {
            return step->key == prefix_ + name && step->outcome != "retry";
        });
        auto from = steps.empty() ? happened.when : steps.front()->begins;
        for (auto const* step : steps) from = std::min(from, step->begins);
        bool const has_ended = result != steps.end();
        use(tool, from, has_ended ? std::optional(part_end(**result)) : std::nullopt);
        count(tool, 1);
        json::value arguments = call.arguments;
        if (!arguments.is_object()) arguments = json::object{{"raw", call.raw}};
        tool.input.push_back({std::move(arguments)});
        if (!has_ended) return;
        bool const done = (*result)->outcome == "done";
        json::object came_to;
        if (done)
            came_to["result"] = (*result)->result;
        else
            came_to["error"] = to_json(failure_of(**result));
        tool.output[port_of(*at)].push_back({std::move(came_to)});
    }

    retraced& to_;
    graph const& flow_;
    queue::job_details const& record_;
    std::size_t agent_;
    std::string prefix_;
    std::vector<std::size_t> models_;         // parts, in their order
    tries asked_;                             // of the models
    std::map<std::string_view, tries> calls_; // by the name of the tool's step
};

} // namespace

void add_parts(retraced& execution, graph const& flow, queue::job_details const& record) {
    for (std::size_t at = 0; at < flow.nodes().size(); ++at) {
        auto const* type = flow.nodes()[at].type;
        if (!type || is_part(*type) || flow.nodes()[at].parts.empty()) continue;
        if (type->group != group::agent)
            use_with(execution, flow, at);
        else if (execution.seen.nodes[at].began)
            agent_parts(execution, flow, record, at).add();
    }
}

} // namespace postrider::agent::flow
