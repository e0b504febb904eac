// Connections of an import, and the notes on the canvas.
#include "agent/flow/n8n/assembly.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

// n8n numbers them, from 1.
constexpr std::array<std::string_view, 7> note_colors{
    "yellow", "orange", "red", "green", "blue", "purple", "gray"};

std::string color_of_note(json::object const& parameters) {
    auto const* value = parameters.if_contains("color");
    if (!value || !value->is_number()) return "yellow";
    auto const number = value->to_number<double>();
    return std::string(
        number >= 1 && number < 8 ? note_colors[static_cast<std::size_t>(number) - 1] : "yellow"
    );
}

double size_of_note(json::object const& parameters, std::string_view key, double usual) {
    auto const* value = parameters.if_contains(key);
    auto const size = value && value->is_number() ? value->to_number<double>() : usual;
    return std::clamp(size, 10.0, 100'000.0);
}

std::string kind_here(std::string_view kind) {
    if (kind == "ai_languageModel") return "ai_model";
    return kind == "ai_retriever" ? "ai_tool" : std::string(kind);
}

} // namespace

void assembly::add_note(workflow_node const& node) {
    auto const& parameters = node.parameters;
    auto const* content = parameters.if_contains("content");
    auto const [x, y] = node.position.value_or(std::pair{0.0, 0.0});
    notes_.push_back(
        {{"id", fmt::format("note_{}", notes_.size() + 1)},
         {"text", content && content->is_string() ? *content : json::value("")},
         {"x", number_here(x)},
         {"y", number_here(y)},
         {"width", number_here(size_of_note(parameters, "width", 240))},
         {"height", number_here(size_of_note(parameters, "height", 160))},
         {"color", color_of_note(parameters)}}
    );
}

bool assembly::has_port(std::size_t index, std::string_view kind, bool is_input) const {
    auto const* type = types_.find(drafts_[index].type);
    if (!type) return false;
    auto const& ports = is_input ? type->inputs : type->outputs;
    return std::ranges::any_of(ports, [&](port const& port) { return port.type == kind; });
}

bool assembly::leads_to(std::size_t source, std::size_t destination) {
    auto const [place, fresh] = reached_.try_emplace(source, flow_.nodes.size());
    auto& visited = place->second;
    std::vector<std::size_t> open;
    if (fresh) {
        visited[source] = true;
        open.push_back(source);
    }
    while (!open.empty()) {
        auto const node = open.back();
        open.pop_back();
        for (auto const number : flow_.links_from(node)) {
            auto const& link = flow_.links[number];
            if (link.kind != main_connection || visited[link.to]) continue;
            visited[link.to] = true;
            open.push_back(link.to);
        }
    }
    return visited[destination];
}

void assembly::add_links() {
    for (std::size_t i = 0; i < flow_.links.size(); ++i) add_link(flow_.links[i], i);
    // Outputs that are one here may lead twice to the same place.
    std::set<std::string> serialized;
    json::array fresh;
    for (auto& connection : connections_)
        if (serialized.insert(json::serialize(connection)).second)
            fresh.push_back(std::move(connection));
    connections_ = std::move(fresh);
}

void assembly::add_link(workflow_link const& link, std::size_t number) {
    auto const& source = drafts_[link.from];
    auto const& target = drafts_[link.to];
    if (source.left_out || target.left_out) return;
    auto const kind = kind_here(link.kind);
    if (!has_port(link.from, kind, false) || !has_port(link.to, kind, true)) {
        tell(
            link.from,
            "n8n_connection",
            fmt::format(
                "its connection {} to \"{}\" is left out", link.kind, names_.name_of(link.to)
            ),
            "one of the two has no such port here"
        );
        return;
    }
    json::object connection{{"from", names_.id_of(link.from)}, {"to", names_.id_of(link.to)}};
    if (kind != main_connection) {
        connection["type"] = kind;
    } else {
        bool const is_error = link.output >= source.outputs.size();
        if (is_error && flow_.nodes[link.from].on_error != "continueErrorOutput") {
            tell(
                link.from,
                "n8n_connection",
                fmt::format(
                    "its output {} to \"{}\" is left out", link.output + 1, names_.name_of(link.to)
                )
            );
            return;
        }
        auto const output = is_error ? "error" : source.outputs[link.output];
        if (output != main_connection) connection["output"] = output;
        auto const finished = finishes_.find(number);
        auto const circle =
            finished == finishes_.end() ? repeats_.end() : repeats_.find(finished->second);
        if (circle != repeats_.end()) {
            connection["to"] = circle->second;
            connection["input"] = "finished";
        } else if (returns_to_loop(link)) {
            connection["input"] = target.returns_to;
        } else if (auto const repeat = repeats_.find(link.to); repeat != repeats_.end()) {
            connection["to"] = repeat->second;
            if (leads_back_[number]) connection["input"] = "again";
        } else if (auto const limit = limits_.find(link.to); limit != limits_.end()) {
            connection["to"] = limit->second;
        } else if (!target.inputs.empty()) {
            // n8n's may have more.
            auto const& input = target.inputs[std::min(link.input, target.inputs.size() - 1)];
            if (input != main_connection) connection["input"] = input;
        }
    }
    connections_.push_back(std::move(connection));
}

} // namespace postrider::agent::flow::n8n
