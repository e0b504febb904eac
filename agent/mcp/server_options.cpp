#include "agent/mcp/server_options.hpp"

#include "agent/mcp/http_transport.hpp"
#include "agent/mcp/stdio_transport.hpp"

namespace postrider::agent::mcp {

std::unique_ptr<client> make_client(
    boost::asio::any_io_executor executor, net::http_client& http, server_options options
) {
    auto client_options = options.client;
    auto factory = [executor, &http, options = std::move(options)]() {
        if (options.command)
            return make_stdio_transport(
                executor, {.command = *options.command, .limits = options.limits}
            );
        return make_http_transport(
            executor,
            http,
            {.address = options.address, .headers = options.headers, .limits = options.limits}
        );
    };
    return std::make_unique<client>(
        std::move(executor), std::move(factory), std::move(client_options)
    );
}

} // namespace postrider::agent::mcp
