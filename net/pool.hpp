#pragma once
// Connections to one origin: reused last in, first out, so that a lull lets the rest grow old and
// be dropped. Never more than the limit are open; callers beyond it wait in order. On the
// executor's one thread. Outlives its leases and the calls of acquire().
#include "base/async.hpp"
#include "net/connection.hpp"
#include "net/http_client.hpp"

#include <list>
#include <memory>
#include <optional>
#include <set>

namespace postrider::net {

class pool {
public:
    pool(
        boost::asio::any_io_executor executor,
        origin to,
        http_client_options const& options,
        tls_trust& trust,
        resolver& names
    );
    pool(pool const&) = delete;
    pool& operator=(pool const&) = delete;

    // A connection for one exchange: closed at the end, unless it was given back.
    class lease {
    public:
        lease() = default; // none
        lease(pool& pool, std::unique_ptr<connection> line, bool reused);
        lease(lease&&) noexcept = default;
        lease& operator=(lease&&) = delete;
        ~lease();

        connection* operator->() const noexcept { return line_.get(); }
        // Has served another exchange before.
        bool reused() const noexcept { return reused_; }
        // The exchange is complete and the connection may serve another.
        void give_back();

    private:
        pool* from_ = nullptr;
        std::unique_ptr<connection> line_; // none: moved from or given back
        bool reused_ = false;
    };

    enum class kind { any, fresh };
    // timeout, unavailable, or cancelled by close(): certainly nothing was written.
    base::awaitable<base::result<lease>> acquire(
        kind wanted_kind, base::duration connect_limit, base::steady_time deadline
    );

    // Drops what has been idle for too long.
    void sweep();
    // Closes every connection; running exchanges and calls of acquire() end.
    void close();

    origin const& to() const noexcept { return to_; }
    bool has_idle() const noexcept { return !idle_.empty(); }
    // No connection is open or being opened, and nobody waits for one.
    bool unused() const noexcept { return open_ == 0 && waiting_.empty(); }
    bool closed() const noexcept { return closed_; }

private:
    struct resting {
        std::unique_ptr<connection> line;
        base::steady_time since;
    };
    struct queue_position;
    struct slot;

    base::awaitable<void> open(
        base::steady_time deadline, std::optional<base::result<std::unique_ptr<connection>>>& opened
    );
    base::result<endpoints> admitted(endpoints addresses) const;
    base::awaitable<void> until_closing(base::awaitable<void> work);
    std::unique_ptr<connection> take_idle();
    void drop(std::size_t count);
    void wake_first();

    boost::asio::any_io_executor executor_;
    origin const to_;
    std::size_t const limit_;
    base::duration const keep_alive_;
    address_filter const egress_;
    tls_trust& trust_;
    resolver& names_;
    std::vector<resting> idle_; // the most recent last
    std::set<connection*> leased_;
    std::size_t open_ = 0; // idle, leased and being connected
    std::list<base::signal> waiting_;
    base::signal closing_;
    bool closed_ = false;
};

} // namespace postrider::net
