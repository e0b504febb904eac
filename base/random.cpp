#include "base/random.hpp"

#include "base/hex.hpp"

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <array>
#include <cerrno>
#include <limits>
#include <sys/random.h>
#include <system_error>

namespace postrider::base {

namespace {

// What Boost.UUID draws from.
struct octets {
    using result_type = std::uint32_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() {
        result_type drawn = 0;
        random.fill(std::as_writable_bytes(std::span{&drawn, 1}));
        return drawn;
    }

    random_source& random;
};

class kernel_random final : public random_source {
public:
    void fill(std::span<std::byte> bytes) override {
        while (!bytes.empty()) {
            auto n = getrandom(bytes.data(), bytes.size(), 0);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) throw std::system_error(errno, std::generic_category(), "getrandom");
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        }
    }
};

} // namespace

random_source& system_random() {
    static kernel_random instance;
    return instance;
}

std::uint64_t uint64(random_source& random) {
    std::uint64_t value = 0;
    random.fill(std::as_writable_bytes(std::span{&value, 1}));
    return value;
}

double uniform(random_source& random) {
    // 53 bits: every value is exact in a double, and 1.0 never comes out.
    return static_cast<double>(uint64(random) >> 11) * 0x1.0p-53;
}

std::string nanoid(random_source& random) {
    constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    std::array<std::byte, 21> bytes;
    random.fill(bytes);
    std::string id;
    id.reserve(bytes.size());
    for (auto b : bytes) id += alphabet[std::to_integer<unsigned>(b) & 63];
    return id;
}

std::string uuid4(random_source& random) {
    octets generator{random};
    return boost::uuids::to_string(boost::uuids::basic_random_generator(generator)());
}

std::string hex_token(random_source& random, std::size_t n) {
    std::string bytes(n, '\0');
    random.fill(std::as_writable_bytes(std::span{bytes}));
    return to_hex(bytes);
}

} // namespace postrider::base
