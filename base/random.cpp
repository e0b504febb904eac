#include "base/random.hpp"

#include "base/hex.hpp"

#include <array>
#include <cerrno>
#include <sys/random.h>
#include <system_error>

namespace postrider::base {

namespace {

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
    std::array<std::byte, 16> bytes;
    random.fill(bytes);
    bytes[6] = (bytes[6] & std::byte{0x0f}) | std::byte{0x40};
    bytes[8] = (bytes[8] & std::byte{0x3f}) | std::byte{0x80};
    auto text = to_hex(bytes);
    for (auto position : {8, 13, 18, 23}) text.insert(static_cast<std::size_t>(position), 1, '-');
    return text;
}

std::string hex_token(random_source& random, std::size_t n) {
    std::string bytes(n, '\0');
    random.fill(std::as_writable_bytes(std::span{bytes}));
    return to_hex(bytes);
}

} // namespace postrider::base
