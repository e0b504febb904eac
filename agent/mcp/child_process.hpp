#pragma once
// A program in a process group of its own, spoken to through pipes. On the executor's one thread.
//
// It inherits nothing: of the environment only what the command names (and a PATH), no descriptors
// but its three pipes, no signal settings, no core dumps. It dies with this process, and its group
// with it. The process ignores SIGPIPE, as main() sees to.
#include "base/async.hpp"
#include "base/secret.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace postrider::agent::mcp {

// 0: no limit.
struct child_limits {
    std::uint64_t address_space = 0; // bytes; programs that reserve much, like Node, need none
    std::uint64_t open_files = 1024;
    std::uint64_t cpu_seconds = 0;
    std::uint64_t data = 0;    // bytes that it may write to; what it only reserves does not count
    std::uint64_t stack = 0;   // bytes of the first thread's, which do not count as data
    std::uint64_t threads = 0; // started in addition to those that the machine has when it starts
};

struct child_command {
    std::string program; // a path, or a name that is looked for in PATH
    std::vector<std::string> arguments = {};
    std::vector<std::pair<std::string, base::secret>> environment = {};
    std::string folder = "/"; // where it starts; a relative one lies in this process's
    child_limits limits = {};
    bool is_confined = false; // confinement.hpp; unavailable where the system cannot do it
};

class child_process {
public:
    // refused: there is no such program, or it cannot be started; the detail says why. overloaded: this
    // machine has no memory, processes or descriptors left for it.
    static base::result<std::unique_ptr<child_process>> start(
        boost::asio::any_io_executor const& executor, child_command const& command
    );
    // Kills the group if it still runs.
    ~child_process();
    child_process(child_process const&) = delete;
    child_process& operator=(child_process const&) = delete;

    using pipe = boost::asio::posix::stream_descriptor;
    pipe& input() noexcept { return input_; }
    pipe& output() noexcept { return output_; }
    pipe& errors() noexcept { return errors_; }

    // Of all processes of the group; nothing once the program has ended.
    void send_signal(int number) const noexcept;
    // Suspends until the program has ended; what is left of its group is killed then.
    base::awaitable<void> wait();
    // "exit code 1", "signal 9"; "" while it runs.
    std::string const& ending() const noexcept { return ending_; }
    pid_t id() const noexcept { return id_; }

private:
    struct pipes;
    child_process(boost::asio::any_io_executor const& executor, pid_t id, int handle, pipes& ends);
    void reap() noexcept;

    pid_t id_;
    pipe handle_; // readable when the program has ended
    pipe input_;
    pipe output_;
    pipe errors_;
    std::string ending_;
};

} // namespace postrider::agent::mcp
