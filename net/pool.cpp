#include "net/pool.hpp"

#include "net/forwarded.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

namespace postrider::net {

namespace asio = boost::asio;
using base::awaitable;
using base::errc;
using base::error;

// Served in order: only the first in line may take what becomes free.
struct pool::queue_position {
    explicit queue_position(pool& pool)
        : all(pool),
          entry(pool.waiting_.emplace(pool.waiting_.end(), pool.executor_)) {}
    queue_position(queue_position const&) = delete;
    queue_position& operator=(queue_position const&) = delete;
    ~queue_position() {
        all.waiting_.erase(entry);
        all.wake_first();
    }

    bool first() const { return entry == all.waiting_.begin(); }

    pool& all;
    std::list<base::signal>::iterator entry;
};

// One of the limited connections, while it is being connected.
struct pool::slot {
    explicit slot(pool& pool) : all(pool) { ++all.open_; }
    slot(slot const&) = delete;
    slot& operator=(slot const&) = delete;
    ~slot() {
        if (used) return;
        --all.open_;
        all.wake_first();
    }

    pool& all;
    bool used = false;
};

pool::pool(
    boost::asio::any_io_executor executor,
    origin to,
    http_client_options const& options,
    tls_trust& trust,
    resolver& names
)
    : executor_(executor),
      to_(std::move(to)),
      limit_(options.connections_per_origin),
      keep_alive_(options.keep_alive),
      egress_(options.egress),
      trust_(trust),
      names_(names),
      closing_(std::move(executor)) {}

pool::lease::lease(pool& pool, std::unique_ptr<connection> line, bool reused)
    : from_(&pool),
      line_(std::move(line)),
      reused_(reused) {
    from_->leased_.insert(line_.get());
}

pool::lease::~lease() {
    if (!line_) return;
    from_->leased_.erase(line_.get());
    --from_->open_;
    from_->wake_first();
}

void pool::lease::give_back() {
    if (from_->closed_) return;
    from_->leased_.erase(line_.get());
    line_->rest();
    from_->idle_.push_back({std::move(line_), base::system_clock().steady()});
    from_->wake_first();
}

awaitable<base::result<pool::lease>> pool::acquire(
    kind wanted_kind, base::duration connect_limit, base::steady_time deadline
) {
    {
        std::optional<queue_position> place;
        for (;;) {
            if (closed_) co_return error(errc::cancelled, "the client is closed");
            if (place ? place->first() : waiting_.empty()) {
                if (wanted_kind == kind::fresh && open_ >= limit_ && has_idle()) drop(1);
                auto line = wanted_kind == kind::any ? take_idle() : nullptr;
                if (line) co_return lease{*this, std::move(line), true};
                if (open_ < limit_) break;
            }
            auto const left = deadline - base::system_clock().steady();
            if (left <= base::duration::zero())
                co_return error(errc::timeout, "no connection became free in time");
            if (!place) place.emplace(*this);
            co_await place->entry->wait_for(left);
        }
    }
    slot reserved{*this};

    auto const by = std::min(deadline, base::system_clock().steady() + connect_limit);
    std::optional<base::result<std::unique_ptr<connection>>> opened;
    co_await until_closing(open(by, opened));
    if (closed_) co_return error(errc::cancelled, "the client is closed");
    if (!*opened) co_return opened->error();
    reserved.used = true;
    co_return lease{*this, std::move(**opened), false};
}

awaitable<void> pool::open(
    base::steady_time deadline, std::optional<base::result<std::unique_ptr<connection>>>& opened
) {
    if (!to_.unix_path.empty()) {
        if (egress_)
            opened = error(errc::refused, "no Unix socket may be reached");
        else
            opened = co_await connect_local(to_.unix_path, deadline);
        co_return;
    }
    auto addresses = co_await names_.resolve(to_.host, to_.port, deadline);
    if (addresses) addresses = admitted(std::move(*addresses));
    if (!addresses)
        opened = addresses.error();
    else
        opened = co_await connect(trust_, to_, std::move(*addresses), deadline);
}

base::result<endpoints> pool::admitted(endpoints addresses) const {
    if (!egress_) return addresses;
    std::erase_if(addresses, [this](auto const& each) {
        return !egress_(unmapped(each.address()));
    });
    if (addresses.empty()) return error(errc::refused, "no address of the host may be reached");
    return addresses;
}

// Cancels the work when the pool is closed.
awaitable<void> pool::until_closing(awaitable<void> work) {
    auto [order, failure, ignored] =
        co_await asio::experimental::make_parallel_group(
            asio::co_spawn(executor_, std::move(work), asio::deferred),
            asio::co_spawn(executor_, closing_.wait(), asio::deferred)
        )
            .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    if (failure && !closed_) std::rethrow_exception(failure);
}

std::unique_ptr<connection> pool::take_idle() {
    sweep();
    while (has_idle()) {
        auto line = std::move(idle_.back().line);
        idle_.pop_back();
        if (line->quiet()) return line;
        --open_;
    }
    return nullptr;
}

void pool::sweep() {
    auto const oldest = base::system_clock().steady() - keep_alive_;
    auto const fresh = std::ranges::find_if(idle_, [&](auto const& r) { return r.since > oldest; });
    drop(static_cast<std::size_t>(fresh - idle_.begin()));
}

void pool::close() {
    closed_ = true;
    drop(idle_.size());
    for (auto each : leased_) each->close();
    closing_.notify();
    for (auto& each : waiting_) each.notify();
}

// The ones that have been idle for longest.
void pool::drop(std::size_t count) {
    idle_.erase(idle_.begin(), idle_.begin() + static_cast<std::ptrdiff_t>(count));
    open_ -= count;
}

void pool::wake_first() {
    if (!waiting_.empty()) waiting_.front().notify();
}

} // namespace postrider::net
