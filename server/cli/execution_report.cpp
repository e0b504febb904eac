#include "server/cli/execution_report.hpp"

#include "base/clock.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "base/texts.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/cli/table.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::cli {

namespace {

namespace json = boost::json;

std::string span(double ms) {
    return base::to_text(std::chrono::microseconds{static_cast<std::int64_t>(ms * 1000)});
}

std::string version_label(std::int64_t version) {
    return version == 0 ? "draft" : fmt::format("v{}", version);
}

bool has_number(base::json_reader const& object) {
    return object.raw() && object.raw()->is_number();
}

// Items are objects; a text among them says that there are more than are shown.
std::string count(json::value const* items) {
    auto const* array = items ? items->if_array() : nullptr;
    if (!array) return "?";
    auto const shown =
        std::ranges::count_if(*array, [](auto const& element) { return element.is_object(); });
    bool const nodes = static_cast<std::size_t>(shown) == array->size();
    return fmt::format("{}{}", shown, nodes ? "" : "+");
}

// "1", or by port where it is not main alone: "true 1, false 0".
std::string item_counts(json::value const* outputs) {
    auto const* ports = outputs ? outputs->if_object() : nullptr;
    if (!ports) return "";
    if (ports->size() == 1 && ports->contains("main")) return count(&ports->at("main"));
    std::string text;
    for (auto const& [port, items] : *ports)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", std::string(port), count(&items));
    return text;
}

std::string error_of(base::json_reader const& object) {
    if (!object) return {};
    return object["code"].string_or("") + ": " + object["message"].string_or("");
}

cells line_of(base::json_reader const& node) {
    auto const began = node["began_ms"];
    auto const ended_at = node["ended_ms"];
    bool const has_ended = has_number(began) && has_number(ended_at);
    return {
        node["name"].string_or(""),
        node["type"].string_or(""),
        node["state"].string_or(""),
        has_number(began) ? "+" + span(began.number_or(0)) : "-",
        has_ended ? span(ended_at.number_or(0) - began.number_or(0)) : "-",
        has_number(began) ? count(node["input"].raw()) : "",
        item_counts(node["outputs"].raw()),
        error_of(node["error"])};
}

std::string instant(base::json_reader const& object) {
    auto const text = object.string_or("");
    return text.empty() ? "-" : text.substr(0, 19) + "Z";
}

// A line for each item, with its port where that is not main.
std::string items_text(std::string_view port, json::value const* items) {
    std::string text;
    auto const* array = items ? items->if_array() : nullptr;
    if (!array) return text;
    auto const label = port == "main" ? std::string{} : std::string(port) + ": ";
    for (auto const& item : *array)
        text += "  " + label +
                (item.is_string() ? std::string(item.get_string()) : base::json_text(item)) + "\n";
    return text;
}

std::string outputs_text(json::value const* outputs) {
    std::string text;
    if (auto const* ports = outputs ? outputs->if_object() : nullptr)
        for (auto const& [port, items] : *ports) text += items_text(port, &items);
    return text;
}

// What came out of a node; nothing of one from which nothing did.
std::string passage_text(base::json_reader const& node) {
    auto const text = outputs_text(node["outputs"].raw());
    return text.empty() ? text : "\n" + node["name"].string_or("") + "\n" + text;
}

// The table of the nodes, then their items.
std::string nodes_text(base::json_reader const& nodes) {
    std::vector<cells> lines;
    std::string passages;
    for (auto const& node : nodes["nodes"].items_or_none()) {
        lines.push_back(line_of(node));
        passages += passage_text(node);
    }
    if (lines.empty()) return {};
    return "\n" + table({"node", "type", "state", "began", "took", "in", "out", ""}, lines) +
           passages;
}

std::string list_of(base::json_reader const& object) {
    std::string text;
    for (auto const& value : object.items_or_none())
        text += (text.empty() ? "" : ", ") + value.string_or("");
    return text;
}

} // namespace

