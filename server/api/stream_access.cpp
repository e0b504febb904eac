#include "server/api/stream_access.hpp"

#include "base/async.hpp"
#include "server/api/database_bounds.hpp"
#include "storage/query.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

namespace postrider::api {

namespace asio = base::asio;

namespace {

using namespace std::chrono_literals;

// Each stream asks at this pace. An answer that is younger than half of it is shared.
constexpr auto pace = 800ms;

base::steady_time now() {
    return base::system_clock().steady();
}

} // namespace

struct stream_access::watched_token {
    watched_token(storage::batcher& from, std::string hash)
        : reads(from),
          sha256(std::move(hash)) {}

    // Reads the row, unless that was done just now.
    base::awaitable<void> look() {
        if (looked_at && now() - *looked_at < pace / 2) co_return;
        auto const start = now();
        looked_at = start;
        auto const rows =
            co_await storage::query(reads, storage::find_token(sha256), database_waits.token);
        if (!rows) co_return;
        row = rows->empty() ? std::nullopt : std::optional(storage::read_token(rows->front()));
        read_at = start;
    }

    bool counts_for(caller const& caller) const {
        return row && !row->revoked && !row->expired && row->role == caller.role &&
               row->user == caller.user;
    }

    // Rows that were read before the stream began say nothing about it.
    static base::awaitable<void> until_over(std::shared_ptr<watched_token> token, caller caller) {
        auto const start = now();
        do {
            co_await base::sleep_for(pace);
            co_await token->look();
        } while (token->read_at < start || token->counts_for(caller));
    }

    storage::batcher& reads;
    std::string sha256;
    std::optional<base::steady_time> looked_at;
    std::optional<base::steady_time> read_at; // when the row was asked for; none sorts first
    std::optional<storage::presented_token> row;
};

namespace {

using producer = std::function<base::awaitable<void>(net::body_writer&)>;

// A cancelled producer has no failure to report.
base::awaitable<void> produce_until(
    std::shared_ptr<producer const> produce, base::awaitable<void> end, net::body_writer& writer
) {
    auto const executor = co_await asio::this_coro::executor;
    auto [order, failure, ignored] =
        co_await asio::experimental::make_parallel_group(
            asio::co_spawn(executor, (*produce)(writer), asio::deferred),
            asio::co_spawn(executor, std::move(end), asio::deferred)
        )
            .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    if (order[0] == 0 && failure) std::rethrow_exception(failure);
}

} // namespace

net::body_stream stream_access::limited(
    net::body_stream stream, caller const& caller, std::string sha256
) {
    if (caller.token == token_id{}) return stream;
    std::erase_if(watched_, [](auto const& entry) { return entry.second.expired(); });
    auto token = watched_[caller.token].lock();
    if (!token) {
        token = std::make_shared<watched_token>(reads_, std::move(sha256));
        watched_[caller.token] = token;
    }
    auto const produce = std::make_shared<producer const>(std::move(stream.produce));
    stream.produce = [produce, token, caller](net::body_writer& writer) {
        return produce_until(produce, watched_token::until_over(token, caller), writer);
    };
    return stream;
}

} // namespace postrider::api
