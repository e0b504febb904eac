#include "agent/flow/run/names.hpp"

#include "agent/flow/run/walk.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

json::array array_of(items const& list) {
    json::array array;
    array.reserve(list.size());
    for (auto const& item : list) array.push_back(*item.json);
    return array;
}

json::object session_of(queue::job const& job, execution_input const& input) {
    json::object session{
        {"id", base::to_string(job.conversation)}, {"lane", base::to_string(job.lane)}};
    if (auto const& heard = input.heard) {
        for (auto& member : to_json(heard->from)) session[member.key()] = std::move(member.value());
        session["user"] = base::raw(heard->user);
    }
    return session;
}

json::object execution_of(queue::job const& job, execution_input const& input) {
    return {{"id", base::raw(job.id)}, {"flow", input.flow}, {"version", input.version}};
}

agent_view& agent_of(
    graph const& flow, node_services const& services, execution_input const& input
) {
    // One that is configured no more is answered for by the assistant.
    auto const& agents = services.agents;
    auto agent = agents.find(input.agent);
    if (agent == agents.end()) agent = agents.find("assistant");
    auto& view = flow.view_of(agent == agents.end() ? std::string() : agent->first);
    if (view.variables.is_null()) {
        auto variables = flow.flow().settings.variables;
        if (!services.chatbot.empty()) variables.insert({{"chatbot", services.chatbot}});
        variables["agent"] = agent == agents.end() ? json::object{} : agent->second;
        view.variables = std::move(variables);
        view.fitted.resize(flow.nodes().size());
    }
    return view;
}

json::value node_value(outputs const& output, std::vector<std::string> const& order) {
    items joined;
    auto const add = [&joined](flow::items const& of_port) {
        joined.insert(joined.end(), of_port.begin(), of_port.end());
    };
    for (auto const& port : order)
        if (auto const entry = output.find(port); entry != output.end()) add(entry->second);
    // A flow that was published when a list of outputs could be an expression has others.
    for (auto const& [port, of_port] : output)
        if (std::ranges::find(order, port) == order.end()) add(of_port);
    if (joined.empty()) return nullptr;
    return json::object{{"json", *joined.front().json}, {"items", array_of(joined)}};
}

json::value const* names::variable(std::string_view name) const {
    if (name == "$vars") return &context_.agent.variables;
    auto cached = variables_.find(name);
    if (cached != variables_.end()) return &cached->second;
    json::value value;
    if (name == "$session")
        value = session_of(context_.steps.job(), context_.input);
    else if (name == "$execution") {
        auto execution = execution_of(context_.steps.job(), context_.input);
        if (auto links = resume_links(); !links.empty()) execution["resume"] = std::move(links);
        value = std::move(execution);
    } else if (name == "$now")
        value = json::value(context_.now);
    else
        return nullptr;
    return &variables_.emplace(name, std::move(value)).first->second;
}

json::object names::resume_links() const {
    json::object links;
    auto const& nodes = context_.flow.nodes();
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        auto const& compiled = nodes[index];
        auto const* acting =
            compiled.type ? std::get_if<durable>(&compiled.type->behaviour) : nullptr;
        auto const& node = *compiled.node;
        if (!acting || !acting->has_link || !acting->has_link(node.parameters)) continue;
        auto const scope = scopes_.find(index);
        auto const steps = context_.steps.scope(scope == scopes_.end() ? node.id : scope->second);
        links[node.name] = resume_url(context_.services.links, steps);
    }
    return links;
}

json::value const* names::node(std::string_view name, std::size_t reader) const {
    auto const index = context_.flow.flow().find(name);
    if (!index || !context_.flow.nodes()[reader].before[*index]) return nullptr;
    if (auto cached = nodes_.find(*index); cached != nodes_.end()) return &cached->second;
    auto const node_outputs = outputs_.find(*index);
    if (node_outputs == outputs_.end()) return nullptr;
    auto value = node_value(*node_outputs->second, context_.flow.nodes()[*index].output_order);
    if (value.is_null()) return nullptr;
    return &nodes_.emplace(*index, std::move(value)).first->second;
}

std::size_t names::index_of(std::string const& id) const {
    return *context_.flow.flow().find(id);
}

// Ids of jobs begin anew with every database, hence the time.
std::string names::identity(std::size_t node, std::size_t item, std::size_t reader) const {
    auto const scope = scopes_.find(reader);
    return fmt::format(
        "{}/{}{}{}/{}/{}",
        base::raw(context_.steps.job().id),
        context_.now,
        context_.path,
        scope == scopes_.end() ? "" : "/" + scope->second,
        context_.flow.nodes()[node].node->id,
        item
    );
}

json::value const& node_input::value() const {
    if (value_.is_null()) value_ = array_of(items_);
    return value_;
}

json::value const* item_names::variable(std::string_view name) const {
    if (name == "$json")
        return item_ < input_.items().size() ? &*input_.items()[item_].json : nullptr;
    if (name == "$from_ai") return from_ai_.is_null() ? nullptr : &from_ai_;
    return name == "$input" ? &input_.value() : names_.variable(name);
}

// Each call of a tool is another one.
std::string item_names::identity() const {
    return names_.identity(node_, item_, reader_) + call_;
}

} // namespace postrider::agent::flow
