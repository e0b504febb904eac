#pragma once
// The pools of a client by origin. An origin that nobody uses any more costs nothing: models and
// pages choose them, and there is no end of names. On the executor's one thread.
#include "net/pool.hpp"

#include <map>

namespace postrider::net {

class pool_set {
public:
    // All are kept, and outlive it.
    pool_set(
        boost::asio::any_io_executor executor,
        http_client_options const& options,
        tls_trust& trust,
        resolver& names
    )
        : executor_(std::move(executor)),
          options_(options),
          trust_(trust),
          names_(names) {}

    // invalid: no origin. The pool is there as long as a lease or a call of acquire(), and until the
    // next sweep.
    base::result<pool*> find(std::string const& origin);
    // Closes what has been idle for too long, and drops the pools that are unused.
    void sweep();
    void close();

    std::size_t size() const noexcept { return pools_.size(); }

private:
    boost::asio::any_io_executor executor_;
    http_client_options const& options_;
    tls_trust& trust_;
    resolver& names_;
    std::map<std::string, pool, std::less<>> pools_;
};

} // namespace postrider::net
