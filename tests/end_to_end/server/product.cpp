#include "tests/end_to_end/server/product.hpp"

#include "tests/support/paths.hpp"

#include <arpa/inet.h>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace postrider::tests {

namespace {

using namespace std::chrono_literals;

constexpr auto start_limit = 60s;
constexpr auto stop_limit = 60s;

std::string contents(std::filesystem::path const& file) {
    std::ifstream in(file);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

class socket_handle {
public:
    explicit socket_handle(int fd) : fd_(fd) {}
    ~socket_handle() { close(fd_); }
    int get() const { return fd_; }

private:
    int fd_;
};

sockaddr_in loopback(int port) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return to;
}

} // namespace

product::product(environment with, int port) : with_(std::move(with)), port_(port) {
    std::string name = (std::filesystem::temp_directory_path() / "postrider-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder_ = name;
    with_["POSTRIDER_LISTEN"] = address();
    with_.try_emplace("PATH", std::getenv("PATH"));
    with_.try_emplace("HOME", folder_.string());
    // What the sanitizers print must reach the log, and a leak at exit must fail the test.
    for (auto const* options : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"})
        if (auto const* set = std::getenv(options)) with_.try_emplace(options, set);
}

product::~product() {
    if (pid_ > 0) kill();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

environment product::merged(environment const& more) const {
    auto all = more;
    all.insert(with_.begin(), with_.end());
    return all;
}

pid_t product::spawn(
    std::vector<std::string> const& arguments, environment const& all, std::string const& out
) const {
    std::vector<std::string> words{built("postrider")};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> pairs;
    for (auto const& [name, value] : all) pairs.push_back(name + "=" + value);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<char*> envp;
    for (auto& pair : pairs) envp.push_back(pair.data());
    envp.push_back(nullptr);

    auto const log = (folder_ / "stderr.log").string();
    auto const child = fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
        // Between fork and exec only what is safe there.
        auto const in = open("/dev/null", O_RDONLY);
        auto const to = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        auto const err = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        dup2(in, 0);
        dup2(to, 1);
        dup2(err, 2);
        if (chdir(folder_.c_str()) != 0) _exit(127);
        execve(argv[0], argv.data(), envp.data());
        _exit(127);
    }
    return child;
}

void product::launch(environment const& more) {
    pid_ = spawn({"serve"}, merged(more), (folder_ / "stdout.log").string());
}

void product::start(environment const& more) {
    launch(more);
    auto ready = [&] {
        if (wait_for_exit(0ms)) return true;
        return get(port_, "/readyz").status == 200;
    };
    if (!eventually(ready, start_limit) || !running())
        throw std::runtime_error("the product did not become ready:\n" + log());
}

void product::kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    wait_for_exit(stop_limit);
}

int product::stop() {
    if (pid_ <= 0) throw std::logic_error("the product does not run");
    ::kill(pid_, SIGTERM);
    if (!wait_for_exit(stop_limit)) throw std::runtime_error("it did not stop:\n" + log());
    return exit_code_;
}

void product::freeze() {
    ::kill(pid_, SIGSTOP);
}

void product::thaw() {
    ::kill(pid_, SIGCONT);
}

bool product::wait_for_exit(base::duration limit) {
    if (pid_ <= 0) return true;
    auto gone = [&] {
        int status = 0;
        if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
        exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        pid_ = 0;
        return true;
    };
    return eventually(gone, limit);
}

product::finished product::run(std::vector<std::string> const& arguments, environment const& more) {
    auto const out = (folder_ / "command.out").string();
    auto const child = spawn(arguments, merged(more), out);
    finished result;
    auto ended = [&] {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) != child) return false;
        result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return true;
    };
    if (!eventually(ended, start_limit)) {
        ::kill(child, SIGKILL);
        throw std::runtime_error("the command did not end:\n" + log());
    }
    result.out = contents(out);
    return result;
}

std::string product::log() const {
    return contents(folder_ / "stderr.log");
}

std::string product::printed() const {
    return contents(folder_ / "stdout.log");
}

answer http_exchange(int port, std::string const& raw, base::duration limit) {
    answer response;
    socket_handle s{socket(AF_INET, SOCK_STREAM, 0)};
    auto to = loopback(port);
    if (connect(s.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) return response;
    for (std::size_t sent = 0; sent < raw.size();) {
        auto n = send(s.get(), raw.data() + sent, raw.size() - sent, MSG_NOSIGNAL);
        if (n <= 0) break; // it may answer and close before it has read everything
        sent += static_cast<std::size_t>(n);
    }
    std::string all;
    auto const until = base::system_clock().steady() + limit;
    for (char buffer[4096];;) {
        auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(
            until - base::system_clock().steady()
        );
        pollfd readable{s.get(), POLLIN, 0};
        if (left.count() <= 0 || poll(&readable, 1, static_cast<int>(left.count())) <= 0) break;
        auto n = recv(s.get(), buffer, sizeof buffer, 0);
        if (n <= 0) break;
        all.append(buffer, static_cast<std::size_t>(n));
        auto const head = all.find("\r\n\r\n");
        if (head == all.npos) continue;
        auto const length = all.find("Content-Length: ");
        if (length < head && all.size() >= head + 4 + std::stoul(all.substr(length + 16))) break;
    }
    auto const head = all.find("\r\n\r\n");
    if (all.size() < 12 || head == all.npos) return response;
    response.status = std::stoi(all.substr(9, 3));
    response.head = all.substr(0, head + 2);
    response.body = all.substr(head + 4);
    return response;
}

answer get(int port, std::string const& path) {
    return http_exchange(
        port, "GET " + path + " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
    );
}

answer post_update(
    int port, std::string const& secret, std::string const& body, std::string const& bot
) {
    auto head = "POST /telegram/" + bot + " HTTP/1.1\r\nHost: test\r\n" +
                "Content-Type: application/json\r\nConnection: close\r\n" +
                "Content-Length: " + std::to_string(body.size()) + "\r\n";
    if (!secret.empty()) head += "X-Telegram-Bot-Api-Secret-Token: " + secret + "\r\n";
    return http_exchange(port, head + "\r\n" + body);
}

bool eventually(std::function<bool()> const& condition, base::duration limit) {
    auto const until = base::system_clock().steady() + limit;
    while (!condition()) {
        if (base::system_clock().steady() >= until) return false;
        std::this_thread::sleep_for(5ms); // between two looks, never for a result
    }
    return true;
}

} // namespace postrider::tests
