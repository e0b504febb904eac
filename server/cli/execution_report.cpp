#include "server/cli/execution_report.hpp"

#include "base/clock.hpp"
#include "base/json.hpp"
#include "server/cli/table.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::cli {

namespace {

namespace json = boost::json;

constexpr std::size_t error_width = 80;

std::string span(double ms) {
    return base::to_text(std::chrono::microseconds{static_cast<std::int64_t>(ms * 1000)});
}

bool has_number(base::json_reader const& from) {
    return from.raw() && from.raw()->is_number();
}

// Items are objects; a text among them says that there are more than are shown.
std::string count(json::value const* items) {
    auto const* array = items ? items->if_array() : nullptr;
    if (!array) return "?";
    auto const shown =
        std::ranges::count_if(*array, [](auto const& element) { return element.is_object(); });
    bool const all = static_cast<std::size_t>(shown) == array->size();
    return fmt::format("{}{}", shown, all ? "" : "+");
}

// "1", or by port where it is not main alone: "true 1, false 0".
std::string counts(json::value const* outputs) {
    auto const* ports = outputs ? outputs->if_object() : nullptr;
    if (!ports) return "";
    if (ports->size() == 1 && ports->contains("main")) return count(&ports->at("main"));
    std::string text;
    for (auto const& [port, items] : *ports)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", std::string(port), count(&items));
    return text;
}

std::string error_of(base::json_reader const& from) {
    if (!from) return {};
    auto const text = from["code"].string_or("") + ": " + from["message"].string_or("");
    return one_line(text, error_width);
}

cells line_of(base::json_reader const& node) {
    auto const began = node["began_ms"];
    auto const ended = node["ended_ms"];
    bool const over = has_number(began) && has_number(ended);
    return {
        node["name"].string_or(""),
        node["type"].string_or(""),
        node["state"].string_or(""),
        has_number(began) ? "+" + span(began.number_or(0)) : "-",
        over ? span(ended.number_or(0) - began.number_or(0)) : "-",
        has_number(began) ? count(node["input"].raw()) : "",
        counts(node["outputs"].raw()),
        error_of(node["error"])};
}

std::string instant(base::json_reader const& from) {
    auto const text = from.string_or("");
    return text.empty() ? "-" : text.substr(0, 19) + "Z";
}

} // namespace

std::string execution_text(json::value const& document) {
    base::json_reader const all{document};
    auto text = fmt::format(
        "execution {}  {} v{}  {}  created {}  took {}\n",
        all["job_id"].int64_or(0),
        all["flow"].string_or("?"),
        all["version"].int64_or(0),
        all["state"].string_or("?"),
        instant(all["created_at"]),
        span(all["age_ms"].number_or(0))
    );
    if (auto const why = all["error"].string_or(""); !why.empty())
        text += fmt::format("error: {}: {}\n", all["error_class"].string_or(""), why);
    if (auto const why = all["unknown_flow"].string_or(""); !why.empty())
        text += fmt::format("nodes: not shown: {}\n", why);
    std::vector<cells> lines;
    for (auto const& node : all["nodes"].items_or_none()) lines.push_back(line_of(node));
    if (!lines.empty())
        text += "\n" + table({"node", "type", "state", "began", "took", "in", "out", ""}, lines);
    return printable(text);
}

} // namespace postrider::cli
