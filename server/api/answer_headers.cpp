#include "server/api/answer_headers.hpp"

#include <array>
#include <utility>

namespace postrider::api {

void add_protective_headers(net::http_response& answer) {
    static constexpr std::array<std::pair<char const*, char const*>, 4> headers{{
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    }};
    for (auto const& [name, value] : headers)
        if (answer.headers.count(name) == 0) answer.headers.add(name, value);
}

} // namespace postrider::api
