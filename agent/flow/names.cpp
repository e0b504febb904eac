#include "agent/flow/names.hpp"

#include "agent/flow/walk.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

json::array array_of(items const& all) {
    json::array made;
    made.reserve(all.size());
    for (auto const& one : all) made.push_back(one.json);
    return made;
}

// {"id": the conversation, "lane", of a Telegram message "bot", "chat", "thread", "user", and of
// one over the chat API "conversation", "user"}
json::object session_of(walk_context const& context) {
    auto const& job = context.steps.job();
    json::object made{
        {"id", base::to_string(job.conversation)}, {"lane", base::to_string(job.lane)}};
    if (auto const& heard = context.input.heard) {
        made["bot"] = base::raw(heard->from.bot);
        made["chat"] = base::raw(heard->from.chat);
        made["thread"] = base::raw(heard->from.thread);
        made["user"] = base::raw(heard->user);
    }
    if (auto const& posted = context.input.posted) {
        made["conversation"] = posted->conversation;
        made["user"] = base::raw(posted->user);
    }
    return made;
}

json::object execution_of(walk_context const& context) {
    return {
        {"id", base::raw(context.steps.job().id)},
        {"flow", context.input.flow},
        {"version", context.input.version},
    };
}

// The flow's own variables, and "agent": what the configuration says of [agents.NAME].
json::object variables_of(walk_context const& context) {
    auto made = context.flow.flow().settings.variables;
    // One that is configured no more is answered for by the assistant.
    auto const& agents = context.services.agents;
    auto agent = agents.find(context.input.agent);
    if (agent == agents.end()) agent = agents.find("assistant");
    made["agent"] = agent == agents.end() ? json::object{} : agent->second;
    return made;
}

} // namespace

json::value const* names::variable(std::string_view name) const {
    auto known = variables_.find(name);
    if (known != variables_.end()) return &known->second;
    json::value made;
    if (name == "$session")
        made = session_of(context_);
    else if (name == "$execution")
        made = execution_of(context_);
    else if (name == "$vars")
        made = variables_of(context_);
    else if (name == "$now")
        made = json::value(context_.now);
    else
        return nullptr;
    return &variables_.emplace(name, std::move(made)).first->second;
}

json::value const* names::node(std::string_view name) const {
    auto const index = context_.flow.flow().find(name);
    if (!index) return nullptr;
    if (auto known = nodes_.find(*index); known != nodes_.end()) return &known->second;
    auto const made = made_.find(*index);
    if (made == made_.end()) return nullptr;
    for (auto const& [port, all] : *made->second) {
        if (all.empty()) continue;
        json::object seen{{"json", all.front().json}, {"items", array_of(all)}};
        return &nodes_.emplace(*index, std::move(seen)).first->second;
    }
    return nullptr;
}

json::value const* item_names::variable(std::string_view name) const {
    if (name == "$json") return at_ < input_.size() ? &input_[at_].json : nullptr;
    if (name == "$from_ai") return from_ai_.is_null() ? nullptr : &from_ai_;
    if (name != "$input") return all_.variable(name);
    if (all_input_.is_null()) all_input_ = json::object{{"items", array_of(input_)}};
    return &all_input_;
}

} // namespace postrider::agent::flow
