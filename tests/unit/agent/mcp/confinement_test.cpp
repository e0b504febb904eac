// A confined child, as the node for code starts it: Python tries what it must not do.
#include "agent/mcp/child_process.hpp"
#include "agent/mcp/confinement.hpp"
#include "tests/support/loop.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace postrider::agent::mcp::confinement_test {
namespace {

using testing::StartsWith;

base::awaitable<std::string> read_output(child_process& child) {
    std::string output;
    std::array<char, 4096> piece{};
    boost::system::error_code ec;
    while (!ec) {
        auto const size = co_await child.output().async_read_some(
            boost::asio::buffer(piece), boost::asio::redirect_error(boost::asio::use_awaitable, ec)
        );
        output.append(piece.data(), size);
    }
    co_return output;
}

// What the expression came to, or the exception's name.
std::string attempt(std::string_view expression, child_limits limits = {}) {
    tests::loop loop;
    child_command command;
    command.program = "python3";
    command.arguments = {
        "-I",
        "-S",
        "-c",
        fmt::format(
            "import ctypes, errno, fcntl, mmap, os, resource, signal, socket, threading\n"
            "libc = ctypes.CDLL(None, use_errno=True)\n"
            "libc.syscall.restype = ctypes.c_long\n"
            "def call(number, *arguments):\n"
            "    if libc.syscall(number, *map(ctypes.c_long, arguments)) < 0:\n"
            "        raise OSError(ctypes.get_errno(), 'call')\n"
            "parent = os.getppid()\n"
            "try: print('did', {})\n"
            "except OSError as e: print('refused', errno.errorcode[e.errno])",
            expression
        )};
    command.limits = limits;
    command.is_confined = true;
    auto const child = child_process::start(loop.executor(), command);
    if (!child) return to_string(child.error());
    return loop.run(read_output(**child));
}

class confinement : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists("/usr/bin/python3") || !mcp::confinement::make({}))
            GTEST_SKIP() << "there is no Python, or no Landlock";
    }
};

TEST_F(confinement, lets_a_program_calculate) {
    EXPECT_EQ(attempt("6 * 7"), "did 42\n");
    EXPECT_EQ(
        attempt("[threading.Thread(target=print, args=['thread']).start(), 1][1]"),
        "thread\ndid 1\n"
    );
}

TEST_F(confinement, refuses_all_that_reaches_beyond_it) {
    for (auto const* expression : {
             "open('/etc/passwd')",
             "open('/proc/self/environ')",
             "os.listdir('/')",
             "open('/tmp/postrider-confined', 'w')",
             "os.mkdir('/tmp/postrider-confined')",
             "os.chmod('/tmp', 0o777)",
             "socket.socket()",
             "socket.socket(socket.AF_UNIX)",
             "socket.socketpair()",
             "os.fork()",
             "os.posix_spawn('/usr/bin/id', ['id'], {})",
             "os.setsid()",
             "os.memfd_create('a')",
             "mmap.mmap(-1, 4096)",
             "resource.prlimit(parent, resource.RLIMIT_CPU)",
             "os.sched_setaffinity(parent, [0])",
         })
        EXPECT_THAT(attempt(expression), StartsWith("refused E")) << expression;
}

TEST_F(confinement, signals_no_other_process) {
    EXPECT_EQ(attempt("os.kill(parent, 0)"), "refused EPERM\n");
    for (auto const& call : {
             fmt::format("call({}, parent, parent, 0)", SYS_tgkill),
             fmt::format("call({}, parent, 0)", SYS_tkill),
             fmt::format("call({}, parent, 0, 0)", SYS_rt_sigqueueinfo),
             fmt::format("call({}, parent, parent, 0, 0)", SYS_rt_tgsigqueueinfo),
             fmt::format("call({}, parent, 0)", SYS_pidfd_open),
             fmt::format("call({}, 1, 0, 0, 0)", SYS_pidfd_send_signal),
         })
        EXPECT_EQ(attempt(call), "refused EPERM\n") << call;
    // What names the process that hears of a descriptor's events.
    EXPECT_EQ(attempt("fcntl.fcntl(1, fcntl.F_SETOWN, parent)"), "refused EPERM\n");
    EXPECT_EQ(attempt("fcntl.fcntl(1, 15, b'\\0' * 8)"), "refused EPERM\n");     // F_SETOWN_EX
    EXPECT_EQ(attempt("fcntl.ioctl(1, 0x8901, b'\\0' * 4)"), "refused EPERM\n"); // FIOSETOWN
    EXPECT_EQ(attempt("fcntl.fcntl(1, fcntl.F_GETFL) & os.O_WRONLY"), "did 1\n");
}

