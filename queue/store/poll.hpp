#pragma once
// What a node reads again and again: due times, gates, whatever else registers a statement. All of
// it is one transaction, so that a server with nothing to do hardly asks Postgres at all. A
// safety net: what happens on this node, or is told by a notice, does not wait for it.
#include "base/async.hpp"
#include "base/outage.hpp"
#include "storage/batcher.hpp"

#include <functional>
#include <string>
#include <vector>

namespace postrider::queue {

class poll {
public:
    using handler = std::function<void(storage::rows const&)>;

    // `interval` is asked anew for every pause. The batcher outlives the poll.
    poll(
        boost::asio::any_io_executor executor,
        storage::batcher& quick,
        base::clock& clock,
        std::function<base::duration()> interval
    );

    // Before run(). $1 of the statement is an array with this row; column 0 is the batcher's "i".
    void add(storage::statement const& statement, std::string row, handler take);
    // The same with a row that is asked for each time.
    void add_changing(
        storage::statement const& statement, std::function<std::string()> row, handler take
    );

    // The loop, until cancelled. What failed is logged and tried again.
    base::awaitable<void> run();
    // Reads at once.
    void now();
    // The interval may have become shorter.
    void interval_changed() { wake_.notify(); }

private:
    base::awaitable<void> read();

    storage::batcher& quick_;
    base::clock& clock_;
    std::function<base::duration()> interval_;
    std::vector<storage::write> writes_;
    std::vector<std::function<std::string()>> rows_; // empty where the row never changes
    std::vector<handler> handlers_;
    base::signal wake_;
    bool asked_ = false; // to read at once
    base::outage outage_;
};

} // namespace postrider::queue
