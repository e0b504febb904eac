// A standby is promoted while the real binary works: the database that was there before is gone.
#include "storage/cluster/command.hpp"
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/open_folder.hpp"
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace postrider::tests::failover_test {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// A primary, and a standby that has each commit before it is answered.
class replicated_postgres {
public:
    replicated_postgres() {
        for (auto const* each : {"one", "two"}) {
            fs::create_directory(socket_of(each));
            fs::permissions(socket_of(each), fs::perms::all);
        }
        run({program("initdb"), "-D", at("one"), "-U", "postrider", "--auth=trust", "--no-sync"});
        configure("one");
        start("one");
        run({program("createdb"), "-h", socket_of("one"), "-U", "postrider", "postrider"});
        run(
            {program("pg_basebackup"),
             "-h",
             socket_of("one"),
             "-U",
             "postrider",
             "-D",
             at("two"),
             "-R",
             "-c",
             "fast",
             "--no-sync"}
        );
        configure("two");
        start("two");
        tell_primary("alter system set synchronous_standby_names = '*'");
        tell_primary("select pg_reload_conf()");
        if (!eventually([&] {
                return value("select sync_state from pg_stat_replication") == "sync";
            }))
            throw std::runtime_error("the standby does not follow");
    }
    ~replicated_postgres() {
        for (auto const* each : {"one", "two"})
            (void)storage::cluster::run(
                {program("pg_ctl"), "-D", at(each), "-m", "immediate", "stop"}, account_
            );
    }

    std::string url() const {
        return "host=" + socket_of("one") + "," + socket_of("two") +
               " user=postrider dbname=postrider";
    }
    // The primary dies, and the standby takes its place.
    void fail_over() {
        run({program("pg_ctl"), "-D", at("one"), "-m", "immediate", "stop"});
        run({program("pg_ctl"), "-D", at("two"), "-w", "promote"});
    }
    std::string value(std::string const& sql) const {
        storage::database_options options;
        options.url = url();
        std::string found;
        auto const done = storage::run_blocking(options, [&](storage::transaction& tx) {
            auto const rows = tx.query(storage::statement{"test", sql});
            if (!rows.empty()) found = rows.front().optional_text(0).value_or("");
        });
        return done ? found : base::to_string(done.error());
    }

private:
    std::string at(std::string const& name) const { return (folder_.path() / name).string(); }
    // Not in the data's folder, which is copied.
    std::string socket_of(std::string const& name) const { return at(name) + "-socket"; }
    static std::string program(std::string const& name) {
        auto const found = find_program(name);
        if (!found) throw std::runtime_error("there is no " + name);
        return found->string();
    }
    void run(std::vector<std::string> const& words) const {
        auto const ended = storage::cluster::run(words, account_);
        if (ended.status != 0) throw std::runtime_error(words.front() + ": " + ended.output);
    }
    void configure(std::string const& name) const {
        std::ofstream(folder_.path() / name / "postgresql.conf", std::ios::app)
            << "listen_addresses = ''\nunix_socket_directories = '" << socket_of(name)
            << "'\nfsync = off\nmax_connections = 100\n";
    }
    void start(std::string const& name) const {
        run({program("pg_ctl"), "-D", at(name), "-w", "-l", at(name) + ".log", "start"});
    }
    void tell_primary(std::string const& sql) const {
        run({program("psql"), "-h", socket_of("one"), "-U", "postrider", "-c", sql, "postrider"});
    }

    open_folder folder_;
    storage::cluster::account account_ =
        storage::cluster::account_for(folder_.path() / "none").value();
};

// covers: E.20 X.17
TEST(postgres, fails_over_to_a_standby_under_load_and_nothing_is_lost_or_doubled) {
    replicated_postgres pg;
    scene s(environment{{"DATABASE_URL", pg.url()}});
    s.product().start();
    std::size_t said = 0;
    auto const say = [&] {
        ++said;
        s.say(alice, "message " + std::to_string(said));
        s.say(bob, "message " + std::to_string(said));
    };
    for (int round = 0; round < 5; ++round) {
        say();
        ASSERT_TRUE(s.replies(2 * said)) << s.product().log();
    }
    auto slow = fake_reply::saying("the slow answer");
    slow.delay = 1s;
    s.models.script(slow);
    s.models.script(slow);
    say();
    ASSERT_TRUE(s.models.wait_for_requests(12, 20s)) << s.product().log();

    pg.fail_over();
    std::jthread const load([&] {
        for (int round = 0; round < 5; ++round) {
            say();
            (void)s.replies(2 * said, 60s);
        }
    });
    ASSERT_TRUE(eventually([&] { return s.replies(22, 1s); }, 90s)) << s.product().log();

    ASSERT_TRUE(eventually(
        [&] {
            return pg.value("select count(*) from postrider.job where state = 'completed'") == "22";
        },
        40s
    )) << s.product().log();
    EXPECT_EQ(s.texts().size(), 22u) << "each once";
    EXPECT_EQ(s.models.requests().size(), 22u) << "no model was asked twice";
    EXPECT_EQ(pg.value("select count(*) from postrider.message where role = 'user'"), "22");
    EXPECT_EQ(pg.value("select count(*) from postrider.effect where state <> 'done'"), "0");
    EXPECT_EQ(pg.value("select pg_is_in_recovery()"), "f");
    EXPECT_EQ(s.product().stop(), 0);
}

} // namespace
} // namespace postrider::tests::failover_test
