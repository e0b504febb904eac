#pragma once
// What a node asks of the buckets in Postgres: tokens of a rate, and whether to try a resource that
// has failed.
//
// Guarantees: one question about a resource is under way at a time, and none waits for a row that
// another session has locked; it is put again for a second, with pauses. So a bucket that somebody
// holds costs the connection, which claims and the poll share, next to nothing. Callers that waited
// behind a question that failed share its failure. On the executor's one thread.
#include "base/async.hpp"
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace postrider::queue {

class bucket_asks {
public:
    // The batcher outlives the questions.
    bucket_asks(boost::asio::any_io_executor executor, storage::batcher& quick, base::clock& clock);

    // The one row that the statement returns; its column 1 is false while the bucket is locked. No
    // row where `needless`, which is called once no other question is under way, says so. conflict:
    // it was locked all the time. Else as batcher::commit().
    base::awaitable<base::result<storage::rows>> ask(
        std::string resource,
        storage::statement const& question,
        boost::json::object row,
        std::function<bool()> needless
    );

private:
    // Of one resource.
    struct line {
        bool taken = false;
        std::uint64_t failures = 0;
        base::error failure;
    };
    class line_hold;

    base::awaitable<base::result<storage::rows>> put(
        storage::statement const& question, boost::json::object const& row
    );

    storage::batcher& quick_;
    base::clock& clock_;
    std::map<std::string, line> lines_; // never removed
    base::signal freed_;
};

} // namespace postrider::queue