std::string execution_text(json::value const& document) {
    base::json_reader const execution{document};
    auto text = fmt::format(
        "execution {}  {} {}  {}  created {}  took {}\n",
        execution["job_id"].int64_or(0),
        execution["flow"].string_or("?"),
        version_label(execution["version"].int64_or(0)),
        execution["degraded"].boolean_or(false) ? "degraded" : execution["state"].string_or("?"),
        instant(execution["created_at"]),
        span(execution["took_ms"].number_or(0))
    );
    if (auto const reason = execution["error"].string_or(""); !reason.empty())
        text += fmt::format("error: {}: {}\n", execution["error_class"].string_or(""), reason);
    if (auto const reason = execution["unknown_flow"].string_or(""); !reason.empty())
        text += fmt::format("nodes: not shown: {}\n", reason);
    return printable(text + nodes_text(execution));
}

std::string replay_text(json::value const& document) {
    base::json_reader const replay{document};
    auto text = fmt::format(
        "execution {}  {}  replayed: {}\n",
        replay["job_id"].int64_or(0),
        replay["flow"].string_or("?"),
        replay["state"].string_or("?")
    );
    if (auto const reason = error_of(replay["error"]); !reason.empty())
        text += "error: " + reason + "\n";
    auto const* output = replay["output"].raw();
    if (output && !output->is_null()) text += "output: " + base::json_text(*output) + "\n";
    auto const departures = replay["departures"];
    if (auto const missing = list_of(departures["missing"]); !missing.empty())
        text += "asks for steps that the record does not have: " + missing + "\n";
    if (auto const unasked = list_of(departures["unasked"]); !unasked.empty())
        text += "does not ask for steps of the record: " + unasked + "\n";
    return printable(text + nodes_text(replay));
}

std::string replays_text(json::value const& document) {
    base::json_reader const reply{document};
    std::vector<cells> lines;
    for (auto const& replay : reply["replays"].items_or_none())
        lines.push_back(
            {std::to_string(replay["job_id"].int64_or(0)),
             replay["created_at"].string_or("?"),
             replay["state"].string_or("?"),
             replay["result"].string_or("?"),
             replay["node"]["name"].string_or(""),
             replay["detail"].string_or("")}
        );
    if (lines.empty()) return "No execution of this flow is over, but for trials.\n";
    auto text = table({"job", "created", "then", "with it", "node", "why"}, lines);
    return printable(
        text + fmt::format(
                   "{}, {}: {} the same, {} changed, {} failed\n",
                   reply["flow"].string_or("?"),
                   reply["version"].string_or("?"),
                   reply["same"].int64_or(0),
                   reply["changed"].int64_or(0),
                   reply["failed"].int64_or(0)
               )
    );
}

base::result<std::string> node_text(json::value const& document, std::string_view name) {
    base::json_reader const reply{document};
    std::vector<std::string> names;
    for (auto const& node : reply["nodes"].items_or_none()) {
        auto const own = node["name"].string_or("");
        if (own != name && node["node"].string_or("") != name) {
            names.push_back(own);
            continue;
        }
        auto const* parameters = node["parameters"].raw();
        auto text = table(
            {"node", "type", "state", "began", "took", "in", "out", ""},
            std::vector<cells>{line_of(node)}
        );
        if (parameters) text += "\nparameters\n  " + base::json_text(*parameters) + "\n";
        if (auto const input = items_text("main", node["input"].raw()); !input.empty())
            text += "\nin\n" + input;
        if (auto const output = outputs_text(node["outputs"].raw()); !output.empty())
            text += "\nout\n" + output;
        auto const* metadata = node["metadata"].raw();
        if (metadata && metadata->is_object() && !metadata->get_object().empty())
            text += "\nmetadata\n  " + base::json_text(*metadata) + "\n";
        return printable(text);
    }
    return base::error(
        base::errc::not_found,
        fmt::format(
            "it has no node {}{}",
            name,
            hint_and(suggestion(name, names), "its nodes: " + base::joined(names, ", "))
        )
    );
}

} // namespace postrider::cli
