#include "storage/cluster/guard.hpp"
#include "storage/database.hpp"
#include "storage/private_cluster.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace postrider::storage::private_cluster_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using base::errc;
using testing::HasSubstr;

bool answers(std::string const& url) {
    database_options options;
    options.url = url;
    return run_blocking(
               options,
               [](transaction& tx) {
                   tx.query({"test.ping", "select 1"});
               }
    ).has_value();
}

// In a child that ends without cleaning up, as after SIGKILL.
void start_and_be_killed(fs::path const& folder) {
    auto const child = fork();
    if (child == 0) {
        auto const cluster = start_private_cluster(folder, tests::quick_programs());
        if (cluster) raise(SIGKILL);
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

// -1 = it does not answer.
std::int64_t count_kept(std::string const& url) {
    database_options options;
    options.url = url;
    std::int64_t found = -1;
    (void)run_blocking(options, [&](transaction& tx) {
        found = tx.query({"test.kept", "select count(*) from public.kept"}).at(0).int64(0);
    });
    return found;
}

bool eventually(std::function<bool()> const& holds) {
    auto const deadline = std::chrono::steady_clock::now() + 30s;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(20ms); // between two looks, never for a result
    }
    return true;
}

void write_program(fs::path const& file, std::string_view script) {
    std::ofstream{file} << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms{0755});
}

class private_cluster_test : public testing::Test {
protected:
    private_cluster_test() {
        fs::remove_all(root);
        fs::create_directories(root);
    }
    ~private_cluster_test() override { fs::remove_all(root); }

    std::unique_ptr<private_cluster> start() {
        auto cluster = start_private_cluster(folder, tests::quick_programs());
        EXPECT_TRUE(cluster) << to_string(cluster.error());
        return cluster ? std::move(*cluster) : nullptr;
    }

    pid_t postmaster() const {
        pid_t pid = 0;
        std::ifstream{folder / "data" / "postmaster.pid"} >> pid;
        return pid;
    }

    void run(std::string const& url, std::string_view sql) { tests::run_script(url, sql); }

    fs::path root =
        tests::test_cluster_folder().parent_path() / ("test-cluster-" + std::to_string(getpid()));
    fs::path folder = root / "postgres";
};

TEST_F(private_cluster_test, is_made_and_stopped_and_used_again) {
    auto cluster = start();
    ASSERT_TRUE(cluster);
    EXPECT_EQ(cluster->folder(), folder);
    auto const url = cluster->url();
    run(url, "create table public.kept (n int); insert into public.kept values (1)");

    cluster->stop();
    EXPECT_FALSE(answers(url));

    auto const again = start();
    run(again->url(), "insert into public.kept values (2)");
}

