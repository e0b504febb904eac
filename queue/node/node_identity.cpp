#include "queue/node/node_identity.hpp"

#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace postrider::queue {

namespace {

std::string first_line(char const* path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// Field 22 of /proc/PID/stat; the command name before it may hold anything, so count from its last
// ')'.
std::optional<std::int64_t> start_of(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::stringstream all;
    all << file.rdbuf();
    auto text = all.str();
    auto end = text.rfind(')');
    if (end == text.npos) return std::nullopt;
    std::istringstream fields(text.substr(end + 2));
    std::string skip;
    std::string state;
    fields >> state;
    for (int i = 4; i < 22; ++i) fields >> skip;
    std::int64_t started = 0;
    if (!(fields >> started) || state == "Z" || state == "X") return std::nullopt;
    return started;
}

} // namespace

node_identity this_process(std::string version) {
    node_identity identity;
    identity.version = std::move(version);
    identity.pid = getpid();
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    identity.host = host;
    identity.boot_id = first_line("/proc/sys/kernel/random/boot_id");
    char space[128] = {};
    auto n = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    identity.pid_space = n > 0 ? std::string(space, static_cast<std::size_t>(n)) : std::string();
    auto started = start_of(identity.pid);
    if (identity.boot_id.empty() || identity.pid_space.empty() || !started)
        throw std::runtime_error("/proc is not readable: a node cannot tell who it is");
    identity.pid_started = *started;
    return identity;
}

bool process_lives(int pid, std::int64_t pid_started) {
    return start_of(pid) == pid_started;
}

} // namespace postrider::queue
