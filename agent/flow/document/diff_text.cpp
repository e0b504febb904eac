// A difference for programs and for people.
#include "agent/flow/document/diff.hpp"
#include "agent/flow/document/word_diff.hpp"
#include "base/json/text.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

namespace json = boost::json;

constexpr std::size_t longest_in_line = 60;

json::object to_json(value_change const& change) {
    json::object object{{"path", change.path}};
    if (change.before) object["before"] = *change.before;
    if (change.after) object["after"] = *change.after;
    return object;
}

json::object to_json(node_label const& node) {
    return {{"id", node.id}, {"name", node.name}, {"type", node.type}};
}

json::object to_json(connection_label const& label) {
    return {
        {"type", label.type},
        {"from", label.from},
        {"output", label.output},
        {"to", label.to},
        {"input", label.input}};
}

json::object to_json(node_change const& change);

template<class All>
json::array json_list(All const& values) {
    json::array array;
    for (auto const& item : values) array.push_back(to_json(item));
    return array;
}

json::object to_json(node_change const& change) {
    auto object = to_json(change.node);
    object["layout_only"] = change.layout_only;
    object["changes"] = json_list(change.changes);
    return object;
}

// Text as it reads, anything else as JSON; nothing for what is not there.
std::string text_of_value(std::optional<json::value> const& value) {
    if (!value) return {};
    if (auto const* text = value->if_string()) return {text->data(), text->size()};
    return base::json_text(*value);
}

bool fits_line(std::optional<json::value> const& value) {
    if (!value) return true;
    auto const text = base::json_text(*value);
    bool const has_lines =
        value->is_string() && value->get_string().find('\n') != json::string::npos;
    return text.size() <= longest_in_line && !has_lines;
}

std::string short_value(std::optional<json::value> const& value) {
    return value ? base::json_text(*value) : "nothing";
}

// Each line of it has marks of its own, and a changed line end is seen.
std::string marked_part(text_part const& part, change_marks const& marks, std::string_view indent) {
    bool const is_same = part.of == text_part::kind::same;
    bool const is_added = part.of == text_part::kind::added;
    auto const begin = is_same ? "" : is_added ? marks.added_begin : marks.removed_begin;
    auto const end = is_same ? "" : is_added ? marks.added_end : marks.removed_end;
    std::string result;
    std::string_view rest = part.text;
    while (!rest.empty()) {
        auto const line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size());
        bool const line_ends = !rest.empty();
        if (line_ends) rest.remove_prefix(1);
        if (is_same)
            result += base::printable(line);
        else
            result +=
                fmt::format("{}{}{}{}", begin, base::printable(line), line_ends ? "↵" : "", end);
        if (line_ends) result += fmt::format("\n{}", indent);
    }
    return result;
}

std::string to_text(value_change const& change, change_marks const& marks) {
    if (fits_line(change.before) && fits_line(change.after))
        return base::printable(fmt::format(
            "{}: {} → {}", change.path, short_value(change.before), short_value(change.after)
        ));
    constexpr std::string_view indent = "        ";
    auto const state = !change.before ? " (new)" : !change.after ? " (removed)" : "";
    auto text = fmt::format("{}{}:\n{}", base::printable(change.path), state, indent);
    for (auto const& part : diff_words(text_of_value(change.before), text_of_value(change.after)))
        text += marked_part(part, marks, indent);
    return text;
}

std::string to_text(connection_label const& label) {
    auto const type = label.type == main_connection ? "" : fmt::format(" ({})", label.type);
    return fmt::format("{}.{} → {}.{}{}", label.from, label.output, label.to, label.input, type);
}

} // namespace

json::object to_json(flow_diff const& difference) {
    return {
        {"empty", difference.empty()},
        {"layout_only", difference.layout_only()},
        {"reordered", difference.reordered},
        {"nodes",
         {{"added", json_list(difference.added)},
          {"removed", json_list(difference.removed)},
          {"changed", json_list(difference.changed)}}},
        {"connections",
         {{"added", json_list(difference.connected)},
          {"removed", json_list(difference.disconnected)}}},
        {"settings", json_list(difference.settings)}};
}

std::string to_text(flow_diff const& difference, change_marks const& marks) {
    std::string text;
    for (auto const& node : difference.added)
        text += fmt::format("+ node {} ({}, {})\n", base::printable(node.name), node.id, node.type);
    for (auto const& node : difference.removed)
        text += fmt::format("- node {} ({}, {})\n", base::printable(node.name), node.id, node.type);
    for (auto const& changed : difference.changed) {
        auto const mark = changed.layout_only ? "moved" : "changed";
        text += fmt::format(
            "~ node {} ({}) {}\n", base::printable(changed.node.name), changed.node.id, mark
        );
        if (changed.layout_only) continue;
        for (auto const& change : changed.changes) text += "    " + to_text(change, marks) + "\n";
    }
    for (auto const& connection : difference.connected)
        text += "+ connection " + to_text(connection) + "\n";
    for (auto const& connection : difference.disconnected)
        text += "- connection " + to_text(connection) + "\n";
    for (auto const& setting : difference.settings) text += "~ " + to_text(setting, marks) + "\n";
    if (difference.reordered) text += "~ nodes or connections have another order\n";
    return text;
}

} // namespace postrider::agent::flow
