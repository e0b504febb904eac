#include "agent/mcp/child_process.hpp"

#include "agent/mcp/call_filter.hpp"
#include "agent/mcp/confinement.hpp"

#include <boost/asio/redirect_error.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace postrider::agent::mcp {

namespace {

using base::errc;
using base::error;

constexpr std::string_view usual_path = "/usr/local/bin:/usr/bin:/bin";

error problem(std::string_view action, int number) {
    bool const may_pass =
        number == EAGAIN || number == ENOMEM || number == EMFILE || number == ENFILE;
    return {
        may_pass ? errc::overloaded : errc::refused,
        std::string(action) + ": " + std::generic_category().message(number)};
}

// The kernel compares this with the tasks of the child's user alone; those of all users are no fewer.
std::uint64_t most_tasks(std::uint64_t threads) {
    struct sysinfo machine {};
    if (threads == 0 || sysinfo(&machine) != 0) return threads;
    return machine.procs + threads;
}

// What the child is started with, made before the fork: after it only system calls are safe.
struct image {
    explicit image(child_command const& command);

    base::result<std::string> find_program() const;

    std::string program;
    std::string path{usual_path};
    std::string folder;
    std::vector<std::string> words;
    std::vector<std::string> settings; // NAME=value
};

image::image(child_command const& command) : program(command.program), folder(command.folder) {
    words.push_back(command.program);
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    for (auto const& [name, value] : command.environment) {
        if (name == "PATH")
            path = value.reveal();
        else
            settings.push_back(name + '=' + value.reveal());
    }
    settings.push_back("PATH=" + path);
}

base::result<std::string> image::find_program() const {
    // Absolute: the child goes into its folder before it runs the file.
    auto find_in = [this](std::filesystem::path const& place) -> std::string {
        std::error_code ec;
        auto const file = std::filesystem::absolute(place / program, ec);
        bool const runs =
            !ec && std::filesystem::is_regular_file(file, ec) && access(file.c_str(), X_OK) == 0;
        return runs ? file.string() : std::string();
    };
    if (program.find('/') != program.npos) {
        auto file = find_in(folder);
        if (!file.empty()) return file;
        return error(errc::refused, program + " is no program that can be run");
    }
    for (std::size_t at = 0; at <= path.size();) {
        auto const end = std::min(path.find(':', at), path.size());
        auto file = find_in(path.substr(at, end - at));
        if (!file.empty()) return file;
        at = end + 1;
    }
    return error(errc::refused, program + " is not in the PATH (" + path + ")");
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> all;
    all.reserve(texts.size() + 1);
    for (auto& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

} // namespace

// The child's ends and ours. Those that nobody took over are closed.
struct child_process::pipes {
    enum end { to_input, from_output, from_errors, failure, count };
    std::array<std::array<int, 2>, count> all{{{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}}};

    bool open() {
        for (auto& ends : all)
            if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        return true;
    }
    ~pipes() {
        for (auto const& ends : all)
            for (auto const fd : ends)
                if (fd >= 0) close(fd);
    }
    int read_end(end side) const { return all[side][0]; }
    int write_end(end side) const { return all[side][1]; }
    int release(int fd) {
        for (auto& ends : all)
            for (auto& end : ends)
                if (end == fd) end = -1;
        return fd;
    }
    void close_end(int fd) { close(release(fd)); }
};

namespace {

// In the child, from here on: system calls only.

// Only ever lower than what holds now.
bool limit(__rlimit_resource resource, std::uint64_t most) {
    rlimit now{};
    if (most == 0) return true;
    if (getrlimit(resource, &now) != 0) return false;
    auto const lowest = std::min<rlim_t>(most, now.rlim_max);
    rlimit const bounds{lowest, lowest};
    return setrlimit(resource, &bounds) == 0;
}

void close_from(unsigned first) {
    if (close_range(first, ~0U, 0) == 0) return;
    constexpr int enough = 65'536; // where the kernel or the container has no close_range()
    for (auto fd = static_cast<int>(first); fd < enough; ++fd) close(fd);
}

// What a server sets for itself is not for its children.
void reset_signals() {
    for (int number = 1; number < SIGRTMAX; ++number) std::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

struct child_plan {
    char const* file;
    char* const* words;
    char* const* settings;
    char const* folder;
    child_limits limits;
    confinement const* bounds; // null = none
    pid_t parent;
    int input;
    int output;
    int errors;
    int failure; // told what failed before the program ran
};

// Moves a descriptor out of the way of those that are set up below.
int above_the_first(int fd) {
    return fcntl(fd, F_DUPFD_CLOEXEC, 10);
}

bool prepare(child_plan const& plan, int failure) {
    // Before the signal of the parent's death, which a change of the user takes back.
    if (plan.bounds && !confinement::give_up_rights()) return false;
    if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
    if (getppid() != plan.parent) return false; // it died before prctl()
    if (plan.bounds && !plan.bounds->close_files()) return false;
    auto const input = above_the_first(plan.input);
    auto const output = above_the_first(plan.output);
    auto const errors = above_the_first(plan.errors);
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) return false;
    if (dup3(failure, 3, O_CLOEXEC) < 0) return false;
    close_from(4);
    reset_signals();
    auto const core = rlimit{0, 0};
    return setrlimit(RLIMIT_CORE, &core) == 0 && limit(RLIMIT_AS, plan.limits.address_space) &&
           limit(RLIMIT_NOFILE, plan.limits.open_files) &&
           limit(RLIMIT_CPU, plan.limits.cpu_seconds) && limit(RLIMIT_DATA, plan.limits.data) &&
           limit(RLIMIT_STACK, plan.limits.stack) && limit(RLIMIT_NPROC, plan.limits.threads) &&
           chdir(plan.folder) == 0 && (!plan.bounds || close_calls());
}

[[noreturn]] void become(child_plan const& plan) {
    auto const failure = above_the_first(plan.failure);
    if (prepare(plan, failure)) execve(plan.file, plan.words, plan.settings);
    int const reason = errno;
    // The descriptor is 3, or still the first when it was not moved yet.
    if (write(3, &reason, sizeof reason) < 0) (void)!write(failure, &reason, sizeof reason);
    _exit(127);
}

} // namespace

base::result<std::unique_ptr<child_process>> child_process::start(
    boost::asio::any_io_executor const& executor, child_command const& command
) {
    image start{command};
    auto const file = start.find_program();
    if (!file) return file.error();
    auto words = pointers_to(start.words);
    auto settings = pointers_to(start.settings);
    std::optional<confinement> bounds;
    if (command.is_confined) {
        auto confined = confinement::make(system_folders());
        if (!confined) return confined.error();
        bounds.emplace(std::move(*confined));
    }
    pipes ends;
    if (!ends.open()) return problem("no pipe", errno);
    auto limits = command.limits;
    limits.threads = most_tasks(limits.threads);
    child_plan const plan{
        .file = file->c_str(),
        .words = words.data(),
        .settings = settings.data(),
        .folder = start.folder.c_str(),
        .limits = limits,
        .bounds = bounds ? &*bounds : nullptr,
        .parent = getpid(),
        .input = ends.read_end(pipes::to_input),
        .output = ends.write_end(pipes::from_output),
        .errors = ends.write_end(pipes::from_errors),
        .failure = ends.write_end(pipes::failure)};
    auto const child = fork();
    if (child < 0) return problem("no process", errno);
    if (child == 0) become(plan);

    ends.close_end(plan.input);
    ends.close_end(plan.output);
    ends.close_end(plan.errors);
    ends.close_end(plan.failure);
    int reason = 0;
    // Short: it ends when the program runs or could not be run.
    auto const received = read(ends.read_end(pipes::failure), &reason, sizeof reason);
    auto const handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
    if (received > 0 || handle < 0) {
        if (received <= 0) reason = errno;
        if (handle >= 0) ::close(handle);
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        return problem(command.program + " cannot be run", reason);
    }
    return std::unique_ptr<child_process>(new child_process(executor, child, handle, ends));
}

child_process::child_process(
    boost::asio::any_io_executor const& executor, pid_t id, int handle, pipes& ends
)
    : id_(id),
      handle_(executor, handle),
      input_(executor, ends.release(ends.write_end(pipes::to_input))),
      output_(executor, ends.release(ends.read_end(pipes::from_output))),
      errors_(executor, ends.release(ends.read_end(pipes::from_errors))) {}

child_process::~child_process() {
    if (!ending_.empty()) return;
    send_signal(SIGKILL);
    reap();
}

void child_process::send_signal(int number) const noexcept {
    // Until it is reaped, its number is nobody else's.
    if (ending_.empty()) kill(-id_, number);
}

base::awaitable<void> child_process::wait() {
    while (ending_.empty()) {
        co_await handle_.async_wait(pipe::wait_read, boost::asio::use_awaitable);
        if (!ending_.empty()) break; // another waiter was first
        send_signal(SIGKILL);
        reap();
    }
}

void child_process::reap() noexcept {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0)
        if (errno != EINTR) break;
    ending_ = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                  : "exit code " + std::to_string(WEXITSTATUS(status));
}

} // namespace postrider::agent::mcp
