#include "storage/cluster/postmaster.hpp"

#include <csignal>
#include <fstream>
#include <string>
#include <sys/wait.h>

namespace postrider::storage::cluster {

namespace {

namespace fs = std::filesystem;

// 0 = none.
pid_t pid_in(fs::path const& data) {
    std::ifstream in{data / "postmaster.pid"};
    pid_t pid = 0;
    return in >> pid && pid > 0 ? pid : 0;
}

// "4711 (postgres) S 1 …": a process that has ended and that nobody has waited for is Z.
bool is_running_server(pid_t pid) {
    std::ifstream in{"/proc/" + std::to_string(pid) + "/stat"};
    std::string line;
    std::getline(in, line);
    auto const end = line.rfind(')');
    if (end == line.npos || end + 2 >= line.size()) return false;
    auto const state = line[end + 2];
    return line.find("(postgres)") != line.npos && state != 'Z' && state != 'X';
}

} // namespace

bool postmaster_lives(fs::path const& data) {
    auto const pid = pid_in(data);
    return pid != 0 && is_running_server(pid);
}

void forget_stale_pid(fs::path const& data) {
    auto const pid = pid_in(data);
    if (pid == 0 || is_running_server(pid)) return;
    // As the first process of a container we are the parent of what pg_ctl has left.
    waitpid(pid, nullptr, WNOHANG);
    std::error_code ec;
    if (kill(pid, 0) == 0) fs::remove(data / "postmaster.pid", ec);
}

} // namespace postrider::storage::cluster
