#pragma once
// The flows that start something in this process, and the versions that executions pinned.
//
// What is current is in memory, so that an update is matched with its flow without waiting. It
// follows the database within a notice's way, and within seconds without notices. A version never
// changes, so one that was compiled is kept: the current ones always, of others as many as fit.
//
// On the executor's thread. The database and the catalog outlive it.
#include "agent/flow/graph.hpp"
#include "agent/flow/library/triggers.hpp"
#include "base/async.hpp"
#include "storage/stores/flows.hpp"

#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace postrider::agent::flow {

struct library_options {
    std::size_t kept = 128;                             // compiled versions beside the current ones
    base::duration look = std::chrono::seconds{3};      // when no notice comes
    base::duration patience = std::chrono::seconds{10}; // for one answer of the database
};

// A published flow. A process of an older product may not know all that it is made of: then others
// run it, and this one still takes in what starts it.
struct current_flow {
    std::int64_t version = 0;
    std::shared_ptr<definition const> flow;   // null: not even its form is known here
    std::shared_ptr<flow::graph const> graph; // null: it cannot be compiled here
};

class library {
public:
    library(
        boost::asio::any_io_executor executor,
        storage::database& db,
        catalog const& types,
        library_options options = {}
    );

    // What starts from now on. Null for a flow that is unknown, was never published or is archived.
    // Good until the next suspension.
    current_flow const* current(std::string_view name) const;
    std::int64_t current_version(std::string_view name) const; // 0 = none
    std::vector<std::string> names() const;                    // of the current flows, sorted
    triggers const& starts() const noexcept { return starts_; }

    // Any version, of an archived flow too. not_found: there is none. refused: it cannot be
    // compiled here; another node may. Else as the database fails.
    base::awaitable<base::result<std::shared_ptr<graph const>>> find(
        std::string name, std::int64_t version
    );

    // Looks once: at start, before anything is taken in. A failure of the database leaves what was
    // known.
    base::awaitable<base::result<void>> refresh();
    // Looks whenever told to, and every few seconds; until cancelled.
    base::awaitable<void> keep_fresh();
    // Something was published or archived: look at once.
    void changed();

private:
    struct entry {
        flow_id id{};
        current_flow what;
    };
    using shelf = std::map<std::string, entry, std::less<>>;
    using key = std::pair<std::string, std::int64_t>;

    base::awaitable<base::result<void>> look();
    entry compile(storage::published_row const& row, std::string const& document) const;
    void take(shelf now);
    std::shared_ptr<graph const> kept(key const& which);
    void keep(key which, std::shared_ptr<graph const> what);

    storage::database& db_;
    catalog const& types_;
    library_options options_;
    base::signal wake_;
    shelf current_;
    triggers starts_;
    std::list<std::pair<key, std::shared_ptr<graph const>>> kept_; // the last asked for in front
    bool looking_ = false;
    bool told_ = false; // while it looks or before it waits
};

} // namespace postrider::agent::flow
