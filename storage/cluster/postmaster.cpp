#include "storage/cluster/postmaster.hpp"

#include "base/clock.hpp"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>

namespace postrider::storage::cluster {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr base::duration until_reaped = 3s;

// A process that cannot be looked at now, for want of descriptors say, is not taken to be gone.
enum class state { running, gone, unknown };

state state_of_unreadable() {
    return errno == ENOENT || errno == ESRCH ? state::gone : state::unknown;
}

// "4711 (postgres) S 1 …", or "" where it cannot be read: errno tells why.
std::string stat_of(pid_t pid) {
    errno = 0;
    std::ifstream in{"/proc/" + std::to_string(pid) + "/stat"};
    std::string line;
    if (in.is_open()) std::getline(in, line);
    return line;
}

// A process that has ended and that nobody has waited for is Z.
bool has_ended(std::string_view stat) {
    auto const end = stat.rfind(") ");
    return end != stat.npos && end + 2 < stat.size() &&
           (stat[end + 2] == 'Z' || stat[end + 2] == 'X');
}

struct server_process {
    state is = state::gone;
    pid_t pid = 0;
};

// A server works in its data folder, so one of another cluster is not taken for ours.
state state_of(pid_t pid, fs::path const& data) {
    auto const stat = stat_of(pid);
    if (stat.empty()) return state_of_unreadable();
    if (has_ended(stat) || stat.find("(postgres)") == stat.npos) return state::gone;
    std::error_code ec;
    auto const works_in = fs::read_symlink("/proc/" + std::to_string(pid) + "/cwd", ec);
    if (ec) return state::running; // another account's, which only its name tells
    bool const ours = fs::equivalent(works_in, data, ec);
    return ours || ec ? state::running : state::gone;
}

server_process find(fs::path const& data) {
    errno = 0;
    std::ifstream in{data / "postmaster.pid"};
    if (!in.is_open()) return {state_of_unreadable()};
    pid_t pid = 0;
    if (!(in >> pid) || pid <= 0) return {state::gone};
    return {state_of(pid, data), pid};
}

} // namespace

bool postmaster_lives(fs::path const& data) {
    return find(data).is != state::gone;
}

pid_t postmaster_number(fs::path const& data) {
    return find(data).pid;
}

void forget_stale_pid(fs::path const& data) {
    auto const process = find(data);
    if (process.is != state::gone || process.pid == 0) return;
    // One that has just been killed has its number, and so its locks, until its parent asks for it.
    // As the first process of a container we are the parent of what pg_ctl has left.
    auto const until = base::system_clock().steady() + until_reaped;
    while (has_ended(stat_of(process.pid)) && base::system_clock().steady() < until) {
        waitpid(process.pid, nullptr, WNOHANG);
        std::this_thread::sleep_for(20ms);
    }
    std::error_code ec;
    if (kill(process.pid, 0) == 0) fs::remove(data / "postmaster.pid", ec);
}

} // namespace postrider::storage::cluster
