#pragma once
// What the TLS connections of a client trust, by TLS 1.2 or newer: the system's certificates, and
// those of a file when it is named. On the executor's one thread.
#include "base/async.hpp"
#include "base/clock.hpp"

#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <string>
#include <thread>

namespace postrider::net {

class tls_trust {
public:
    // Throws boost::system::system_error when the file cannot be read.
    tls_trust(boost::asio::any_io_executor executor, std::string const& ca_file);

    // The first call has the system's certificates read, beside the loop (system_certificates.hpp):
    // a client that asks nobody by TLS does without. Lives as long as this. Null: they were not
    // read by the deadline.
    base::awaitable<boost::asio::ssl::context*> context(base::steady_time deadline);

private:
    // The reader's end may come to the loop when nobody is left.
    struct reading {
        explicit reading(boost::asio::any_io_executor executor) : ended(std::move(executor)) {}

        base::signal ended;
        bool has_ended = false;
    };

    void begin_reading();

    boost::asio::any_io_executor executor_;
    boost::asio::ssl::context context_;
    bool is_complete_;
    std::shared_ptr<reading> reading_;
    std::jthread reader_;
};

} // namespace postrider::net
