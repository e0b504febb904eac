#include "agent/flow/library/library.hpp"

#include "base/log.hpp"
#include "base/outage.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

// What the database has, and the documents of what is not in memory.
struct reading {
    std::vector<storage::published_row> rows;
    std::map<std::string, std::string, std::less<>> documents; // by flow
};

std::string first_of(std::vector<problem> const& problems) {
    return problems.empty() ? "" : to_text(problems.front());
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
      wake_(std::move(executor)) {}

current_flow const* library::current(std::string_view name) const {
    auto const found = current_.find(name);
    return found == current_.end() ? nullptr : &found->second.what;
}

std::int64_t library::current_version(std::string_view name) const {
    auto const* found = current(name);
    return found ? found->version : 0;
}

std::vector<std::string> library::names() const {
    std::vector<std::string> all;
    for (auto const& each : current_) all.push_back(each.first);
    return all;
}

base::awaitable<base::result<std::shared_ptr<graph const>>> library::find(
    std::string name, std::int64_t version
) {
    if (auto const* here = current(name); here && here->version == version && here->graph)
        co_return here->graph;
    if (auto found = kept({name, version})) co_return found;

    auto document = std::make_shared<std::optional<std::string>>();
    auto work = [document, name, version](storage::transaction& tx) {
        *document = storage::read_version(tx, name, version);
    };
    auto read = co_await db_.run("flows.find_version", std::move(work), options_.patience);
    if (!read) co_return read.error();
    auto const which = name + " v" + std::to_string(version);
    if (!*document) co_return base::error(base::errc::not_found, "there is no flow " + which);
    auto form = read_definition(**document);
    if (auto const* problems = std::get_if<std::vector<problem>>(&form))
        co_return base::error(base::errc::refused, which + ": " + first_of(*problems));
    auto made = graph::compile(std::get<definition>(std::move(form)), types_);
    if (auto const* problems = std::get_if<std::vector<problem>>(&made))
        co_return base::error(base::errc::refused, which + ": " + first_of(*problems));
    auto found = std::get<std::shared_ptr<graph const>>(std::move(made));
    keep({name, version}, found);
    co_return found;
}

base::awaitable<base::result<void>> library::refresh() {
    // One look at a time: of two, the older answer may come last.
    told_ = true;
    if (looking_) co_return base::result<void>{};
    looking_ = true;
    auto const over = [this](void*) { looking_ = false; };
    std::unique_ptr<void, decltype(over)> const until_here(this, over);
    base::result<void> done;
    while (std::exchange(told_, false) && done) done = co_await look();
    co_return done;
}

base::awaitable<base::result<void>> library::look() {
    auto found = std::make_shared<reading>();
    std::map<std::string, std::pair<flow_id, std::int64_t>, std::less<>> here;
    for (auto const& [name, each] : current_)
        here.emplace(name, std::pair(each.id, each.what.version));
    auto work = [found, here](storage::transaction& tx) {
        *found = {storage::list_published(tx), {}};
        for (auto const& row : found->rows) {
            auto const mine = here.find(row.name);
            if (mine != here.end() && mine->second == std::pair(row.id, row.version)) continue;
            if (auto text = storage::read_version(tx, row.name, row.version))
                found->documents.emplace(row.name, std::move(*text));
        }
    };
    auto read = co_await db_.run("flows.look", std::move(work), options_.patience);
    if (!read) co_return read.error();
    shelf now;
    for (auto const& row : found->rows) {
        auto const document = found->documents.find(row.name);
        if (document != found->documents.end())
            now.emplace(row.name, compile(row, document->second));
        else if (auto mine = current_.find(row.name); mine != current_.end())
            now.emplace(row.name, mine->second);
    }
    take(std::move(now));
    co_return base::result<void>{};
}

library::entry library::compile(storage::published_row const& row, std::string const& document)
    const {
    entry made{row.id, {row.version, nullptr, nullptr}};
    auto const not_understood = [&](std::vector<problem> const& problems) {
        base::log::warn(
            "flow.not_understood",
            {{"flow", row.name}, {"version", row.version}, {"problem", first_of(problems)}}
        );
    };
    auto form = read_definition(document);
    if (auto const* problems = std::get_if<std::vector<problem>>(&form)) {
        not_understood(*problems);
        return made;
    }
    made.what.flow = std::make_shared<definition const>(std::get<definition>(std::move(form)));
    auto graph = graph::compile(*made.what.flow, types_);
    if (auto const* problems = std::get_if<std::vector<problem>>(&graph)) {
        not_understood(*problems);
        return made;
    }
    made.what.graph = std::get<std::shared_ptr<flow::graph const>>(std::move(graph));
    made.what.flow = {made.what.graph, &made.what.graph->flow()}; // one copy is enough
    return made;
}

void library::take(shelf now) {
    auto const same = [](auto const& a, auto const& b) {
        return a.first == b.first && a.second.id == b.second.id &&
               a.second.what.version == b.second.what.version;
    };
    if (std::ranges::equal(now, current_, same)) return;
    // A name that comes (back) may be another flow's.
    for (auto const& [name, next] : now) {
        auto const before = current_.find(name);
        if (before == current_.end() || before->second.id != next.id)
            std::erase_if(kept_, [&name = name](auto const& old) {
                return old.first.first == name;
            });
    }
    for (auto const& [name, each] : current_) {
        auto const next = now.find(name);
        bool const stays = next == now.end() || next->second.id == each.id;
        if (stays && each.what.graph) keep({name, each.what.version}, each.what.graph);
    }
    current_ = std::move(now);
    starts_ = {};
    for (auto const& [name, each] : current_)
        if (each.what.flow) starts_.add(each.what.version, *each.what.flow);
    for (auto const& each : starts_.rivalled())
        base::log::warn(
            "flow.trigger_rivalled",
            {{"flow", each.flow}, {"node", each.node}, {"winner", each.winner.flow}}
        );
    base::log::info("flow.current", {{"flows", current_.size()}});
}

std::shared_ptr<graph const> library::kept(key const& which) {
    auto const found = std::ranges::find(kept_, which, &decltype(kept_)::value_type::first);
    if (found == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return found->second;
}

void library::keep(key which, std::shared_ptr<graph const> what) {
    if (kept(which)) return;
    kept_.emplace_front(std::move(which), std::move(what));
    if (kept_.size() > options_.kept) kept_.pop_back();
}

base::awaitable<void> library::keep_fresh() {
    base::outage outage;
    while (true) {
        auto const looked = co_await refresh();
        auto const now = base::system_clock().steady();
        if (!looked && outage.failed(now))
            base::log::warn("flow.not_refreshed", {{"error", looked.error()}});
        if (auto const lasted = looked ? outage.over(now) : std::nullopt)
            base::log::info("flow.refreshed", {{"after", *lasted}});
        co_await wake_.wait_for(options_.look);
    }
}

void library::changed() {
    told_ = true;
    wake_.notify();
}

} // namespace postrider::agent::flow
