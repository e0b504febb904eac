#include "agent/mcp/child_process.hpp"
#include "agent/mcp/line_reader.hpp"
#include "agent/mcp/peer.hpp"
#include "agent/mcp/stderr_tail.hpp"
#include "agent/mcp/stdio_transport.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/paths.hpp"

#include <boost/asio/read.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace postrider::agent::mcp::stdio_transport_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(line_reader, joins_what_comes_in_pieces) {
    line_reader lines{10};

    EXPECT_THAT(lines.read("ab").value(), ElementsAre());
    EXPECT_THAT(lines.read("c\r\n\nd\ne").value(), ElementsAre("abc", "d"));
    EXPECT_THAT(lines.read("\n").value(), ElementsAre("e"));
}

TEST(line_reader, bounds_a_line_however_it_comes) {
    line_reader lines{10};

    EXPECT_THAT(lines.read("0123456789\n0123456789").value(), ElementsAre("0123456789"));
    EXPECT_EQ(lines.read("x").error().code, errc::too_large);
}

TEST(stderr_tail, keeps_the_last_whole_lines) {
    stderr_tail tail{{}};

    for (int i = 0; i < 1000; ++i) tail.add("line " + std::to_string(i) + '\n');

    EXPECT_LE(tail.text().size(), stderr_tail::most_bytes);
    EXPECT_TRUE(tail.text().starts_with("line "));
    EXPECT_TRUE(tail.text().ends_with("line 999\n"));
    EXPECT_EQ(tail.total(), 8890u);
}

TEST(stderr_tail, masks_secrets_and_shows_no_half_of_one) {
    stderr_tail tail{{base::secret("topsecret"), base::secret("a")}};

    tail.add("a key=topse");
    tail.add("cret\n");
    EXPECT_EQ(tail.text(), "a key=******\n");
    tail.add(std::string(stderr_tail::most_bytes - 5, 'x') + "topsecret");
    tail.add("secret\nnext\n");
    EXPECT_EQ(tail.text(), "next\n");
}

TEST(stderr_tail, is_utf8) {
    stderr_tail tail{{}};

    tail.add("\xff");

    EXPECT_EQ(tail.text(), "\xEF\xBF\xBD");
}

class stdio : public testing::Test {
protected:
    stdio() { std::signal(SIGPIPE, SIG_IGN); }

    base::result<void> connect(std::string mode) {
        options.command.program = tests::built("mcp_server");
        options.command.arguments = {std::move(mode)};
        options.grace = 20ms;
        return open();
    }
    base::result<void> open() {
        carrier = make_stdio_transport(io.executor(), options);
        asking = std::make_unique<peer>(io.executor(), *carrier, peer_options{});
        return io.run(asking->open());
    }
    base::result<rpc_outcome> ask(std::string method, json::object params = {}) {
        return io.run(asking->request(std::move(method), std::move(params), {.timeout = 5s}));
    }
    base::result<rpc_outcome> call(std::string_view tool, json::object arguments = {}) {
        return ask("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
    }
    std::string text_of(base::result<rpc_outcome> const& outcome) {
        auto const& value = std::get<json::value>(outcome.value());
        return std::string(value.at("content").at(0).at("text").as_string());
    }
    void TearDown() override {
        if (asking) io.run(asking->close());
    }

    tests::loop io;
    stdio_options options;
    std::unique_ptr<transport> carrier;
    std::unique_ptr<peer> asking;
};

TEST_F(stdio, carries_requests_to_a_child_and_its_answers_back) {
    ASSERT_TRUE(connect(""));

    EXPECT_EQ(text_of(call("echo", {{"a", "ä\n"}})), "{\"a\":\"ä\\n\"}");
}

TEST_F(stdio, a_program_that_cannot_be_run_is_refused_with_the_reason) {
    options.command.program = "no-such-program-anywhere";
    EXPECT_EQ(open().error().code, errc::refused);
    options.command.program = "/etc/passwd";
    EXPECT_THAT(open().error().detail, HasSubstr("no program"));
    options.command.program = "cat";
    options.command.folder = "/no/such/folder";
    EXPECT_THAT(open().error().detail, HasSubstr("No such file"));
}

std::size_t count_descriptors() {
    namespace fs = std::filesystem;
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator())
    );
}