// EPERM is of the filter; Landlock's would be EACCES, and the first versions do not see some of these.
TEST_F(confinement, writes_no_file_whatever_landlock_sees) {
    EXPECT_EQ(attempt("os.truncate('/usr/bin/env', 0)"), "refused EPERM\n");
    EXPECT_EQ(attempt("os.ftruncate(1, 0)"), "refused EPERM\n");
    for (auto const* flags : {"os.O_WRONLY", "os.O_RDWR", "os.O_TRUNC", "os.O_CREAT", "3"})
        EXPECT_EQ(attempt(fmt::format("os.open('/usr/bin/env', {})", flags)), "refused EPERM\n")
            << flags;
    EXPECT_EQ(attempt("os.open('/usr/bin/env', os.O_RDONLY) > 0"), "did True\n");
}

TEST_F(confinement, has_none_of_the_calls_that_it_does_not_know) {
    for (auto const number : {449, 452, 463, 1000, 0x40000000, 0x40000000 + 39})
        EXPECT_EQ(attempt(fmt::format("call({}, 0, 0, 0, 0)", number)), "refused ENOSYS\n")
            << number;
    for (auto const number : {
             SYS_io_uring_setup,
             SYS_userfaultfd,
             SYS_keyctl,
             SYS_bpf,
             SYS_perf_event_open,
             SYS_ptrace,
             SYS_process_vm_readv,
             SYS_process_vm_writev,
             SYS_mount,
             SYS_fsopen,
             SYS_unshare,
             SYS_setns,
             SYS_personality,
             SYS_seccomp,
             SYS_openat2,
             SYS_fchmodat,
             SYS_mknodat,
             SYS_kexec_file_load,
         })
        EXPECT_EQ(attempt(fmt::format("call({}, 0, 0, 0, 0)", number)), "refused EPERM\n")
            << number;
    auto const namespaces = fmt::format("call({}, {})", SYS_clone, CLONE_THREAD | CLONE_NEWNET);
    EXPECT_EQ(attempt(namespaces), "refused EPERM\n");
}

TEST_F(confinement, maps_no_memory_that_no_limit_counts) {
    constexpr auto mapping = [](int flags) {
        return fmt::format("call({}, 0, 65536, 3, {}, -1, 0)", SYS_mmap, MAP_ANONYMOUS | flags);
    };
    EXPECT_EQ(attempt(mapping(MAP_PRIVATE)), "did None\n");
    EXPECT_EQ(attempt(mapping(MAP_SHARED)), "refused EPERM\n");
    EXPECT_EQ(attempt(mapping(MAP_PRIVATE | MAP_GROWSDOWN)), "refused EPERM\n");
    EXPECT_EQ(attempt(mapping(MAP_PRIVATE | MAP_HUGETLB)), "refused EPERM\n");
}

TEST_F(confinement, does_not_change_its_limits) {
    EXPECT_EQ(
        attempt("resource.getrlimit(resource.RLIMIT_DATA)[1]", {.data = 64u << 20}),
        "did 67108864\n"
    );
    // Not even to lower them, which a superuser could undo.
    EXPECT_EQ(
        attempt("resource.prlimit(0, resource.RLIMIT_DATA, (1 << 24, 1 << 24))"), "refused EPERM\n"
    );
}

TEST_F(confinement, has_a_limit_of_threads) {
    // Each waits for as long as the process runs.
    constexpr auto started = [](int count) {
        return fmt::format(
            "[threading.stack_size(65536), [threading.Thread(target=threading.Event().wait, "
            "daemon=True).start() for _ in range({})]][1].count(None)",
            count
        );
    };
    EXPECT_EQ(attempt(started(8), {.threads = 64}), "did 8\n");
    EXPECT_EQ(attempt(started(5000), {.threads = 64}), "") << "Python raises a RuntimeError";
}

} // namespace
} // namespace postrider::agent::mcp::confinement_test
