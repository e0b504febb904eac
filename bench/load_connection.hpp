#pragma once
// One keep-alive connection that costs the load driver next to nothing: requests are given as
// bytes, of the answer status, head and body are kept as they came. The peer is the product or nobody: an answer
// that it never writes (chunks, no length) is a std::runtime_error, a broken connection a
// boost::system::system_error. No deadline of its own: the driver's whole run has one.
#include "base/async.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <string_view>

namespace postrider::bench {

class load_connection {
public:
    // Connects. address: "127.0.0.1:8080".
    static base::awaitable<load_connection> open(std::string address);

    struct answer {
        int status = 0;
        std::string head;
        std::string body;

        // As the product writes its name; "" = there is none.
        std::string field(std::string_view name) const;
    };
    // The request must stay alive until the answer is there.
    base::awaitable<answer> exchange(std::string_view request);

private:
    explicit load_connection(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}

    boost::asio::ip::tcp::socket socket_;
    std::string read_; // what has come and belongs to no answer yet
};

} // namespace postrider::bench