// Also where it was found, and only the child learned that it cannot be run.
TEST_F(stdio, a_program_that_cannot_be_run_leaves_no_descriptor_and_no_process) {
    auto const empty = testing::TempDir() + "stdio_test." + std::to_string(::getpid());
    std::ofstream{empty} << "#!/no/such/interpreter\n";
    std::filesystem::permissions(empty, std::filesystem::perms::owner_all);
    EXPECT_FALSE(child_process::start(io.executor(), {.program = empty}));
    auto const before = count_descriptors();

    for (auto const* program : {empty.c_str(), "/etc/passwd", "no-such-program-anywhere"})
        EXPECT_EQ(
            child_process::start(io.executor(), {.program = program}).error().code, errc::refused
        ) << program;
    child_command const nowhere{.program = "cat", .folder = "/no/such/folder"};
    EXPECT_FALSE(child_process::start(io.executor(), nowhere));

    EXPECT_EQ(count_descriptors(), before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "each child was reaped";
    std::filesystem::remove(empty);
}

TEST_F(stdio, the_child_has_no_environment_but_what_is_configured) {
    setenv("MCP_TEST_OF_OURS", "secret", 1);
    options.command.environment = {{"API_KEY", base::secret("k")}};
    ASSERT_TRUE(connect(""));

    EXPECT_EQ(text_of(call("environment")), "API_KEY=k\nPATH=/usr/local/bin:/usr/bin:/bin\n");
}

TEST_F(stdio, the_child_is_limited_and_in_a_group_of_its_own) {
    // So much that the address sanitizer's shadow fits into it.
    options.command.limits = {
        .address_space = 100'000'000'000'000, .open_files = 100, .cpu_seconds = 60};
    ASSERT_TRUE(connect(""));

    EXPECT_EQ(text_of(call("limits")), "100 60 100000000000000 1");
}

TEST_F(stdio, lines_that_are_no_messages_are_skipped) {
    ASSERT_TRUE(connect("garbage"));

    EXPECT_EQ(text_of(call("echo")), "{}");
    EXPECT_EQ(text_of(call("echo")), "{}");
}

TEST_F(stdio, a_line_beside_each_answer_does_no_harm_in_the_long_run) {
    options.most_unreadable = 3; // as many as come with each answer
    ASSERT_TRUE(connect("garbage"));

    for (int i = 0; i < 5; ++i) EXPECT_EQ(text_of(call("echo")), "{}");
}

TEST_F(stdio, an_answer_that_cannot_be_read_fails_its_request_at_once) {
    for (auto const* mode : {"deep", "no_utf8"}) {
        ASSERT_TRUE(connect(mode));

        auto const outcome = call("echo");

        EXPECT_EQ(outcome.error().code, errc::invalid) << mode << outcome.error().detail;
        EXPECT_TRUE(asking->is_open());
        io.run(asking->close());
    }
}

TEST_F(stdio, a_relative_folder_or_path_is_that_of_this_process) {
    std::filesystem::path const server = tests::built("mcp_server");
    auto const folder = std::filesystem::relative(server.parent_path()).string();
    options.command.program = "./" + server.filename().string();
    options.command.folder = folder;
    ASSERT_TRUE(open());
    EXPECT_EQ(text_of(call("echo")), "{}");
    io.run(asking->close());

    options.command.program = server.filename().string();
    options.command.folder = "/";
    options.command.environment = {{"PATH", base::secret(folder)}};
    ASSERT_TRUE(open());
    EXPECT_EQ(text_of(call("echo")), "{}");
}

TEST_F(stdio, a_child_that_only_babbles_is_ended) {
    ASSERT_TRUE(connect("babbles"));

    auto const outcome = ask("x"); // it may be ended before

    EXPECT_THAT(outcome.error().detail, HasSubstr("no messages"));
    EXPECT_FALSE(asking->is_open());
}

TEST_F(stdio, a_line_that_is_too_long_ends_the_connection) {
    ASSERT_TRUE(connect("huge"));

    EXPECT_THAT(call("echo").error().detail, HasSubstr("too long"));
    EXPECT_EQ(call("echo").error().code, errc::unavailable);
}

TEST_F(stdio, a_child_that_dies_in_mid_call_tells_how) {
    ASSERT_TRUE(connect("dies"));

    auto const outcome = call("echo");

    EXPECT_EQ(outcome.error().code, errc::ambiguous);
    EXPECT_THAT(outcome.error().detail, HasSubstr("exit code 3"));
}

TEST_F(stdio, a_flood_of_notifications_does_not_hide_the_answer) {
    ASSERT_TRUE(connect("flood"));

    EXPECT_EQ(text_of(call("echo")), "{}");
}

TEST_F(stdio, a_child_that_does_not_read_does_not_fill_our_memory) {
    options.command.program = "sleep";
    options.command.arguments = {"1000"};
    options.most_unsent = 1u << 20;
    options.grace = 20ms;
    ASSERT_TRUE(open());
    json::object const params{{"text", std::string(600'000, 'x')}};

    EXPECT_TRUE(asking->notify("x", params));
    EXPECT_EQ(asking->notify("x", params).error().code, errc::overloaded);
}

TEST_F(stdio, what_a_child_says_on_its_standard_error_is_kept_without_secrets) {
    options.command.environment = {{"API_KEY", base::secret("hunter2hunter2")}};
    ASSERT_TRUE(connect("talks_on_stderr"));
    (void)call("echo");

    EXPECT_THAT(carrier->diagnostics(), HasSubstr("API_KEY=******"));
    EXPECT_THAT(carrier->diagnostics(), Not(HasSubstr("hunter2")));
}

// False of a process that has ended, though nobody has taken note of it yet.
bool runs(pid_t id) {
    std::ifstream status("/proc/" + std::to_string(id) + "/stat");
    std::string line;
    std::getline(status, line);
    return !line.empty() && line.find(") Z ") == line.npos;
}

// Not by a signal to the group: that reaches what has ended, too, until somebody takes note of it,
// which nobody does for orphans in some containers.
bool any_runs(pid_t group) {
    for (auto const& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream status(entry.path() / "stat");
        std::string line;
        std::getline(status, line);
        auto const name_end = line.rfind(") ");
        if (name_end == line.npos) continue;
        std::istringstream fields(line.substr(name_end + 2));
        char state = 0;
        pid_t parent = 0;
        pid_t found = 0;
        if (fields >> state >> parent >> found && found == group && state != 'Z') return true;
    }
    return false;
}

awaitable<void> wait_for_end(pid_t group) {
    while (any_runs(group)) co_await base::sleep_for(1ms);
}

TEST(child_process, is_ended_with_its_group_however_stubborn) {
    std::signal(SIGPIPE, SIG_IGN);
    tests::loop io;
    auto child =
        child_process::start(
            io.executor(), {.program = tests::built("mcp_server"), .arguments = {"stubborn"}}
        ).value();
    auto const group = child->id();
    child->input().close();
    std::string said(8, ' ');
    boost::asio::read(child->output(), boost::asio::buffer(said)); // it has a child of its own now

    child->send_signal(SIGTERM);
    EXPECT_TRUE(runs(group));
    child->send_signal(SIGKILL);
    io.run(child->wait());
    io.run(wait_for_end(group));

    EXPECT_EQ(said, "staying\n");
    EXPECT_EQ(child->ending(), "signal 9");
    EXPECT_FALSE(runs(group));
}

awaitable<void> wait_until_gone(pid_t process) {
    while (runs(process)) co_await base::sleep_for(1ms);
}

TEST(child_process, dies_with_the_process_that_started_it) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    auto const starter = fork();
    if (starter == 0) {
        tests::loop inner;
        auto child =
            child_process::start(inner.executor(), {.program = "sleep", .arguments = {"1000"}});
        auto const id = child ? (*child)->id() : 0;
        (void)!write(ends[1], &id, sizeof id);
        pause();
    }
    pid_t id = 0;
    ASSERT_EQ(read(ends[0], &id, sizeof id), ssize_t{sizeof id});
    ASSERT_TRUE(runs(id));

    kill(starter, SIGKILL);
    waitpid(starter, nullptr, 0);
    tests::loop io;
    io.run(wait_until_gone(id));

    EXPECT_FALSE(runs(id));
    close(ends[0]);
    close(ends[1]);
}

TEST_F(stdio, a_stubborn_child_is_ended_within_its_graces) {
    ASSERT_TRUE(connect("stubborn"));
    ASSERT_TRUE(call("echo"));

    io.run(asking->close(), 5s);

    EXPECT_EQ(call("echo").error().code, errc::unavailable);
}

} // namespace
} // namespace postrider::agent::mcp::stdio_transport_test
