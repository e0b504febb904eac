#include "agent/flow/library/lifecycle.hpp"

#include "agent/flow/document/document_text.hpp"
#include "agent/flow/lane_manner.hpp"
#include "agent/flow/library/callees.hpp"
#include "agent/flow/library/rivals.hpp"
#include "agent/flow/library/timetable.hpp"
#include "agent/flow/library/triggers.hpp"
#include "storage/stores/bots.hpp"

#include <boost/throw_exception.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace postrider::agent::flow {

namespace {

refusal no_flow_of(std::vector<problem> problems) {
    auto detail =
        problems.size() == 1
            ? to_text(problems.front())
            : fmt::format("{} problems; the first: {}", problems.size(), to_text(problems.front()));
    return {"invalid_flow", std::move(detail), std::move(problems)};
}

refusal no_version(storage::flow_row const& flow, std::string_view version_name) {
    return {"not_found", fmt::format("the flow {} has no version {}", flow.name, version_name)};
}

refusal is_archived(storage::flow_row const& flow) {
    return {"archived", fmt::format("the flow {} is archived: unarchive it first", flow.name)};
}

// Nothing for what is no number.
std::optional<std::int64_t> version_from(std::string_view text) {
    std::int64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// What is in the database was read before, by this product or a newer one.
allowed<definition> read_stored(std::string_view text) {
    auto read = read_definition(text);
    if (auto* problems = std::get_if<std::vector<problem>>(&read))
        return no_flow_of(std::move(*problems));
    return std::get<definition>(std::move(read));
}

// What starts the published flows of other names that speak of this, by name. Those of a newer
// product are left out.
std::vector<definition> openings_beside(
    storage::transaction& tx, std::string_view name, std::string_view mention
) {
    std::vector<definition> openings;
    for (auto const& row : storage::list_openings(tx, mention)) {
        if (row.of.name == name) continue;
        if (auto opening = read_stored(row.document)) openings.push_back(std::move(*opening));
    }
    return openings;
}

// Those of them whose triggers may take the same messages.
std::vector<definition> rivals_beside(
    storage::transaction& tx, definition const& flow, catalog const& types
) {
    std::vector<definition> rivals;
    for (auto const& word : words_of_rivals(flow, types))
        for (auto& opening : openings_beside(tx, flow.name, word))
            if (std::ranges::find(rivals, opening.name, &definition::name) == rivals.end())
                rivals.push_back(std::move(opening));
    std::ranges::sort(rivals, {}, &definition::name);
    return rivals;
}

template<class Opening>
bool opens(definition const& flow, catalog const& types) {
    return std::ranges::any_of(flow.nodes, [&](node const& node) {
        return opening_of<Opening>(node, types).has_value();
    });
}

std::string opening_address(request_opening const& requests) {
    if (requests.form) return "/forms/" + requests.path;
    return fmt::format("{} /hooks/{}", requests.method, requests.path);
}

// The webhooks and forms that another flow has already: of two flows the first by name would get the
// requests of both.
std::vector<problem> taken_paths(
    storage::transaction& tx, definition const& flow, catalog const& types
) {
    std::vector<problem> problems;
    if (!opens<request_opening>(flow, types)) return problems;
    storage::lock_publishing(tx);
    for (std::size_t at = 0; at < flow.nodes.size(); ++at) {
        auto const& node = flow.nodes[at];
        auto const webhook = opening_of<request_opening>(node, types);
        if (!webhook) continue;
        triggers others;
        for (auto const& opening : openings_beside(tx, flow.name, webhook->path))
            others.add(0, opening, types);
        auto const* owner = others.webhook(webhook->method, webhook->path);
        if (!owner) continue;
        auto path = below(below("/nodes", at), "parameters");
        auto const& unique = trigger_of(node, types)->unique;
        if (!unique.empty()) path = below(path, unique.front());
        problems.push_back(
            {.code = "path_taken",
             .path = std::move(path),
             .message = fmt::format("{} starts another flow already", opening_address(*webhook)),
             .hint = fmt::format("archive {}, or take another path or method", owner->to.flow),
             .node = node.name}
        );
    }
    return problems;
}

// What is to be published, where no error keeps it from that: neither the names of other flows nor
// their triggers nor its schedules nor the webhooks of others. Else everything that is wrong.
struct publishable {
    definition flow;
    std::vector<problem> problems; // warnings
};

validator with_bots(storage::transaction& tx, validator validator) {
    auto& bots = validator.context.names["bot"];
    if (bots.empty()) bots = storage::bot_names(tx);
    return validator;
}

// By the parameter that every reference to a flow has (failing_flows.cpp).
bool names_flows(definition const& flow) {
    return !flow.settings.error_flow.empty() ||
           std::ranges::any_of(flow.nodes, [](node const& node) {
               return node.parameters.contains("flow");
           });
}

// The published flows are listed only for one that names any: most do not, and there may be many.
examination examine_beside_others(
    storage::transaction& tx, std::string_view text, validator const& validator
) {
    auto seen = examine(text, *validator.types, with_bots(tx, validator).context);
    if (seen.flow && !names_flows(*seen.flow)) return seen;
    return examine(text, *validator.types, with_flows(tx, validator).context);
}

allowed<publishable> read_publishable(
    storage::transaction& tx, std::string_view text, validator const& validator
) {
    auto examined = examine_beside_others(tx, text, validator);
    auto& problems = examined.problems;
    if (!examined.flow || any_error(problems)) return no_flow_of(std::move(problems));
    auto const& flow = *examined.flow;
    std::ranges::move(taken_paths(tx, flow, *validator.types), std::back_inserter(problems));
    std::ranges::move(uncallable_flows(tx, flow, *validator.types), std::back_inserter(problems));
    if (auto const times = timetable_of(flow, 0, *validator.types); !times)
        problems.push_back({.code = "bad_schedule", .message = times.error().detail});
    bool const may_have_rivals = opens<message_opening>(flow, *validator.types) ||
                                 opens<group_opening>(flow, *validator.types);
    if (!any_error(problems) && may_have_rivals) {
        auto const others = rivals_beside(tx, flow, *validator.types);
        std::ranges::move(
            rivalled_triggers(flow, others, validator.agents, *validator.types),
            std::back_inserter(problems)
        );
    }
    if (any_error(problems)) return no_flow_of(std::move(problems));
    return publishable{std::move(*examined.flow), std::move(problems)};
}

void schedule_published(
    storage::transaction& tx, std::string const& flow, std::int64_t version, catalog const& types
) {
    auto const stored = read_stored(storage::read_version(tx, flow, version).value());
    if (!stored) return; // of a newer product: nothing of it is scheduled here
    auto const times = timetable_of(*stored, version, types).value();
    keep_schedules(tx, flow, times, manner_of(stored->settings));
}

} // namespace

void throw_exception_from_error(refusal const& refusal, boost::source_location const& where) {
    boost::throw_exception(std::runtime_error(refusal.code + ": " + refusal.detail), where);
}

allowed<candidate> read_candidate(std::string_view text, validator const& validator) {
    auto seen = examine(text, *validator.types, validator.context);
    if (!seen.flow) return no_flow_of(std::move(seen.problems));
    return candidate{seen.flow->name, document_text(seen.flow->document), std::move(seen.problems)};
}

validator with_flows(storage::transaction& tx, validator validator) {
    auto& flows = validator.context.names["flow"];
    flows = {""}; // no flow's: an empty list is not looked at
    for (auto& row : storage::list_published(tx)) flows.push_back(std::move(row.name));
    return with_bots(tx, std::move(validator));
}

allowed<storage::flow_row> create(storage::transaction& tx, candidate const& candidate) {
    auto row = storage::create_flow(tx, candidate.name, candidate.text);
    if (row) return std::move(*row);
    return refusal{"name_taken", fmt::format("there is a flow {} already", candidate.name)};
}

allowed<std::int64_t> save(
    storage::transaction& tx, storage::flow_row const& flow, candidate const& candidate
) {
    if (candidate.name != flow.name)
        return refusal{
            "name_differs",
            fmt::format(
                "the document is named {}, the flow {}: a flow keeps its name",
                candidate.name,
                flow.name
            )};
    if (flow.archived_at) return is_archived(flow);
    return storage::save_draft(tx, flow.id, candidate.text, flow.revision).value();
}

allowed<published> publish(
    storage::transaction& tx,
    storage::flow_row const& flow,
    publisher const& author,
    validator const& validator
) {
    if (flow.archived_at) return is_archived(flow);
    auto read = read_publishable(tx, storage::read_draft(tx, flow.id), validator);
    if (!read) return read.error();
    auto const& definition = read->flow;
    auto const publication =
        storage::publish_draft(tx, flow.id, flow.revision, author.name, author.note).value();
    auto const times = timetable_of(definition, publication.version, *validator.types).value();
    keep_schedules(tx, flow.name, times, manner_of(definition.settings));
    return published{publication, std::move(read->problems)};
}

allowed<imported> import(
    storage::transaction& tx,
    candidate const& candidate,
    import_options options,
    publisher const& author,
    validator const& validator
) {
    auto existing = storage::lock_flow(tx, candidate.name);
    if (existing && existing->archived_at) return is_archived(*existing);
    bool const lossy =
        existing && existing->changed && storage::read_draft(tx, existing->id) != candidate.text;
    if (lossy && !options.overwrite)
        return refusal{
            "draft_changed",
            fmt::format(
                "the draft of {} was never published: publish it first, or overwrite it",
                candidate.name
            )};
    if (options.publish) {
        auto const read = read_publishable(tx, candidate.text, validator);
        if (!read) return read.error();
    }
    imported result;
    result.problems = candidate.problems;
    result.created = !existing;
    if (existing) {
        storage::save_draft(tx, existing->id, candidate.text, existing->revision).value();
    } else {
        auto created = create(tx, candidate);
        if (!created) return created.error();
    }
    result.flow = storage::lock_flow(tx, candidate.name).value();
    if (!options.publish) return result;
    auto out = publish(tx, result.flow, author, validator).value();
    result.problems = std::exchange(out.problems, {});
    result.published = std::move(out);
    result.flow = storage::find_flow(tx, candidate.name).value();
    return result;
}

allowed<std::int64_t> restore(
    storage::transaction& tx, storage::flow_row const& flow, std::int64_t version
) {
    if (flow.archived_at) return is_archived(flow);
    auto const text = read_document(tx, flow, std::to_string(version));
    if (!text) return text.error();
    return storage::save_draft(tx, flow.id, *text, flow.revision).value();
}

void archive(storage::transaction& tx, storage::flow_row const& flow) {
    storage::archive_flow(tx, flow.id);
    keep_schedules(tx, flow.name, {});
}

allowed<void> unarchive(
    storage::transaction& tx, storage::flow_row const& flow, catalog const& types
) {
    if (flow.archived_at && flow.published) {
        auto const stored =
            read_stored(storage::read_version(tx, flow.name, *flow.published).value());
        auto const taken = stored ? taken_paths(tx, *stored, types) : std::vector<problem>{};
        if (!taken.empty()) return refusal{"path_taken", to_text(taken.front())};
    }
    storage::unarchive_flow(tx, flow.id);
    if (flow.published) schedule_published(tx, flow.name, *flow.published, types);
    return {};
}

allowed<void> remove(storage::transaction& tx, storage::flow_row const& flow) {
    if (storage::delete_flow(tx, flow.id)) {
        remove_schedules(tx, flow.name);
        return {};
    }
    return refusal{
        "in_use",
        flow.archived_at
            ? fmt::format(
                  "executions of {0} are still kept, or a running one that called a flow may be "
                  "inside {0}. "
                  "Leave it archived: it starts nothing more, and can be deleted when retention "
                  "has removed "
                  "its executions (retention.jobs) and the running ones are over",
                  flow.name
              )
            : fmt::format(
                  "{} is published and may start at any time: archive it first", flow.name
              )};
}

storage::shipped_outcome ship(
    storage::transaction& tx,
    std::string_view document,
    catalog const& types,
    storage::shipping manner
) {
    auto const flow = read_stored(document).value();
    auto const outcome =
        storage::ensure_shipped(tx, flow.name, document_text(flow.document), manner);
    if (outcome == storage::shipped_outcome::installed ||
        outcome == storage::shipped_outcome::upgraded) {
        auto const version = storage::find_flow(tx, flow.name)->published.value();
        schedule_published(tx, flow.name, version, types);
    }
    return outcome;
}

allowed<std::string> read_document(
    storage::transaction& tx, storage::flow_row const& flow, std::string_view version_name
) {
    if (version_name == "draft") return storage::read_draft(tx, flow.id);
    bool const current = version_name == "published";
    if (current && !flow.published)
        return refusal{"not_published", fmt::format("{} was never published", flow.name)};
    auto const version = current ? flow.published : version_from(version_name);
    std::optional<std::string> text;
    if (version) text = storage::read_version(tx, flow.name, *version);
    if (!text) return no_version(flow, version_name);
    return std::move(*text);
}

allowed<flow_diff> compare(
    storage::transaction& tx,
    storage::flow_row const& flow,
    std::string_view old_version,
    std::string_view new_version
) {
    auto const before = read_document(tx, flow, old_version);
    if (!before) return before.error();
    auto const after = read_document(tx, flow, new_version);
    if (!after) return after.error();
    auto const old = read_stored(*before);
    if (!old) return old.error();
    auto const now = read_stored(*after);
    if (!now) return now.error();
    return diff(*old, *now);
}

} // namespace postrider::agent::flow
