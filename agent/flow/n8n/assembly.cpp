#include "agent/flow/n8n/assembly.hpp"

#include "agent/flow/n8n/placeholder.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

constexpr auto no_place = static_cast<std::size_t>(-1);

// A text where the type wants a number is that number.
void fit_numbers(json::object& parameters, node_type const& type) {
    for (auto& member : parameters) {
        auto& value = member.value();
        auto const* text = value.if_string();
        if (!text) continue;
        auto const* properties = type.parameters.if_contains("properties");
        auto const* object = properties ? properties->if_object() : nullptr;
        auto const* schema = object ? object->if_contains(member.key()) : nullptr;
        auto const* members = schema ? schema->if_object() : nullptr;
        auto const* declared = members ? members->if_contains("type") : nullptr;
        if (!declared || !declared->is_string() || declared->get_string() != "integer") continue;
        std::int64_t number = 0;
        auto const* const end = text->data() + text->size();
        auto const read = std::from_chars(text->data(), end, number);
        if (read.ec == std::errc{} && read.ptr == end) value = number;
    }
}

// How many there are, and how many of them become ones of ours.
void count_expressions(
    json::value const& value,
    surroundings const& around,
    conversion_budget& budget,
    import_counts& counts
) {
    if (auto const* text = value.if_string()) {
        for (auto const& piece : pieces_of({text->data(), text->size()})) {
            if (!piece.is_expression) continue;
            ++counts.expressions;
            if (convert(piece.text, around, budget)) ++counts.converted;
        }
    } else if (auto const* array = value.if_array()) {
        for (auto const& item : *array) count_expressions(item, around, budget, counts);
    } else if (auto const* object = value.if_object()) {
        for (auto const& [name, member] : *object)
            count_expressions(member, around, budget, counts);
    }
}

} // namespace

json::value number_here(double number) {
    if (std::floor(number) == number && std::fabs(number) < 1e9)
        return static_cast<std::int64_t>(number);
    return number;
}

imported_draft assembly::run() {
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
        if (flow_.nodes[i].is_note()) {
            add_note(flow_.nodes[i]);
            drafts_.emplace_back().left_out = true;
            places_.push_back(no_place);
            count(flow_.nodes[i], true);
        } else {
            add_node(i);
        }
    }
    find_circles();
    add_limits();
    add_repeats();
    add_links();
    add_answers();
    auto& document = result_.document;
    auto name = identifier_of(flow_.name, "imported");
    document["format"] = 1;
    document["name"] = name;
    document["description"] =
        flow_.name.empty() ? "Imported from n8n" : "Imported from n8n: " + flow_.name;
    add_settings();
    document["nodes"] = std::move(nodes_);
    document["connections"] = std::move(connections_);
    if (!notes_.empty()) document["notes"] = std::move(notes_);
    add_pinned();
    result_.problems = std::move(problems_).take();
    return std::move(result_);
}

void assembly::tell(std::size_t index, std::string code, std::string message, std::string hint) {
    auto const place = places_[index];
    problems_.add(
        {.code = std::move(code),
         .path = place == no_place ? "" : fmt::format("/nodes/{}", place),
         .message = std::move(message),
         .hint = std::move(hint),
         .node = names_.name_of(index),
         .severity = severity::warning}
    );
}

bool assembly::is_idle(std::size_t index, std::string_view name) const {
    auto const* type = types_.find(name);
    if (!type || is_trigger(*type) || is_part(*type)) return false;
    return flow_.feeders(index, main_connection).empty();
}

bool assembly::fits(draft_node const& draft, std::vector<draft_part> const& parts) const {
    return draft.left_out ||
           (types_.find(draft.type) && std::ranges::all_of(parts, [&](auto const& part) {
                return types_.find(part.type) != nullptr;
            }));
}

void assembly::count(workflow_node const& node, bool is_mapped) {
    auto& counts = result_.counts;
    ++counts.nodes;
    switch (class_of(node)) {
    case node_class::note:
        ++counts.notes;
        return;
    case node_class::code:
        ++counts.code;
        return;
    case node_class::vendor:
        ++counts.vendor;
        counts.vendor_mapped += is_mapped ? 1 : 0;
        return;
    default:
        ++counts.common;
        counts.common_mapped += is_mapped ? 1 : 0;
    }
}

