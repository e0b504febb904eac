#include "agent/flow/library/library.hpp"

#include "base/log.hpp"
#include "base/outage.hpp"
#include "storage/reachability.hpp"
#include "storage/transact.hpp"

#include <set>

namespace postrider::agent::flow {

namespace {

constexpr std::size_t few = 16; // flows that change at once

std::string first_of(std::vector<problem> const& problems) {
    return problems.empty() ? "" : to_text(problems.front());
}

using compiled = std::variant<std::shared_ptr<graph const>, std::vector<problem>>;

compiled compile(std::string_view document, catalog const& types) {
    auto form = read_definition(document);
    if (auto* problems = std::get_if<std::vector<problem>>(&form)) return std::move(*problems);
    return graph::compile(std::get<definition>(std::move(form)), types);
}

} // namespace

base::result<std::shared_ptr<graph const>> compile_draft(
    std::string const& name, boost::json::value const& document, catalog const& types
) {
    auto form = read_definition(document);
    auto const refuse = [&](std::vector<problem> const& problems) {
        return base::error(base::errc::refused, "the draft of " + name + ": " + first_of(problems));
    };
    if (auto const* problems = std::get_if<std::vector<problem>>(&form)) return refuse(*problems);
    auto done = graph::compile(std::get<definition>(std::move(form)), types);
    if (auto const* problems = std::get_if<std::vector<problem>>(&done)) return refuse(*problems);
    return std::get<std::shared_ptr<graph const>>(std::move(done));
}

// Read on a storage thread: it may be long.
struct library::read_opening {
    storage::published_row of;
    read_definition_result document;
};

library::library(
    boost::asio::any_io_executor executor,
    storage::database& db,
    catalog const& types,
    library_options options
)
    : db_(db),
      types_(types),
      options_(options),
      wake_(executor),
      looked_(std::move(executor)) {}

current_flow const* library::current(std::string_view name) const {
    auto const entry = current_.find(name);
    return entry == current_.end() ? nullptr : &entry->second.flow;
}

std::int64_t library::current_version(std::string_view name) const {
    auto const* in_force = current(name);
    return in_force ? in_force->version : 0;
}

std::vector<std::string> library::names() const {
    std::vector<std::string> all;
    for (auto const& shelved : current_) all.push_back(shelved.first);
    return all;
}

base::awaitable<base::result<std::shared_ptr<graph const>>> library::find(
    std::string name, std::int64_t version
) {
    if (auto kept_graph = kept({name, version})) co_return kept_graph;

    auto work = [name, version, &types = types_](auto& tx) -> std::optional<compiled> {
        auto const text = storage::read_version(tx, name, version);
        if (!text) return std::nullopt;
        return compile(*text, types);
    };
    auto document =
        co_await storage::transact(db_, "flows.find_version", std::move(work), options_.patience);
    if (!document) co_return document.error();
    auto const label = name + " v" + std::to_string(version);
    if (!*document) co_return base::error(base::errc::not_found, "there is no flow " + label);
    if (auto const* problems = std::get_if<std::vector<problem>>(&**document))
        co_return base::error(base::errc::refused, label + ": " + first_of(*problems));
    auto compiled_graph = std::get<std::shared_ptr<graph const>>(std::move(**document));
    keep({name, version}, compiled_graph);
    co_return compiled_graph;
}

// Of two concurrent reads the older answer could arrive last. One runs at a time, and a caller that
// comes meanwhile waits for the next.
base::awaitable<base::result<void>> library::refresh() {
    auto const asked = ++asked_;
    while (seen_ < asked) {
        if (looking_) {
            co_await looked_.wait();
            continue;
        }
        looking_ = true;
        auto const on_end = [this](void*) {
            looking_ = false;
            looked_.notify();
        };
        std::unique_ptr<void, decltype(on_end)> const until_here(this, on_end);
        auto const covered = asked_;
        auto const done = co_await look();
        if (!done) co_return done;
        seen_ = covered;
    }
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> library::look() {
    bool const complete = !moment_ || ++looks_ >= options_.looks_until_complete;
    auto find = [since = complete ? std::nullopt : moment_](storage::transaction& tx) {
        return storage::list_changes(tx, since);
    };
    auto changes =
        co_await storage::transact(db_, "flows.look", std::move(find), options_.patience);
    if (!changes) co_return changes.error();

    auto const fresh = unknown_of(changes->published);
    std::vector<read_opening> openings;
    if (!fresh.empty()) {
        auto read = [fresh](storage::transaction& tx) {
            std::vector<read_opening> found;
            for (auto& row : storage::list_openings(tx, fresh))
                found.push_back({std::move(row.of), read_definition(row.document)});
            return found;
        };
        auto found =
            co_await storage::transact(db_, "flows.look", std::move(read), options_.patience);
        if (!found) co_return found.error();
        openings = std::move(*found);
    }
    if (changes->complete) {
        looks_ = 0;
        std::set<std::string_view> published;
        for (auto const& row : changes->published) published.insert(row.name);
        for (auto const& name : names())
            if (!published.contains(name)) changes->gone.push_back(name);
    }
    moment_ = changes->moment;
    take(changes->gone, std::move(openings));
    co_return base::result<void>{};
}

std::vector<flow_id> library::unknown_of(std::vector<storage::published_row> const& published
) const {
    std::vector<flow_id> unknown;
    for (auto const& row : published) {
        auto const entry = current_.find(row.name);
        if (entry == current_.end() || entry->second.id != row.id ||
            entry->second.flow.version != row.version)
            unknown.push_back(row.id);
    }
    return unknown;
}

void library::take(std::vector<std::string> const& gone, std::vector<read_opening> fresh) {
    std::set<std::string> changed; // and those that had lost something to them
    auto const note = [&](std::string const& name) {
        changed.insert(name);
        for (auto const& rival : starts_.rivalled_with(name)) changed.insert(rival.flow);
    };
    bool changes = !fresh.empty();
    for (auto const& name : gone)
        if (current_.contains(name)) {
            changes = true;
            note(name);
            remove(name);
        }
    for (auto& opening : fresh) {
        note(opening.of.name);
        put(std::move(opening));
    }
    if (!changes) return;
    tell_rivals_of(changed);
    base::log::info("flow.current", {{"flows", current_.size()}});
}

void library::put(read_opening opening) {
    auto const& [id, name, version] = opening.of;
    // A name that comes (back) may be another flow's.
    auto const current_entry = current_.find(name);
    if (current_entry != current_.end() && current_entry->second.id == id)
        starts_.remove(name);
    else
        remove(name);
    entry fresh{id, {version, nullptr}};
    if (auto* flow = std::get_if<definition>(&opening.document)) {
        flow->name = name; // what it is found by
        fresh.flow.opening = std::make_shared<definition const>(std::move(*flow));
        starts_.add(version, *fresh.flow.opening, types_);
    } else {
        base::log::warn(
            "flow.not_understood",
            {{"flow", name},
             {"version", version},
             {"problem", first_of(std::get<std::vector<problem>>(opening.document))}}
        );
    }
    current_.insert_or_assign(name, std::move(fresh));
}

void library::remove(std::string const& name) {
    for (auto at = places_.lower_bound({name, 0}); at != places_.end() && at->first.first == name;)
        drop((at++)->second);
    starts_.remove(name);
    current_.erase(name);
}

// Of a few by themselves; at the first look all is new.
void library::tell_rivals_of(std::set<std::string> const& changed) const {
    std::vector<rivalled_trigger> rivalled;
    if (changed.size() > few) {
        rivalled = starts_.rivalled();
    } else {
        for (auto const& name : changed)
            for (auto& rival : starts_.rivalled_with(name))
                if (rival.flow == name || !changed.contains(rival.flow))
                    rivalled.push_back(std::move(rival));
    }
    for (auto const& rival : rivalled)
        base::log::warn(
            "flow.trigger_rivalled",
            {{"flow", rival.flow}, {"node", rival.node}, {"winner", rival.winner.flow}}
        );
}

std::shared_ptr<graph const> library::kept(key const& graph_key) {
    auto const place = places_.find(graph_key);
    if (place == places_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, place->second);
    return kept_.front().second;
}

void library::keep(key graph_key, std::shared_ptr<graph const> graph) {
    if (kept(graph_key)) return;
    kept_nodes_ += graph->nodes().size();
    kept_.emplace_front(graph_key, std::move(graph));
    places_.emplace(std::move(graph_key), kept_.begin());
    while (kept_nodes_ > options_.kept_nodes && kept_.size() > 1) drop(std::prev(kept_.end()));
}

void library::drop(graphs::iterator position) {
    kept_nodes_ -= position->second->nodes().size();
    places_.erase(position->first);
    kept_.erase(position);
}

base::awaitable<void> library::keep_fresh() {
    base::outage outage;
    while (true) {
        told_ = false;
        auto const looked = co_await refresh();
        auto const now = base::system_clock().steady();
        if (!looked && outage.failed(now, storage::tolerated(looked.error())))
            base::log::warn("flow.not_refreshed", {{"error", looked.error()}});
        if (auto const lasted = looked ? outage.over(now) : std::nullopt)
            base::log::info("flow.refreshed", {{"after", *lasted}});
        if (!told_) co_await wake_.wait_for(options_.look);
    }
}

void library::changed() {
    told_ = true;
    wake_.notify();
}

} // namespace postrider::agent::flow
