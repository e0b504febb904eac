#include "tests/support/free_port.hpp"

#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace postrider::tests {

namespace {

constexpr int lowest = 15'000;
constexpr int count = 15'000;

// An abstract name of unix(7), which the kernel forgets when this process ends. It stays open for that.
bool reserve(int port) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    auto const text = "postrider-test-port-" + std::to_string(port);
    std::memcpy(name.sun_path + 1, text.data(), text.size());
    auto const size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    auto const fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, reinterpret_cast<sockaddr*>(&name), size) == 0) return true;
    if (fd >= 0) close(fd);
    return false;
}

// As far as programs other than tests are concerned.
bool is_free(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto const fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto const bound =
        fd >= 0 && bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    if (fd >= 0) close(fd);
    return bound;
}

} // namespace

int free_port() {
    std::random_device random;
    auto const offset = static_cast<int>(random() % count);
    for (int i = 0; i < count; ++i) {
        auto const port = lowest + (offset + i) % count;
        if (reserve(port) && is_free(port)) return port;
    }
    throw std::runtime_error("no free port");
}

} // namespace postrider::tests
