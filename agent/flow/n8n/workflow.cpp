#include "agent/flow/n8n/workflow.hpp"

#include "agent/flow/document/definition.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace postrider::agent::flow {

void throw_exception_from_error(problem const& problem, boost::source_location const&) {
    throw std::runtime_error(problem.message);
}

namespace n8n {

namespace json = boost::json;

namespace {

std::string text_member(json::object const& object, std::string_view key) {
    auto const* value = object.if_contains(key);
    auto const* text = value ? value->if_string() : nullptr;
    return text ? std::string(text->data(), text->size()) : std::string();
}

bool true_member(json::object const& object, std::string_view key) {
    auto const* value = object.if_contains(key);
    return value && value->is_bool() && value->get_bool();
}

double number_member(json::object const& object, std::string_view key, double usual) {
    auto const* value = object.if_contains(key);
    return value && value->is_number() ? value->to_number<double>() : usual;
}

json::object object_member(json::object const& object, std::string_view key) {
    auto const* value = object.if_contains(key);
    return value && value->is_object() ? value->get_object() : json::object();
}

problem no_workflow(std::string message, std::string path = {}) {
    return {
        .code = "not_n8n",
        .path = std::move(path),
        .message = std::move(message),
        .hint = "n8n's menu has Download, which writes a workflow with its nodes and connections"};
}

// A draft beyond these bounds could not be stored. Notes count as nodes here.
constexpr definition_limits workflow_limits;

problem too_many(std::string_view of, std::size_t most) {
    return {
        .code = fmt::format("too_many_{}", of),
        .path = fmt::format("/{}", of),
        .message = fmt::format("a flow has at most {} {}", most, of),
        .hint = "split it into several workflows that call each other"};
}

boost::system::result<workflow_node, problem> read_workflow_node(
    json::value const& value, std::size_t index
) {
    auto const path = fmt::format("/nodes/{}", index);
    auto const* members = value.if_object();
    if (!members) return no_workflow("a node is no object", path);
    workflow_node node;
    node.name = text_member(*members, "name");
    node.type = text_member(*members, "type");
    if (node.name.empty() || node.type.empty())
        return no_workflow("a node has no name or no type", path);
    node.version = number_member(*members, "typeVersion", 1);
    auto const* position = members->if_contains("position");
    auto const* pair = position ? position->if_array() : nullptr;
    if (pair && pair->size() == 2 && (*pair)[0].is_number() && (*pair)[1].is_number())
        node.position = {(*pair)[0].to_number<double>(), (*pair)[1].to_number<double>()};
    node.parameters = object_member(*members, "parameters");
    node.credentials = object_member(*members, "credentials");
    node.disabled = true_member(*members, "disabled");
    node.notes = text_member(*members, "notes");
    node.on_error = text_member(*members, "onError");
    if (node.on_error.empty() && true_member(*members, "continueOnFail"))
        node.on_error = "continueRegularOutput";
    node.retries = true_member(*members, "retryOnFail");
    node.tries = number_member(*members, "maxTries", node.tries);
    node.delay = number_member(*members, "waitBetweenTries", node.delay);
    node.runs_once = true_member(*members, "executeOnce");
    return node;
}

// {"From": {"main": [[{"node": "To", "type": "main", "index": 0}]]}}
class link_reader {
public:
    link_reader(workflow& flow) : flow_(flow) {}

    // False: there are too many.
    bool read(json::object const& connections) {
        for (auto const& [name, kinds] : connections) {
            auto const source = flow_.find(name);
            if (!source || !kinds.is_object()) continue;
            for (auto const& [kind, outputs] : kinds.get_object())
                if (outputs.is_array() && !read_outputs(*source, kind, outputs.get_array()))
                    return false;
        }
        return true;
    }

private:
    bool read_outputs(std::size_t source, std::string_view kind, json::array const& outputs) {
        for (std::size_t output = 0; output < outputs.size(); ++output) {
            auto const* targets = outputs[output].if_array();
            if (!targets) continue;
            for (auto const& target : *targets) {
                auto const* members = target.if_object();
                auto const place =
                    members ? flow_.find(text_member(*members, "node")) : std::nullopt;
                if (!place) continue;
                if (flow_.links.size() == workflow_limits.connections) return false;
                auto const input = number_member(*members, "index", 0);
                flow_.links.push_back(
                    {std::string(kind),
                     source,
                     output,
                     *place,
                     input >= 0 && input < 100 ? static_cast<std::size_t>(input) : 0}
                );
            }
        }
        return true;
    }

    workflow& flow_;
};

// The workflow itself, or what n8n's page of templates wraps it in.
json::object const* workflow_in(json::value const& document) {
    auto const* object = document.if_object();
    for (int depth = 0; object && depth < 3 && !object->contains("nodes"); ++depth) {
        auto const* inner = object->if_contains("workflow");
        object = inner ? inner->if_object() : nullptr;
    }
    return object;
}

} // namespace

std::string_view workflow_node::short_type() const {
    std::string_view const full_type = type;
    return full_type.substr(full_type.rfind('.') == full_type.npos ? 0 : full_type.rfind('.') + 1);
}

void workflow::index() {
    by_name_.clear();
    links_to_.assign(nodes.size(), {});
    links_from_.assign(nodes.size(), {});
    for (std::size_t i = 0; i < nodes.size(); ++i) by_name_.emplace(nodes[i].name, i);
    for (std::size_t i = 0; i < links.size(); ++i) {
        links_to_[links[i].to].push_back(i);
        links_from_[links[i].from].push_back(i);
    }
}

std::optional<std::size_t> workflow::find(std::string_view name) const {
    auto const place = by_name_.find(name);
    return place == by_name_.end() ? std::nullopt : std::optional(place->second);
}

std::vector<std::size_t> workflow::feeders(std::size_t node, std::string_view kind) const {
    std::vector<std::size_t> sources;
    for (auto const link : links_to(node))
        if (links[link].kind == kind) sources.push_back(links[link].from);
    return sources;
}

boost::system::result<workflow, problem> read_workflow(json::value const& document) {
    auto const* members = workflow_in(document);
    auto const* nodes = members ? members->if_contains("nodes") : nullptr;
    if (!nodes || !nodes->is_array()) return no_workflow("the document has no list of nodes");
    auto const& list = nodes->get_array();
    if (list.size() > workflow_limits.nodes) return too_many("nodes", workflow_limits.nodes);
    workflow flow;
    flow.name = text_member(*members, "name");
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto node = read_workflow_node(list[i], i);
        if (!node) return node.error();
        flow.nodes.push_back(std::move(*node));
    }
    flow.index();
    auto const* connections = members->if_contains("connections");
    if (connections && !connections->is_object())
        return no_workflow("its connections are no object", "/connections");
    if (connections && !link_reader(flow).read(connections->get_object()))
        return too_many("connections", workflow_limits.connections);
    flow.index();
    flow.pinned = object_member(*members, "pinData");
    flow.settings = object_member(*members, "settings");
    return flow;
}

} // namespace n8n

} // namespace postrider::agent::flow
