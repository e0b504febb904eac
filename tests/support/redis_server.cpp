#include "tests/support/redis_server.hpp"

#include "tests/support/free_port.hpp"

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace postrider::tests {

namespace {

constexpr char const* redis_program = "/usr/bin/redis-server";
constexpr std::chrono::seconds redis_start_limit{30};
constexpr std::chrono::milliseconds redis_look_pause{10};

std::filesystem::path new_redis_folder() {
    auto pattern = (std::filesystem::temp_directory_path() / "postrider-redis-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no folder for Redis");
    return pattern;
}

} // namespace

bool has_redis_server() {
    return access(redis_program, X_OK) == 0;
}

redis_server::redis_server(std::vector<std::string> more)
    : folder_(new_redis_folder()),
      more_(std::move(more)),
      port_(free_port()) {
    start();
}

redis_server::~redis_server() {
    kill();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void redis_server::start() {
    std::vector<std::string> words{
        redis_program,
        "--port",
        port(),
        "--bind",
        "127.0.0.1",
        "--dir",
        folder_.string(),
        "--save",
        "",
        "--appendonly",
        "yes",
        "--appendfsync",
        "always"};
    words.insert(words.end(), more_.begin(), more_.end());
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("Redis cannot be started");
    if (process_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        auto const nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execv(redis_program, arguments.data());
        _exit(127);
    }
    auto const end = std::chrono::steady_clock::now() + redis_start_limit;
    while (!answers()) {
        if (std::chrono::steady_clock::now() > end)
            throw std::runtime_error("Redis did not answer in time");
        std::this_thread::sleep_for(redis_look_pause);
    }
}

// Refused or told to log in, it is there; while it loads what it had, it is not.
bool redis_server::answers() const {
    auto const fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::array<char, 64> reply{};
    bool is_there = connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                    write(fd, "PING\r\n", 6) == 6 && read(fd, reply.data(), reply.size()) > 0;
    is_there = is_there && std::string(reply.data()).find("LOADING") == std::string::npos;
    close(fd);
    return is_there;
}

void redis_server::kill() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
}

void redis_server::freeze() {
    ::kill(process_, SIGSTOP);
}

void redis_server::thaw() {
    ::kill(process_, SIGCONT);
}

} // namespace postrider::tests
