// What the names mean that n8n has in front of everything: the current item, other nodes, the execution.
#include "agent/flow/n8n/expression/converter.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::flow::n8n {

namespace {

// Names without a counterpart, and why.
struct refused_name {
    std::string_view name;
    std::string_view reason;
};
constexpr std::array<refused_name, 13> refused_names{{
    {"$runIndex", "expressions do not know how often a node ran"},
    {"$prevNode", "expressions do not know the node in front by another way than its name"},
    {"$response", "pages of a request are read by the node itself"},
    {"$request", "pages of a request are read by the node itself"},
    {"$pageCount", "pages of a request are read by the node itself"},
    {"$parameter", "expressions do not read the parameters of their node"},
    {"$secrets", "secrets are read by name where a parameter asks for one"},
    {"$self", "expressions do not read the parameters of their node"},
    {"$nodeVersion", "expressions do not read the version of their node"},
    {"$nodeId", "expressions do not read the id of their node"},
    {"$webhookId", "expressions do not read the id of a webhook"},
    {"NaN", "every number is finite here"},
    {"Infinity", "every number is finite here"},
}};

constexpr std::array<std::string_view, 21> type_names{
    "Date",   "DateTime", "Duration", "Interval",   "Math",      "JSON", "Object",
    "Number", "String",   "Boolean",  "Array",      "$node",     "$env", "$vars",
    "Set",    "Map",      "URL",      "$execution", "$workflow", "Intl", "window"};

term node_term(converter& in, std::string_view name) {
    return {
        .text = "$node[" + text_literal(in.around().node_name(name)) + "]",
        .shape = shape::node,
        .simple = true,
        .renamed = in.around().renamed_of(name)};
}

// Of a file of n8n's, as the reference here has them.
constexpr renamed_member file_members[]{
    {"fileName", "name"}, {"mimeType", "mime"}, {"fileSize", "bytes"}, {"data", "base64"}};

// The file of an item: n8n has several, each with a name.
term file_of(term item) {
    item.renamed = {};
    auto file = optional_member(item, "file");
    file.shape = shape::object;
    file.renamed = file_members;
    return file;
}

// The item of a node that n8n pairs with the current one. Nobody does so here.
term paired_item(converter& in, term const& node) {
    if (node.text == "$input")
        return {.text = "$json", .shape = shape::item, .simple = true, .renamed = node.renamed};
    in.remark(
        "it reads the first item of " + node.text + ", n8n the one that belongs to this item"
    );
    return {
        .text = node.text + ".json", .shape = shape::item, .simple = true, .renamed = node.renamed};
}

std::optional<term> member_of_node(converter& in, term const& base, std::string_view name) {
    if (name == "item" || name == "pairedItem") return paired_item(in, base);
    if (name == "json" || name == "data") {
        auto item = paired_item(in, base);
        item.shape = shape::object;
        return item;
    }
    if (name == "binary") {
        auto files = paired_item(in, base);
        files.shape = shape::files;
        return files;
    }
    if (name == "isExecuted") return term_of("has(" + base.text + ".json)", shape::boolean);
    return in.refuse("`" + std::string(name) + "` of a node is not known here");
}

std::optional<term> member_of_execution(converter& in, std::string_view name) {
    if (name == "id") return term{.text = "$execution.id", .simple = true};
    auto const waiting = in.around().waiting_node();
    if ((name == "resumeUrl" || name == "resumeFormUrl") && !waiting.empty())
        return optional_member({.text = "$execution.resume", .simple = true}, waiting);
    return in.refuse("`$execution." + std::string(name) + "` has no counterpart");
}

std::optional<term> member_of_type(converter& in, term const& base, std::string_view name) {
    if (base.text == "$node") return node_term(in, name);
    if (base.text == "$item" && name == "$node") return term{.text = "$node", .shape = shape::type};
    if (base.text == "$env" || base.text == "$vars") {
        in.needs_variable(std::string(name));
        return optional_member({.text = "$vars", .simple = true}, name);
    }
    if (base.text == "$execution") return member_of_execution(in, name);
    if (base.text == "$workflow" && (name == "id" || name == "name"))
        return term{.text = "$execution.flow", .shape = shape::text, .simple = true};
    if (base.text == "Math" && name == "PI")
        return term{.text = "3.141592653589793", .shape = shape::number, .simple = true};
    if (base.text == "DateTime" && !named_format(name).empty())
        return term{.text = "DateTime." + std::string(name), .shape = shape::type};
    return std::nullopt;
}

} // namespace

