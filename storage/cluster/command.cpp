#include "storage/cluster/command.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace postrider::storage::cluster {

namespace {

base::result<account> describe(passwd const* entry) {
    if (!entry) return base::error(base::errc::refused, "the account does not exist");
    account result{entry->pw_uid, entry->pw_gid, entry->pw_name, {}};
    int count = 64;
    result.groups.resize(static_cast<std::size_t>(count));
    if (getgrouplist(entry->pw_name, entry->pw_gid, result.groups.data(), &count) < 0) count = 0;
    result.groups.resize(static_cast<std::size_t>(count));
    return result;
}

// In the child: system calls only, other threads may have held any lock at the fork.
bool become(account const& account) {
    if (geteuid() != 0 || account.user == 0) return true;
    return setgroups(account.groups.size(), account.groups.data()) == 0 &&
           setgid(account.group) == 0 && setuid(account.user) == 0;
}

int exit_status(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

pid_t fork_or_throw() {
    auto child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    return child;
}

// A server that is started would keep what it inherits: our listening socket, for one.
void close_all_after(int last) {
    if (close_range(static_cast<unsigned>(last) + 1, ~0U, 0) == 0) return;
    // An old kernel, or a container that forbids it. A server has thousands of descriptors, not more.
    constexpr int enough = 65'536;
    for (int fd = last + 1; fd < enough; ++fd) close(fd);
}

[[noreturn]] void execute(char* const* words, int output, account const& as) {
    constexpr auto open_flags = O_RDWR;
    dup2(open("/dev/null", open_flags), STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close_all_after(STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
    char language[] = "LC_ALL=C";
    std::array<char*, 3> environment{path, language, nullptr};
    if (become(as) && chdir("/") == 0) execve(words[0], words, environment.data());
    _exit(127);
}

std::string read_all(int from) {
    std::string text;
    std::array<char, 4096> part;
    while (true) {
        auto n = read(from, part.data(), part.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        text.append(part.data(), static_cast<std::size_t>(n));
    }
}

} // namespace

base::result<account> account_for(std::filesystem::path const& existing) {
    if (geteuid() != 0) {
        auto own = describe(getpwuid(geteuid()));
        // A container may run under a number without a name.
        if (!own) return account{geteuid(), getegid(), std::to_string(geteuid()), {}};
        return own;
    }
    struct stat found {};
    if (stat(existing.c_str(), &found) == 0 && found.st_uid != 0)
        if (auto owner = describe(getpwuid(found.st_uid))) return owner;
    auto postgres = describe(getpwnam("postgres"));
    if (!postgres)
        return base::error(
            base::errc::refused,
            "Postgres does not run as root, and there is no user postgres to run it as"
        );
    return postgres;
}

finished run(std::vector<std::string> const& words, account const& as) {
    std::vector<std::string> copies = words;
    std::vector<char*> pointers;
    for (auto& word : copies) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "pipe2");
    auto const child = fork_or_throw();
    if (child == 0) execute(pointers.data(), ends[1], as);
    close(ends[1]);
    finished result;
    result.output = read_all(ends[0]);
    close(ends[0]);
    result.status = exit_status(child);
    return result;
}

bool can_enter(std::filesystem::path const& folder, account const& as) {
    auto const child = fork_or_throw();
    if (child == 0) _exit(become(as) && access(folder.c_str(), X_OK) == 0 ? 0 : 1);
    return exit_status(child) == 0;
}

base::result<void> give_to(std::filesystem::path const& path, account const& owner) {
    if (geteuid() == 0 && lchown(path.c_str(), owner.user, owner.group) != 0)
        return base::error(
            base::errc::refused,
            path.string() + " cannot be given to " + owner.name + ": " + std::strerror(errno)
        );
    return {};
}

} // namespace postrider::storage::cluster
