#pragma once
// The flows that start something in this process, and the versions that executions pinned.
//
// What starts a flow is in memory, so that an update is matched with it without waiting. It follows
// the database within a notice's way, and within a second without notices; a look costs what
// changed since the one before, however many flows there are. A version is read and
// compiled when an execution asks for it, beside the loop; it never changes, so it is kept as long
// as there is room.
//
// On the executor's thread. The database and the catalog outlive it.
#include "agent/flow/library/triggers.hpp"
#include "agent/flow/validate/graph.hpp"
#include "base/async.hpp"
#include "storage/stores/flows.hpp"

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace postrider::agent::flow {

struct library_options {
    std::size_t kept_nodes = 4000; // of compiled versions; one is always kept
    base::duration look = std::chrono::milliseconds{900}; // when no notice comes
    int looks_until_complete = 256; // a standby that took over may have told of less
    base::duration patience = std::chrono::seconds{10}; // for one answer of the database
};

// A published flow. A process of an older product may not know all that it is made of: then others
// run it, and this one still takes in what starts it.
struct current_flow {
    std::int64_t version = 0;
    // Without the nodes that stand behind others. Null: not even its form is known here.
    std::shared_ptr<definition const> opening;
};

// refused: it cannot be compiled here.
base::result<std::shared_ptr<graph const>> compile_draft(
    std::string const& name, boost::json::value const& document, catalog const& types
);

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

    // What is published when it is called is in force when it returns: at start, before anything is
    // taken in, and behind what was published here. A failure of the database leaves what was known.
    base::awaitable<base::result<void>> refresh();
    // Looks whenever told to, and every few seconds; until cancelled.
    base::awaitable<void> keep_fresh();
    // Something was published or archived: look at once.
    void changed();

private:
    struct entry {
        flow_id id{};
        current_flow flow;
    };
    using key = std::pair<std::string, std::int64_t>;
    using graphs = std::list<std::pair<key, std::shared_ptr<graph const>>>;

    struct read_opening;

    base::awaitable<base::result<void>> look();
    std::vector<flow_id> unknown_of(std::vector<storage::published_row> const& published) const;
    void take(std::vector<std::string> const& gone, std::vector<read_opening> fresh);
    void put(read_opening opening);
    void remove(std::string const& name);
    void tell_rivals_of(std::set<std::string> const& changed) const;
    std::shared_ptr<graph const> kept(key const& graph_key);
    void keep(key graph_key, std::shared_ptr<graph const> graph);
    void drop(graphs::iterator position);

    storage::database& db_;
    catalog const& types_;
    library_options options_;
    base::signal wake_;
    std::map<std::string, entry, std::less<>> current_;
    std::optional<std::int64_t> moment_; // of the last look
    int looks_ = 0;                      // since the last complete one
    triggers starts_;
    graphs kept_; // the last asked for in front
    std::map<key, graphs::iterator> places_;
    std::size_t kept_nodes_ = 0;
    base::signal looked_;
    bool looking_ = false;
    bool told_ = false;       // since the last look began
    std::uint64_t asked_ = 0; // looks, so far
    std::uint64_t seen_ = 0;  // those of them that are answered
};

} // namespace postrider::agent::flow
