#include "tests/support/cutting_proxy.hpp"

#include <arpa/inet.h>
#include <array>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace postrider::tests {

namespace {

std::string socket_of(std::string const& conninfo) {
    auto const start = conninfo.find("host='");
    if (start == conninfo.npos)
        throw std::runtime_error("the proxy wants a conninfo with host='…'");
    auto const from = start + 6;
    return conninfo.substr(from, conninfo.find('\'', from) - from) + "/.s.PGSQL.5432";
}

int connect_to(std::string const& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    int const fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
        throw std::runtime_error("the proxy cannot reach " + path);
    return fd;
}

bool send_all(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        auto const n = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

std::string receive(int from) {
    std::array<char, 65536> bytes;
    auto const n = ::recv(from, bytes.data(), bytes.size(), 0);
    return n > 0 ? std::string(bytes.data(), static_cast<std::size_t>(n)) : std::string();
}

using std::string_view_literals::operator""sv;

// What comes up to the server's word that it has committed, and then its end, as it tells of it.
std::string until_committed(int server) {
    constexpr auto committed = "COMMIT\0"sv;
    constexpr auto stopped = "SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0"sv;
    std::string answer;
    while (answer.find(committed) == answer.npos) {
        auto const more = receive(server);
        if (more.empty()) return answer;
        answer += more;
    }
    answer.resize(answer.find(committed) + committed.size());
    auto const size = static_cast<char>(stopped.size() + 4);
    return answer.append({'E', 0, 0, 0, size}).append(stopped);
}

} // namespace

cutting_proxy::cutting_proxy(std::string server)
    : server_(std::move(server)),
      socket_(socket_of(server_)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        throw std::runtime_error("the proxy cannot listen");
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
}

cutting_proxy::~cutting_proxy() {
    closing_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    cut_all();
    for (auto& carrier : carriers_) carrier.join();
    ::close(listener_);
}

std::string cutting_proxy::url() const {
    return "host=127.0.0.1 sslmode=disable gssencmode=disable port=" + std::to_string(port_) +
           server_.substr(server_.find(" user="));
}

void cutting_proxy::cut(std::string text, moment when) {
    std::lock_guard lock{mutex_};
    cut_text_ = std::move(text);
    cut_when_ = when;
    was_cut_ = false;
}

bool cutting_proxy::was_cut() const {
    std::lock_guard lock{mutex_};
    return was_cut_;
}

int cutting_proxy::seen(std::string const& text) {
    std::lock_guard lock{mutex_};
    for (auto const& awaited : watches_)
        if (awaited.text == text) return awaited.seen;
    watches_.push_back({text});
    return 0;
}

void cutting_proxy::cut_all() {
    std::lock_guard lock{mutex_};
    for (int fd : open_) ::shutdown(fd, SHUT_RDWR);
}

void cutting_proxy::accept_all() {
    while (!closing_) {
        int const client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) continue;
        std::lock_guard lock{mutex_};
        open_.push_back(client);
        carriers_.emplace_back([this, client] { carry(client); });
    }
}

void cutting_proxy::carry(int client) {
    int const server = connect_to(socket_);
    bool going = true;
    while (going) {
        std::array<pollfd, 2> ends{{{client, POLLIN, 0}, {server, POLLIN, 0}}};
        ::poll(ends.data(), ends.size(), -1);
        if (ends[0].revents)
            going = carry_to_server(client, server);
        else if (ends[1].revents) {
            auto const answer = receive(server);
            going = !answer.empty() && send_all(client, answer);
        }
    }
    std::lock_guard lock{mutex_};
    std::erase(open_, client);
    ::close(client);
    ::close(server);
}

// False when the connection is to end here.
bool cutting_proxy::carry_to_server(int client, int server) {
    auto const message = receive(client);
    if (message.empty()) return false;
    bool cut_now = false;
    moment when;
    {
        std::lock_guard lock{mutex_};
        for (auto& awaited : watches_) awaited.seen += message.find(awaited.text) != message.npos;
        when = cut_when_;
        if (!cut_text_.empty() && message.find(cut_text_) != message.npos) {
            cut_text_.clear();
            cut_now = was_cut_ = true;
        }
    }
    if (cut_now && when == moment::before) return false;
    if (!send_all(server, message)) return false;
    if (!cut_now) return true;
    if (when == moment::confirmed)
        send_all(client, until_committed(server));
    else
        receive(server);
    return false;
}

} // namespace postrider::tests