TEST_F(private_cluster_test, is_durable_and_listens_to_nobody_else) {
    auto const cluster = start();
    ASSERT_TRUE(cluster);
    database_options options;
    options.url = cluster->url();

    auto const done = run_blocking(options, [](transaction& tx) {
        auto const setting = [&](std::string_view name) {
            return tx.query({"test.setting", "select current_setting($1)"}, {name}).at(0).text(0);
        };
        EXPECT_EQ(setting("fsync"), "on");
        EXPECT_EQ(setting("synchronous_commit"), "on");
        EXPECT_EQ(setting("full_page_writes"), "on");
        EXPECT_EQ(setting("data_checksums"), "on");
        EXPECT_EQ(setting("listen_addresses"), "");
        EXPECT_EQ(setting("server_encoding"), "UTF8");
    });

    EXPECT_TRUE(done) << to_string(done.error());
    struct stat found {};
    ASSERT_EQ(stat(folder.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0700u);
}

TEST_F(private_cluster_test, is_joined_after_its_owner_was_killed) {
    start_and_be_killed(folder);

    auto cluster = start();
    ASSERT_TRUE(cluster);
    auto const url = cluster->url();
    EXPECT_TRUE(answers(url));

    cluster->stop();
    EXPECT_FALSE(answers(url)) << "the duty to stop it was taken over";
}

TEST_F(private_cluster_test, is_stopped_by_the_last_who_uses_it) {
    auto first = start();
    auto second = start();
    ASSERT_TRUE(first && second);

    first->stop();
    EXPECT_TRUE(answers(second->url()));

    second->stop();
    EXPECT_FALSE(answers(second->url()));
}

TEST_F(private_cluster_test, goes_on_when_it_is_left) {
    auto cluster = start();
    ASSERT_TRUE(cluster);
    auto const url = cluster->url();

    cluster->leave();
    cluster->stop();
    cluster.reset();
    EXPECT_TRUE(answers(url));

    start()->stop();
}

TEST_F(private_cluster_test, starts_in_spite_of_a_stale_pid_file) {
    start()->stop();
    // This very process has the number now.
    std::ofstream{folder / "data" / "postmaster.pid"} << getpid() << "\n"
                                                      << (folder / "data").string() << "\n";

    EXPECT_TRUE(answers(start()->url()));
}

// Of a server that died by SIGKILL, and of a process that nobody has waited for.
TEST_F(private_cluster_test, starts_beside_what_is_left_of_a_server) {
    start()->stop();
    auto const child = fork();
    if (child == 0) _exit(0);
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
    std::ofstream{folder / "data" / "postmaster.pid"} << child << "\n"
                                                      << (folder / "data").string() << "\n";

    EXPECT_TRUE(answers(start()->url()));
}

// Nothing can be started beside it, and nobody wants to wait a minute to hear so.
TEST_F(private_cluster_test, that_runs_and_does_not_answer_is_said_so_soon) {
    auto const cluster = start();
    ASSERT_TRUE(cluster);
    auto const number = postmaster();
    ASSERT_EQ(kill(number, SIGSTOP), 0);
    auto const began = std::chrono::steady_clock::now();

    auto const second = start_private_cluster(folder, tests::quick_programs());
    auto const took = std::chrono::steady_clock::now() - began;
    kill(number, SIGCONT);

    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, errc::unavailable);
    EXPECT_THAT(second.error().detail, HasSubstr("Postgres runs, but it does not answer"));
    EXPECT_THAT(second.error().detail, HasSubstr(std::to_string(number)));
    EXPECT_LT(took, 20s);
    EXPECT_TRUE(answers(cluster->url()));
}

TEST_F(private_cluster_test, is_started_again_when_its_server_died) {
    auto const cluster = start();
    ASSERT_TRUE(cluster);
    run(cluster->url(), "create table public.kept (n int); insert into public.kept values (1)");
    cluster->keep_running();

    ASSERT_EQ(kill(postmaster(), SIGKILL), 0);

    EXPECT_TRUE(eventually([&] { return count_kept(cluster->url()) == 1; }));
    cluster->stop();
    EXPECT_FALSE(answers(cluster->url()));
}

TEST_F(private_cluster_test, is_started_again_by_one_of_those_who_use_it) {
    auto const first = start();
    auto const second = start();
    ASSERT_TRUE(first && second);
    for (auto const& cluster : {&first, &second}) (*cluster)->keep_running();

    ASSERT_EQ(kill(postmaster(), SIGKILL), 0);

    EXPECT_TRUE(eventually([&] { return answers(second->url()); }));
    first->stop();
    EXPECT_TRUE(answers(second->url()));
    second->stop();
    EXPECT_FALSE(answers(second->url()));
}

TEST_F(private_cluster_test, hands_no_descriptor_of_ours_to_its_server) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    auto const cluster = start();
    ASSERT_TRUE(cluster);

    close(ends[1]);
    char byte = 0;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    EXPECT_EQ(read(ends[0], &byte, 1), 0) << "nobody else has the end that is written";
    close(ends[0]);
}

