#pragma once
// The flows that start something in this process, and the versions that executions pinned.
//
// What is current is in memory, so that an update is matched with its flow without waiting. It
// follows the database within a notice's way, and within seconds without notices. A version never
// changes, so one that was compiled is kept: the current ones always, as many others as fit.
//
// On the loop's thread. The database and the catalog outlive it.
#include "agent/flow/graph.hpp"
#include "agent/flow/triggers.hpp"
#include "base/async.hpp"
#include "storage/stores/flows.hpp"

#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace postrider::agent::flow {

struct library_options {
    std::size_t kept = 128;                             // compiled versions beside the current ones
    base::duration look = std::chrono::seconds{3};      // without a notice
    base::duration patience = std::chrono::seconds{10}; // for one answer of the database
};

// A published flow. A process of an older product may not know all of its node types: then others
// run it, and this one still says what its triggers take.
struct current_flow {
    std::int64_t version = 0;
    std::shared_ptr<graph const> graph; // null: it cannot be compiled here
};

class library {
public:
    library(
        boost::asio::any_io_executor executor,
        storage::database& db,
        catalog const& types,
        library_options options = {}
    );

    // The version that starts from now on; nothing for a flow that is unknown, never published or
    // archived.
    std::optional<current_flow> current(std::string_view name) const;
    // 0 = none.
    std::int64_t current_version(std::string_view name) const;
    // Any version, of an archived flow too. not_found: there is none. refused: this process cannot
    // compile it, a newer one may. Else as the database fails.
    base::awaitable<base::result<std::shared_ptr<graph const>>> find(
        std::string name, std::int64_t version
    );

    // What starts the current flows.
    triggers const& starts() const noexcept { return starts_; }
    std::vector<std::string> names() const; // of the current flows, sorted

    // Looks once: at start, before anything is taken in. Fails as the database does, and keeps what
    // it knew.
    base::awaitable<base::result<void>> refresh();
    // Looks whenever told to, and every few seconds; until cancelled.
    base::awaitable<void> keep_fresh();
    // Something was published or archived: look at once.
    void changed();

private:
    struct entry {
        flow_id id{};
        std::int64_t version = 0;
        std::shared_ptr<definition const> flow; // null: not even its form can be read here
        std::shared_ptr<graph const> graph;
    };
    struct reading;
    using key = std::pair<std::string, std::int64_t>;

    entry compile(storage::published_row const& row, std::string const& document) const;
    void take(reading found);
    void keep(key which, std::shared_ptr<graph const> what);
    void forget(std::string_view name);

    storage::database& db_;
    catalog const& types_;
    library_options options_;
    base::signal wake_;
    std::map<std::string, entry, std::less<>> current_;
    triggers starts_;
    // Others, the one that was asked for last in front.
    std::list<std::pair<key, std::shared_ptr<graph const>>> kept_;
    bool told_ = false;
};

} // namespace postrider::agent::flow
