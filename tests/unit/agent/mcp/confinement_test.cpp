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

namespace postrider::agent::mcp::confinement_test {
namespace {

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
std::string attempt(std::string_view expression) {
    tests::loop loop;
    child_command command;
    command.program = "python3";
    command.arguments = {
        "-I",
        "-S",
        "-c",
        fmt::format(
            "import ctypes, mmap, os, resource, socket, threading\n"
            "try: print('did', {})\nexcept OSError as e: print('refused')",
            expression
        )};
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
             "os.kill(os.getppid(), 0)",
             "os.setsid()",
             "os.memfd_create('a')",
             "mmap.mmap(-1, 4096)",
             "resource.prlimit(os.getppid(), resource.RLIMIT_CPU)",
             "os.sched_setaffinity(os.getppid(), [0])",
         })
        EXPECT_EQ(attempt(expression), "refused\n") << expression;
}

} // namespace
} // namespace postrider::agent::mcp::confinement_test
