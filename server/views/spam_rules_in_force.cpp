#include "server/views/spam_rules_in_force.hpp"

#include "agent/flow/catalog.hpp"
#include "agent/flow/document/definition.hpp"
#include "agent/flow/parameters.hpp"
#include "storage/stores/bots.hpp"
#include "storage/stores/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace postrider::server {

namespace {

constexpr std::string_view judging_node = "spam.check";

// Read-only, and made once: every question of a person asks for them.
agent::flow::catalog const& known_types() {
    static auto const types = agent::flow::builtin_types();
    return types;
}

// The node types that wait for a group's messages.
std::vector<std::string_view> watching_types() {
    std::vector<std::string_view> names;
    for (auto const* type : known_types().all()) {
        agent::flow::node bare;
        bare.type = type->name;
        if (agent::flow::opening_of<agent::flow::group_opening>(bare, known_types()))
            names.push_back(type->name);
    }
    return names;
}

// What is published is valid; an older product may know less of it, and then has the defaults.
agent::flow::screen_settings settings_of(boost::json::object parameters) {
    if (auto const* type = known_types().find(judging_node))
        agent::flow::fill_defaults(parameters, *type);
    auto settings = agent::flow::screen_settings_from(parameters);
    return settings ? std::move(*settings) : settings_of({});
}

} // namespace

group_rules::group_rules(storage::transaction& tx) : tx_(tx), bots_(storage::bot_names(tx)) {
    for (auto const type : watching_types())
        for (auto const& row : storage::list_openings(tx, type)) {
            auto const form = agent::flow::read_definition(row.document);
            if (auto const* opening = std::get_if<agent::flow::definition>(&form))
                starts_.add(row.of.version, *opening, known_types());
        }
}

rules_in_force group_rules::find(std::optional<chat_id> chat) const {
    rules_in_force defaults{settings_of({})};
    if (!chat || *chat == chat_id{}) return defaults;
    for (auto const& bot : bots_) {
        auto const watching = starts_.group({.bot = bot, .chat = *chat});
        if (!watching) continue;
        return rules_of(*watching).value_or(std::move(defaults));
    }
    return defaults;
}

std::optional<rules_in_force> group_rules::rules_of(agent::flow::start const& watching) const {
    auto const document = storage::read_version(tx_, watching.flow, watching.version);
    if (!document) return std::nullopt;
    auto const form = agent::flow::read_definition(*document);
    auto const* flow = std::get_if<agent::flow::definition>(&form);
    if (!flow) return std::nullopt;
    auto const judge = std::ranges::find_if(flow->nodes, [](agent::flow::node const& node) {
        return node.type == judging_node && !node.disabled;
    });
    if (judge == flow->nodes.end()) return std::nullopt;
    return rules_in_force{settings_of(judge->parameters), watching.flow, watching.version};
}

boost::json::object rules_source_json(rules_in_force const& rules) {
    if (rules.flow.empty()) return {{"flow", nullptr}, {"version", nullptr}};
    return {{"flow", rules.flow}, {"version", rules.version}};
}

std::string rules_source_text(rules_in_force const& rules) {
    if (rules.flow.empty()) return "the defaults";
    return fmt::format("the flow {}, version {}", rules.flow, rules.version);
}

} // namespace postrider::server