TEST(cluster_guard, pauses_longer_after_each_try_that_fails) {
    EXPECT_EQ(cluster::next_pause(0s, 1h), 1s);
    EXPECT_EQ(cluster::next_pause(1s, 3s), 2s);
    EXPECT_EQ(cluster::next_pause(20s, 3s), 30s);
    EXPECT_EQ(cluster::next_pause(30s, 1h), 1s);
}

TEST_F(private_cluster_test, has_its_socket_elsewhere_when_the_path_is_long) {
    folder = root / std::string(90, 'x') / "postgres";

    auto const cluster = start();

    ASSERT_TRUE(cluster);
    EXPECT_THAT(cluster->url(), HasSubstr("host='/tmp/postrider-"));
    EXPECT_TRUE(answers(cluster->url()));
}

TEST_F(private_cluster_test, tells_where_it_is_when_its_folder_cannot_be_entered) {
    if (geteuid() != 0) GTEST_SKIP() << "only root has a folder that its server cannot enter";
    auto const closed = root / "closed";
    fs::create_directories(closed);
    fs::permissions(closed, fs::perms::owner_all);
    folder = closed / "postgres";

    auto const cluster = start();

    ASSERT_TRUE(cluster);
    auto const used = cluster->folder();
    EXPECT_EQ(used.parent_path(), "/var/lib/postrider");
    EXPECT_TRUE(fs::exists(used / "data" / "PG_VERSION"));
    cluster->stop();
    fs::remove_all(used);
}

TEST_F(private_cluster_test, tells_what_to_install) {
    auto const cluster = start_private_cluster(folder, {root});

    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error(), errc::not_found);
    EXPECT_THAT(cluster.error().detail, HasSubstr("install the package postgresql"));
}

TEST_F(private_cluster_test, tells_which_version_a_cluster_belongs_to) {
    fs::create_directories(folder / "data");
    std::ofstream{folder / "start.lock"};
    std::ofstream{folder / "data" / "PG_VERSION"} << "99\n";
    if (geteuid() == 0) chown((folder / "data").c_str(), 65534, 65534);

    auto const cluster = start_private_cluster(folder, tests::quick_programs());

    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error(), errc::not_found);
    EXPECT_THAT(cluster.error().detail, HasSubstr("postgresql-99"));
}

TEST_F(private_cluster_test, refuses_a_server_that_is_too_old) {
    auto const programs = root / "bin";
    fs::create_directories(programs);
    for (auto const* name : {"initdb", "pg_ctl"}) write_program(programs / name, "exit 1");
    write_program(programs / "postgres", "echo 'postgres (PostgreSQL) 13.9'");

    auto const cluster = start_private_cluster(folder, {programs});

    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error(), errc::refused);
    EXPECT_THAT(cluster.error().detail, HasSubstr("Postgres 13 is too old"));
}

TEST_F(private_cluster_test, shows_the_log_when_the_server_does_not_start) {
    start()->stop();
    std::ofstream{folder / "data" / "postgresql.conf", std::ios::app}
        << "shared_buffers = nonsense\n";

    auto const cluster = start_private_cluster(folder, tests::quick_programs());

    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error(), errc::unavailable);
    EXPECT_THAT(cluster.error().detail, HasSubstr("nonsense"));
}

TEST_F(private_cluster_test, touches_no_folder_that_holds_something_else) {
    fs::create_directories(folder);
    std::ofstream{folder / "diary.txt"} << "mine";

    auto const cluster = start_private_cluster(folder, tests::quick_programs());

    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error(), errc::refused);
    EXPECT_THAT(cluster.error().detail, HasSubstr("holds other files"));
}

TEST(server_folders, begin_with_the_path_and_end_with_the_distributions) {
    auto const folders = server_folders("/first:relative::/second");

    ASSERT_GE(folders.size(), 2u);
    EXPECT_EQ(folders[0], "/first");
    EXPECT_EQ(folders[1], "/second");
    EXPECT_THAT(folders, testing::Contains(fs::path("/usr/bin")));
}

} // namespace
} // namespace postrider::storage::private_cluster_test
