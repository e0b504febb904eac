#pragma once
// Keep-alive connections that post one request after the other, as fast as they are answered. Prints
//   accepted, refused, accepted_per_s, accept_{p50,p99,max}_ms.
#include "base/async.hpp"
#include "bench/load_connection.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::bench {

// What one connection posts, or several.
class post_source {
public:
    virtual ~post_source() = default;
    virtual std::string next() = 0; // a whole HTTP/1.1 request
    virtual bool accepts(load_connection::answer const& answer) = 0;
};

// A whole request with a JSON body. fields: further lines of the head, each with its line's end.
std::string post(
    std::string_view path,
    std::string_view token,
    std::string_view body,
    std::string_view fields = {}
);

// A connection for each of the sources, which together post that many requests. A std::runtime_error
// when a connection broke.
base::awaitable<void> post_all(
    std::string server, std::vector<std::shared_ptr<post_source>> sources, std::uint64_t requests
);

} // namespace postrider::bench
