#pragma once
// What is said between us and a Redis server (RESP2), written and read by hiredis. Pure.
//
// A server may send anything: a reply has at most most_redis_bytes, lists of at most most_redis_items, and
// a few levels of them. https://redis.io/docs/latest/develop/reference/protocol-spec/
#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::net {

inline constexpr std::size_t most_redis_bytes = std::size_t{64} * 1024 * 1024;
inline constexpr std::size_t most_redis_items = 100'000; // of one list

// The command's name and its arguments, of any bytes.
using redis_command = std::vector<std::string>;

struct redis_reply {
    enum class kind { text, number, list, nothing, failure };
    redis_reply::kind kind = redis_reply::kind::nothing;
    std::string text = {}; // also a failure's
    std::int64_t number = 0;
    std::vector<redis_reply> items = {}; // of a list
};

std::string redis_bytes(redis_command const& command);

// What a failure means, by its first word. Its own words do not come along: they may quote what was sent.
base::error redis_failure(std::string_view words);

class redis_reader {
public:
    redis_reader();
    ~redis_reader();
    redis_reader(redis_reader&&) noexcept;

    // The next reply of what was read so far; none: more is to come. invalid, too_large: nothing more can
    // be read from this server.
    base::result<std::optional<redis_reply>> next();
    void feed(std::string_view bytes);

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace postrider::net