std::optional<term> global_name(converter& in, std::string_view name) {
    if (name == "$itemIndex") {
        in.remark("of equal items, $itemIndex is the number of the first one");
        return term_of(
            "$input.transformList(n, i, i == $json ? n : -1).filter(n, n >= 0)[0]", shape::number
        );
    }
    if (name == "$json" || name == "$data")
        return term{
            .text = "$json",
            .shape = shape::object,
            .simple = true,
            .renamed = in.around().renamed_here()};
    if (name == "$input")
        return term{
            .text = "$input",
            .shape = shape::node,
            .simple = true,
            .renamed = in.around().renamed_here()};
    if (name == "$binary") return term{.text = "$json", .shape = shape::files, .simple = true};
    if (name == "$now") return term{.text = "$now", .shape = shape::instant, .simple = true};
    if (name == "$today") return term_of("$now.startOf(\"day\")", shape::instant);
    if (name == "true" || name == "false")
        return term{.text = std::string(name), .shape = shape::boolean, .simple = true};
    if (name == "null" || name == "undefined") return term{.text = "null", .simple = true};
    if (std::ranges::find(type_names, name) != type_names.end())
        return term{.text = std::string(name), .shape = shape::type};
    auto const refused = std::ranges::find(refused_names, name, &refused_name::name);
    if (refused != refused_names.end()) return in.refuse(std::string(refused->reason));
    return std::nullopt;
}

std::optional<term> special_member(converter& in, term const& base, std::string_view name) {
    switch (base.shape) {
    case shape::node:
        return member_of_node(in, base, name);
    case shape::type:
        return member_of_type(in, base, name);
    case shape::files:
        return file_of(base);
    case shape::item:
        if (name == "binary") {
            auto files = base;
            files.shape = shape::files;
            return files;
        }
        if (name == "json") {
            auto data = base;
            data.shape = shape::object;
            return data;
        }
        return in.refuse("`" + std::string(name) + "` of an item is not known here");
    case shape::instant:
    case shape::duration: {
        // In the table as a method without arguments: x.year.
        for (auto const& known : time_methods())
            if (known.name == "." + std::string(name)) return known.run(in, base, {});
        return std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

namespace {

term node_named(converter& in, term const&, script::node const& call) {
    auto const name = in.constant_text(*argument(call, 0));
    return name ? node_term(in, *name) : in.refuse("the name of a node is computed");
}

term first_item(converter&, term const& node, script::node const&) {
    if (node.text == "$input")
        return {
            .text = "$input.first()",
            .shape = shape::item,
            .optional = true,
            .renamed = node.renamed};
    return {
        .text = node.text + ".json", .shape = shape::item, .simple = true, .renamed = node.renamed};
}

std::string items_of(term const& node) {
    return node.text == "$input" ? node.text : node.text + ".items";
}

term last_item(converter&, term const& node, script::node const&) {
    return {.text = items_of(node) + ".last()", .shape = shape::item, .renamed = node.renamed};
}

term all_items(converter&, term const& node, script::node const&) {
    return {.text = items_of(node), .shape = shape::items, .simple = true, .renamed = node.renamed};
}

term matching_item(converter& in, term const& node, script::node const&) {
    return paired_item(in, node);
}

term items_of_node(converter& in, term const& none, script::node const& call) {
    if (!argument(call, 0)) return all_items(in, *global_name(in, "$input"), call);
    return all_items(in, node_named(in, none, call), call);
}

// $item("0").$node["Name"]: the item of that number, of any node.
term numbered_item(converter& in, term const&, script::node const& call) {
    auto const& number = *argument(call, 0);
    auto const text = in.constant_text(number);
    if ((text && *text == "0") || in.constant_number(number) == 0)
        return {.text = "$item", .shape = shape::type};
    return in.refuse("`$item` is converted for the first item only");
}

constexpr std::array known_node_methods{
    method{"first", 0, 2, first_item},
    method{"last", 0, 2, last_item},
    method{"all", 0, 2, all_items},
    method{"itemMatching", 1, 1, matching_item},
    method{"$", 1, 1, node_named},
    method{"$items", 0, 3, items_of_node},
    method{"$item", 1, 2, numbered_item},
};

} // namespace

std::span<method const> node_methods() {
    return known_node_methods;
}

} // namespace postrider::agent::flow::n8n
