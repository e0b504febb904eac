#pragma once
// Where requests wait for what an execution makes, on whichever node of the cluster it runs: the
// row that tells is looked at several times a second. So many may wait at once, and none of them
// when the server stops. On the loop's thread; outlives whoever waits in it.
#include "base/clock.hpp"
#include "net/http.hpp"
#include "storage/database.hpp"

#include <functional>
#include <optional>

namespace postrider::server {

class reply_waiters {
public:
    explicit reply_waiters(storage::database& db, int most = 100) : db_(db), most_(most) {}

    // The answer, once `read` makes one of the query's first row. Nothing: none was there in time,
    // or there is no room.
    base::awaitable<std::optional<net::http_response>> wait(
        storage::statement look,
        std::vector<storage::param> arguments,
        std::function<std::optional<net::http_response>(storage::row const&)> read,
        base::duration patience
    );

    // From now on nobody is kept.
    void close() noexcept { closed_ = true; }

private:
    storage::database& db_;
    int most_;
    int waiting_ = 0;
    bool closed_ = false;
};

} // namespace postrider::server
