#include "server/api/stream_access.hpp"

#include "base/async.hpp"
#include "server/api/database_bounds.hpp"
#include "storage/query.hpp"
#include "storage/stores/console.hpp"

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

struct stream_access::watched_access {
    watched_access(storage::batcher& reads, std::string hash, bool of_session)
        : reads(reads),
          sha256(std::move(hash)),
          is_session(of_session) {}

    // Reads the row, unless that was done just now.
    base::awaitable<void> look() {
        if (looked_at && now() - *looked_at < pace / 2) co_return;
        auto const start = now();
        looked_at = start;
        auto request =
            is_session ? storage::find_console_session(sha256) : storage::find_token(sha256);
        auto const rows = co_await storage::query(reads, std::move(request), database_waits.token);
        if (!rows) co_return;
        row = rows->empty() ? std::nullopt : std::optional(holder_in(rows->front()));
        read_at = start;
    }

    bool counts_for(caller const& caller) const {
        return row && !row->over && row->role == caller.role && row->user == caller.user;
    }

    // Rows that were read before the stream began say nothing about it.
    static base::awaitable<void> until_over(std::shared_ptr<watched_access> access, caller caller) {
        auto const start = now();
        do {
            co_await base::sleep_for(pace);
            co_await access->look();
        } while (access->read_at < start || access->counts_for(caller));
    }

    struct holder {
        storage::token_role role = storage::token_role::reader;
        user_id user{};
        bool over = false;
    };
    holder holder_in(storage::row const& found) const {
        if (is_session) {
            auto const session = storage::read_console_session(found);
            return {session.role, session.user, session.over};
        }
        auto const token = storage::read_token(found);
        return {token.role, token.user, token.revoked || token.expired};
    }

    storage::batcher& reads;
    std::string sha256;
    bool is_session;
    std::optional<base::steady_time> looked_at;
    std::optional<base::steady_time> read_at; // when the row was asked for; none sorts first
    std::optional<holder> row;
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
    if (caller.is_configured_owner()) return stream;
    std::erase_if(watched_, [](auto const& entry) { return entry.second.expired(); });
    access_key const key{caller.token, caller.session};
    auto access = watched_[key].lock();
    if (!access) {
        bool const of_session = caller.session != console_session_id{};
        access = std::make_shared<watched_access>(reads_, std::move(sha256), of_session);
        watched_[key] = access;
    }
    auto const produce = std::make_shared<producer const>(std::move(stream.produce));
    stream.produce = [produce, access, caller](net::body_writer& writer) {
        return produce_until(produce, watched_access::until_over(access, caller), writer);
    };
    return stream;
}

} // namespace postrider::api
