#include "agent/flow/library/library.hpp"

#include "base/log.hpp"
#include "base/outage.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

// What the database has, and how what is not in memory starts.
struct reading {
    std::vector<storage::published_row> rows;
    std::map<std::string, read_definition_result, std::less<>> openings; // by flow
};

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
    auto const found = current_.find(name);
    return found == current_.end() ? nullptr : &found->second.flow;
}

std::int64_t library::current_version(std::string_view name) const {
    auto const* found = current(name);
    return found ? found->version : 0;
}

std::vector<std::string> library::names() const {
    std::vector<std::string> all;
    for (auto const& shelved : current_) all.push_back(shelved.first);
    return all;
}

base::awaitable<base::result<std::shared_ptr<graph const>>> library::find(
    std::string name, std::int64_t version
) {
    if (auto found = kept({name, version})) co_return found;

    auto document = std::make_shared<std::optional<compiled>>();
    auto work = [document, name, version, &types = types_](storage::transaction& tx) {
        document->reset();
        if (auto const text = storage::read_version(tx, name, version))
            *document = compile(*text, types);
    };
    auto read = co_await db_.run("flows.find_version", std::move(work), options_.patience);
    if (!read) co_return read.error();
    auto const label = name + " v" + std::to_string(version);
    if (!*document) co_return base::error(base::errc::not_found, "there is no flow " + label);
    if (auto const* problems = std::get_if<std::vector<problem>>(&**document))
        co_return base::error(base::errc::refused, label + ": " + first_of(*problems));
    auto found = std::get<std::shared_ptr<graph const>>(std::move(**document));
    keep({name, version}, found);
    co_return found;
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
        auto const over = [this](void*) {
            looking_ = false;
            looked_.notify();
        };
        std::unique_ptr<void, decltype(over)> const until_here(this, over);
        auto const covered = asked_;
        auto const done = co_await look();
        if (!done) co_return done;
        seen_ = covered;
    }
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> library::look() {
    auto found = std::make_shared<reading>();
    std::map<std::string, std::pair<flow_id, std::int64_t>, std::less<>> here;
    for (auto const& [name, shelved] : current_)
        here.emplace(name, std::pair(shelved.id, shelved.flow.version));
    auto work = [found, here = std::move(here)](storage::transaction& tx) {
        *found = {storage::list_published(tx), {}};
        std::vector<flow_id> fresh;
        for (auto const& row : found->rows) {
            auto const known = here.find(row.name);
            if (known == here.end() || known->second != std::pair(row.id, row.version))
                fresh.push_back(row.id);
        }
        if (fresh.empty()) return;
        for (auto const& row : storage::list_openings(tx, fresh))
            found->openings.insert_or_assign(row.of.name, read_definition(row.document));
    };
    auto read = co_await db_.run("flows.look", std::move(work), options_.patience);
    if (!read) co_return read.error();
    shelf now;
    for (auto const& row : found->rows) {
        auto opening = found->openings.find(row.name);
        if (opening == found->openings.end()) {
            if (auto known = current_.find(row.name); known != current_.end())
                now.emplace(row.name, known->second);
            continue;
        }
        entry fresh{row.id, {row.version, nullptr}};
        if (auto* flow = std::get_if<definition>(&opening->second))
            fresh.flow.opening = std::make_shared<definition const>(std::move(*flow));
        else
            base::log::warn(
                "flow.not_understood",
                {{"flow", row.name},
                 {"version", row.version},
                 {"problem", first_of(std::get<std::vector<problem>>(opening->second))}}
            );
        now.emplace(row.name, std::move(fresh));
    }
    take(std::move(now));
    co_return base::result<void>{};
}

void library::take(shelf now) {
    auto const same = [](auto const& a, auto const& b) {
        return a.first == b.first && a.second.id == b.second.id &&
               a.second.flow.version == b.second.flow.version;
    };
    if (std::ranges::equal(now, current_, same)) return;
    // A name that comes (back) may be another flow's.
    for (auto const& [name, next] : now) {
        auto const before = current_.find(name);
        if (before != current_.end() && before->second.id == next.id) continue;
        for (auto at = places_.lower_bound({name, 0});
             at != places_.end() && at->first.first == name;)
            drop((at++)->second);
    }
    current_ = std::move(now);
    starts_ = {};
    for (auto const& [name, shelved] : current_)
        if (shelved.flow.opening) starts_.add(shelved.flow.version, *shelved.flow.opening, types_);
    for (auto const& rival : starts_.rivalled())
        base::log::warn(
            "flow.trigger_rivalled",
            {{"flow", rival.flow}, {"node", rival.node}, {"winner", rival.winner.flow}}
        );
    base::log::info("flow.current", {{"flows", current_.size()}});
}

std::shared_ptr<graph const> library::kept(key const& of) {
    auto const found = places_.find(of);
    if (found == places_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found->second);
    return kept_.front().second;
}

void library::keep(key of, std::shared_ptr<graph const> graph) {
    if (kept(of)) return;
    kept_nodes_ += graph->nodes().size();
    kept_.emplace_front(of, std::move(graph));
    places_.emplace(std::move(of), kept_.begin());
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
        if (!looked && outage.failed(now))
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
