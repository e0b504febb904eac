#include "agent/flow/start/hand_start.hpp"

#include "agent/flow/execution_input.hpp"
#include "agent/flow/lane_key.hpp"
#include "agent/flow/lane_manner.hpp"
#include "base/setting.hpp"
#include "base/texts.hpp"
#include "queue/store/enqueue.hpp"
#include "storage/stores/audit.hpp"
#include "storage/stores/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view own_lane = "flow:";

constexpr storage::statement find_lane{
    "flows.find_lane",
    "select lane_id from postrider.lane where lane_key = $1 and not "
    "postrider.lane_closed(lane_id)"};

constexpr storage::statement wake_nodes{"flows.wake", "select pg_notify('postrider', 'wake')"};

refusal no_trigger(std::string reason) {
    return {"no_trigger", std::move(reason)};
}

// "; did you mean X?", or the few names that there are.
std::string hint(
    std::string_view word, std::vector<std::string> const& names, std::string_view label
) {
    constexpr std::size_t few = 12;
    auto meant = base::suggestion(word, names);
    if (!meant.empty() || names.empty() || names.size() > few) return meant;
    return fmt::format("; {}: {}", label, base::joined(names, ", "));
}

std::vector<std::string> node_names(definition const& flow) {
    std::vector<std::string> names;
    for (auto const& node : flow.nodes) names.push_back(node.name);
    return names;
}

refusal no_such_trigger(
    definition const& flow, std::string const& id_or_name, catalog const& types
) {
    std::vector<std::string> names;
    for (auto const& node : flow.nodes)
        if (trigger_of(node, types)) names.push_back(node.name);
    return no_trigger(fmt::format(
        "{} has no trigger {}{}", flow.name, id_or_name, hint(id_or_name, names, "its triggers")
    ));
}

allowed<std::string> find_trigger(
    definition const& flow, std::string const& id_or_name, catalog const& types
) {
    if (!id_or_name.empty()) {
        auto const index = flow.find(id_or_name);
        if (index && trigger_of(flow.nodes[*index], types)) return {flow.nodes[*index].id};
        return no_such_trigger(flow, id_or_name, types);
    }
    std::vector<std::string> names;
    std::string only;
    for (auto const& node : flow.nodes) {
        auto const* node_trigger = trigger_of(node, types);
        if (!node_trigger) continue;
        if (node_trigger->source == trigger_source::caller) return {node.id};
        names.push_back(node.name);
        only = node.id;
    }
    if (names.size() == 1) return {only};
    if (names.empty()) return no_trigger(fmt::format("{} has no trigger", flow.name));
    return no_trigger(fmt::format(
        "{} has {} triggers: name one by `trigger` (--trigger): {}",
        flow.name,
        names.size(),
        base::joined(names, ", ")
    ));
}

// A node's id by its id or name; "" stays so.
allowed<std::string> find_node(definition const& flow, std::string const& id_or_name) {
    if (id_or_name.empty()) return {id_or_name};
    auto const index = flow.find(id_or_name);
    if (index) return {flow.nodes[*index].id};
    return refusal{
        "not_found",
        fmt::format(
            "{} has no node {}{}",
            flow.name,
            id_or_name,
            hint(id_or_name, node_names(flow), "its nodes")
        )};
}

// Its key by hand, or as the flow's settings have it.
std::string key_for(
    definition const& flow, hand_start const& request, boost::json::value const& data
) {
    if (!request.lane.empty()) return request.lane;
    return lane_or_own(flow, data, base::system_random());
}

// The example is an input of the trigger, not of a node in the middle.
boost::json::value data_for(
    definition const& flow, hand_start const& request, std::string const& trigger
) {
    if (request.data) return *request.data;
    auto const at = flow.find(trigger);
    auto const* example = at ? flow.nodes[*at].parameters.if_contains("example") : nullptr;
    if (request.start.empty() && example && example->is_object()) return *example;
    return boost::json::object{};
}

// The draft runs only where it could be published.
std::optional<refusal> wrong_draft(
    storage::transaction& tx, std::string_view text, validator const& validator
) {
    auto const draft = read_candidate(text, with_flows(tx, validator));
    if (!draft) return draft.error();
    if (!any_error(draft->problems)) return std::nullopt;
    return refusal{
        "invalid_flow",
        fmt::format("the draft has errors: {}", to_text(draft->problems.front())),
        draft->problems};
}