void assembly::add_node(std::size_t index) {
    auto const& node = flow_.nodes[index];
    place_in_workflow const around(flow_, names_, renamed_, index);
    problem_list listed(definition_limits{}.problems);
    translation in(flow_, index, around, budget_, listed);
    auto const* by = find_mapping(node.short_type());
    if (by)
        by->map(in);
    else
        in.become_placeholder("");
    count_expressions(node.parameters, around, budget_, result_.counts);
    bool const mapped = in.placeholder_reason.empty() && by && fits(in.draft, in.attached);
    count(node, mapped);
    if (!mapped) {
        auto const reason = !in.placeholder_reason.empty() ? "There, " + in.placeholder_reason + "."
                            : by ? "This server has no node " + in.draft.type + "."
                                 : "";
        in.draft = placeholder_of(flow_, index, reason);
        in.attached.clear();
        in.variables.clear();
        in.remarks.clear();
    }
    if (mapped && in.answers_with_last && !node.disabled)
        answered_.emplace(
            index, in.word("responseData") == "allEntries" ? "{{ $input }}" : "{{ $json }}"
        );
    drafts_.push_back(in.draft);
    places_.push_back(in.draft.left_out ? no_place : nodes_.size());
    if (in.draft.left_out) return;
    auto problems = std::move(listed).take();
    if (!mapped) problems.clear();
    for (auto& problem : problems) {
        problem.path = fmt::format("/nodes/{}{}", nodes_.size(), problem.path);
        problem.node = names_.name_of(index);
        problems_.add(std::move(problem));
    }
    if (!mapped)
        tell(
            index,
            "n8n_placeholder",
            fmt::format("{} has no counterpart here; it is disabled", node.type),
            "its notes say what it did; put another node in its place"
        );
    std::ranges::sort(in.remarks);
    in.remarks.erase(std::unique(in.remarks.begin(), in.remarks.end()), in.remarks.end());
    for (auto const& remark : in.remarks) tell(index, "n8n_difference", remark);
    variables_.insert(variables_.end(), in.variables.begin(), in.variables.end());
    if (mapped && !node.disabled && is_idle(index, in.draft.type)) {
        in.draft.disabled = true;
        tell(
            index,
            "n8n_connection",
            "nothing leads to it, so that it never runs; it is disabled",
            "connect it, and enable it"
        );
    }
    add_document_node(node, std::move(in.draft), names_.name_of(index), names_.id_of(index), true);
    add_parts(index, std::move(in.attached));
}

void assembly::add_document_node(
    workflow_node const& original,
    draft_node draft,
    std::string name,
    std::string id,
    bool keeps_settings
) {
    auto const* type = types_.find(draft.type);
    if (type) fit_numbers(draft.parameters, *type);
    json::object node{{"id", std::move(id)}, {"name", std::move(name)}, {"type", draft.type}};
    if (original.position)
        node["position"] = json::array{
            number_here(original.position->first), number_here(original.position->second)};
    node["parameters"] = std::move(draft.parameters);
    if (draft.disabled || original.disabled) node["disabled"] = true;
    auto notes = original.notes;
    if (!draft.notes.empty()) notes += (notes.empty() ? "" : "\n\n") + draft.notes;
    if (!notes.empty() && keeps_settings) node["notes"] = notes;
    bool const acts = type && !is_trigger(*type) && !is_part(*type) && keeps_settings;
    if (acts && original.on_error == "continueRegularOutput") node["on_error"] = "continue";
    if (acts && original.on_error == "continueErrorOutput") node["on_error"] = "error_output";
    if (acts && original.retries)
        node["retry"] = {
            {"tries", static_cast<std::int64_t>(std::clamp(original.tries, 1.0, 100.0))},
            {"delay",
             fmt::format("{}ms", std::clamp(std::round(original.delay), 0.0, 86'400'000.0))}};
    nodes_.push_back(std::move(node));
}

void assembly::add_parts(std::size_t index, std::vector<draft_part> parts) {
    for (auto& part : parts) {
        auto const name = names_.add_name(names_.name_of(index) + " model");
        auto const id = names_.add_id(name);
        workflow_node place;
        if (auto const& position = flow_.nodes[index].position)
            place.position = {position->first, position->second + 180};
        add_document_node(
            place, {.type = part.type, .parameters = std::move(part.parameters)}, name, id, false
        );
        connections_.push_back(
            {{"from", id}, {"to", names_.id_of(index)}, {"type", part.connection}}
        );
    }
}

void assembly::add_settings() {
    json::object settings;
    auto const* seconds = flow_.settings.if_contains("executionTimeout");
    if (seconds && seconds->is_number() && seconds->to_number<double>() >= 1 &&
        seconds->to_number<double>() < 1e6)
        settings["timeout"] = fmt::format("{}s", std::floor(seconds->to_number<double>()));
    std::ranges::sort(variables_);
    variables_.erase(std::unique(variables_.begin(), variables_.end()), variables_.end());
    json::object variables;
    for (auto const& name : variables_) variables[name] = "";
    if (!variables.empty()) {
        problems_.add(
            {.code = "n8n_credential",
             .path = "/settings/variables",
             .message = "variables of n8n's environment are empty here",
             .hint = "write their values; secrets belong into the configuration",
             .severity = severity::warning}
        );
        settings["variables"] = std::move(variables);
    }
    if (!settings.empty()) result_.document["settings"] = std::move(settings);
}

// n8n wraps each item: {"json": {…}}.
void assembly::add_pinned() {
    json::object pinned;
    for (auto const& [name, items] : flow_.pinned) {
        auto const node = flow_.find(name);
        auto const* list = items.if_array();
        if (!node || places_[*node] == no_place || !list) continue;
        json::array all;
        for (auto const& item : *list) {
            auto const* object = item.if_object();
            auto const* data = object ? object->if_contains("json") : nullptr;
            if (object) all.push_back(data && data->is_object() ? *data : item);
        }
        pinned[names_.name_of(*node)] = std::move(all);
    }
    if (!pinned.empty()) result_.document["pinned"] = std::move(pinned);
}

} // namespace postrider::agent::flow::n8n