// What is pinned belongs to nodes of the flow, by their names.
std::optional<refusal> wrong_pins(definition const& flow, boost::json::object const& pinned) {
    for (auto const& [name, value] : pinned)
        if (std::ranges::find(flow.nodes, std::string_view(name), &node::name) == flow.nodes.end())
            return refusal{
                "not_found",
                fmt::format(
                    "{} has no node named {} to pin{}",
                    flow.name,
                    std::string_view(name),
                    hint(name, node_names(flow), "its nodes")
                )};
    return std::nullopt;
}

// What the draft's author has pinned. A name that no node has is left from one that was renamed.
boost::json::object pins_of(definition const& draft) {
    boost::json::object pinned;
    auto const* pins = draft.document.if_contains("pinned");
    if (!pins || !pins->is_object()) return pinned;
    for (auto const& [name, value] : pins->get_object())
        if (std::ranges::find(draft.nodes, std::string_view(name), &node::name) !=
            draft.nodes.end())
            pinned[name] = value;
    return pinned;
}

// 0 = the draft. read_document() has found it.
std::int64_t version_number_of(storage::flow_row const& flow, std::string_view name) {
    if (name == "published") return *flow.published;
    return name == "draft" ? 0LL : std::stoll(std::string(name));
}

// A lane that is there keeps its manner: this start may be a trial of another version.
allowed<lane_id> lane_of(
    storage::transaction& tx, std::string const& key, settings const& settings
) {
    if (key.starts_with(own_lane)) return storage::find_or_add_lane(tx, key, manner_of(settings));
    auto const lanes = tx.query(find_lane, {key});
    if (!lanes.empty()) return lanes.front().id<lane_id>(0);
    return refusal{
        "no_lane",
        fmt::format("there is no lane {}; a key {}… is made when need be", key, own_lane)};
}

} // namespace

allowed<started> start_by_hand(
    storage::transaction& tx,
    storage::flow_row const& flow,
    hand_start const& request,
    validator const& validator
) {
    auto const& types = *validator.types;
    if (flow.archived_at)
        return refusal{"archived", fmt::format("the flow {} is archived", flow.name)};
    auto const text = read_document(tx, flow, request.version);
    if (!text) return text.error();
    bool const is_draft = request.version == "draft";
    if (is_draft)
        if (auto wrong = wrong_draft(tx, *text, validator)) return *wrong;
    auto form = read_definition(*text);
    if (auto* problems = std::get_if<std::vector<problem>>(&form))
        return refusal{
            "invalid_flow", "this server does not know its format", std::move(*problems)};
    auto const& read = std::get<definition>(form);
    auto const trigger = find_trigger(read, request.trigger, types);
    if (!trigger) return trigger.error();
    auto const begin = find_node(read, request.start);
    if (!begin) return begin.error();
    auto const end = find_node(read, request.until);
    if (!end) return end.error();
    auto pinned = request.pinned.value_or(is_draft ? pins_of(read) : boost::json::object{});
    if (auto wrong = wrong_pins(read, pinned)) return *wrong;
    auto const data = data_for(read, request, *trigger);
    auto const lane = lane_of(tx, key_for(read, request, data), read.settings);
    if (!lane) return lane.error();

    execution_input input{
        .flow = flow.name,
        .version = version_number_of(flow, request.version),
        .trigger = *trigger};
    input.data = data;
    if (is_draft) input.document = read.document;
    input.start = *begin;
    input.only = request.only;
    input.until = *end;
    input.pinned = std::move(pinned);
    queue::new_job job{*lane, std::string(flow_kind), to_json(input), {}};
    job.deadline = read.settings.timeout;
    auto const enqueued = queue::enqueue(tx, job);
    tx.query(wake_nodes);
    storage::audit_operation(
        tx,
        "flow_run",
        enqueued.id,
        "flow:" + flow.name,
        {{"version", input.version}, {"trigger", input.trigger}, {"only", input.only}}
    );
    return started{enqueued.id, input.version, input.trigger};
}

} // namespace postrider::agent::flow
