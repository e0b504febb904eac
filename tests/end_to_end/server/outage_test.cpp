// The database goes away under the real binary and comes back.
#include "storage/private_cluster.hpp"
#include "tests/end_to_end/server/open_folder.hpp"
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <signal.h>

namespace postrider::tests::outage_test {

namespace {

using namespace std::chrono_literals;

int postmaster_of(std::filesystem::path const& cluster) {
    std::ifstream in(cluster / "data/postmaster.pid");
    int pid = 0;
    return in >> pid ? pid : 0;
}

// A Postgres of this test's own, that may be hurt.
class fragile_postgres {
public:
    fragile_postgres() { start(); }
    ~fragile_postgres() {
        thaw();
        if (cluster_) cluster_->stop();
    }

    std::string url() const { return cluster_->url(); }

    void restart() {
        cluster_->stop();
        start();
    }
    void freeze() { tell(SIGSTOP); }
    void thaw() { tell(SIGCONT); }

    std::string value(std::string const& sql) const {
        storage::database_options options;
        options.url = url();
        std::string found;
        auto done = storage::run_blocking(options, [&](storage::transaction& tx) {
            auto rows = tx.query(storage::statement{"test", sql});
            if (!rows.empty()) found = rows.front().optional_text(0).value_or("");
        });
        return done ? found : base::to_string(done.error());
    }

private:
    void start() {
        auto started = storage::start_private_cluster(folder_.path() / "pg", quick_programs());
        if (!started) throw std::runtime_error(base::to_string(started.error()));
        cluster_ = std::move(*started);
    }

    // The postmaster and every process it has started.
    void tell(int signal) const {
        auto const parent = postmaster_of(folder_.path() / "pg");
        if (parent == 0) return;
        ::kill(parent, signal);
        for (auto const& entry : std::filesystem::directory_iterator("/proc")) {
            std::ifstream in(entry.path() / "stat");
            std::string line;
            if (!std::getline(in, line)) continue;
            auto const end = line.rfind(')');
            std::istringstream rest(line.substr(end + 2));
            std::string state;
            int ppid = 0;
            rest >> state >> ppid;
            if (ppid == parent) ::kill(std::stoi(entry.path().filename()), signal);
        }
    }

    open_folder folder_;
    std::unique_ptr<storage::private_cluster> cluster_;
};

int occurrences(std::string_view text, std::string_view pattern) {
    int count = 0;
    for (auto at = text.find(pattern); at != text.npos; at = text.find(pattern, at + 1)) ++count;
    return count;
}

bool all_completed(fragile_postgres& pg, std::string const& jobs) {
    return eventually(
        [&] {
            return pg.value("select count(*) from postrider.job where state = 'completed'") ==
                       jobs &&
                   pg.value("select count(*) from postrider.busy_lane") == "0";
        },
        40s
    );
}

// covers: E.05 E.20
TEST(postgres, restarts_and_nothing_is_lost_or_doubled) {
    fragile_postgres pg;
    scene s(environment{{"DATABASE_URL", pg.url()}});
    auto slow = fake_reply::saying("the slow answer");
    slow.delay = 1s;
    s.models.script(slow);
    s.product().start();
    s.say(alice, "before the restart");
    ASSERT_TRUE(s.models.wait_for_requests(1, 10s)) << s.product().log();

    pg.restart();
    s.say(bob, "after the restart");

    ASSERT_TRUE(s.replies(2, 40s)) << s.product().log();
    ASSERT_TRUE(all_completed(pg, "2")) << s.product().log();
    EXPECT_EQ(s.texts().size(), 2u);
    EXPECT_EQ(s.models.requests().size(), 2u)
        << "the model's answer was kept while the database was away";
    EXPECT_EQ(s.product().stop(), 0);
}

// covers: E.05
TEST(postgres, stands_still_and_the_edge_says_so) {
    fragile_postgres pg;
    scene s(environment{{"DATABASE_URL", pg.url()}});
    s.product().start();
    auto const port = s.product().port();
    s.say(alice, "hello");
    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(all_completed(pg, "1"));
    auto const update = update_json(s.telegram.next_update_id(), alice, "while it stands");

    pg.freeze();
    auto refused = post_update(port, s.secret, update);
    auto healthy = get(port, "/healthz");
    bool const unready = eventually([&] { return get(port, "/readyz").status == 503; }, 30s);
    pg.thaw();

    EXPECT_EQ(refused.status, 503);
    EXPECT_NE(refused.head.find("Retry-After: "), std::string::npos) << refused.head;
    EXPECT_EQ(healthy.status, 200);
    EXPECT_TRUE(unready);
    ASSERT_TRUE(eventually([&] { return get(port, "/readyz").status == 200; }, 30s))
        << s.product().log();
    EXPECT_EQ(post_update(port, s.secret, update).status, 200);
    ASSERT_TRUE(s.replies(2, 30s)) << s.product().log();
    ASSERT_TRUE(all_completed(pg, "2")) << s.product().log();
    EXPECT_EQ(s.texts().size(), 2u)
        << "the first post may have been committed; it is one update all the same";
}

// A standby, before it is promoted.
TEST(postgres, that_is_read_only_at_the_start_is_told_at_once_and_waited_for) {
    scene s;
    std::string const database = "begin read write; alter database " + s.database.name();
    s.database.execute(database + " set default_transaction_read_only = on; commit");

    s.product().launch();
    bool const told = eventually([&] {
        return s.product().log().find("start.database_refuses") != std::string::npos;
    });
    s.database.execute(database + " reset default_transaction_read_only; commit");

    auto const port = s.product().port();
    EXPECT_TRUE(eventually([&] { return get(port, "/readyz").status == 200; }, 60s));
    auto const log = s.product().log();
    EXPECT_TRUE(told);
    EXPECT_NE(log.find("the database is read-only"), std::string::npos) << log;
    EXPECT_EQ(occurrences(log, "start.database_refuses"), 1) << log;
    EXPECT_EQ(occurrences(log, "start.waiting_for_database"), 0) << log;
}

// A start that waits is stopped at once, and is no failure.
TEST(postgres, that_does_not_answer_at_the_start_keeps_nobody_from_stopping_it) {
    product waiting{{{"DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none"}}};
    waiting.launch({{"TELEGRAM_BOT_TOKEN", "1:token"}});
    ASSERT_TRUE(eventually([&] {
        return waiting.log().find("start.waiting_for_database") != std::string::npos;
    })) << waiting.log();

    EXPECT_EQ(waiting.stop(), 0) << waiting.log();
    EXPECT_NE(waiting.log().find("server.stopped"), std::string::npos) << waiting.log();
}

TEST(postgres, without_room_is_told_once_and_until_it_has_some_again) {
    scene s;
    s.product().start();
    auto const port = s.product().port();
    s.database.execute(
        "create function public.refuse() returns trigger language plpgsql as $$ begin "
        "raise exception 'could not extend file' using errcode = '53100'; end $$; "
        "create trigger refuse before insert on postrider.inbox for each row "
        "execute function public.refuse()"
    );
    auto const update = update_json(s.telegram.next_update_id(), alice, "no room for it");

    auto const first = post_update(port, s.secret, update);
    auto const second = post_update(port, s.secret, update);
    auto const unready = get(port, "/readyz");
    s.database.execute("drop trigger refuse on postrider.inbox");

    EXPECT_EQ(first.status, 503);
    EXPECT_EQ(second.status, 503);
    EXPECT_EQ(unready.status, 503);
    EXPECT_NE(unready.body.find("the disk of the database is full"), std::string::npos);
    EXPECT_TRUE(eventually([&] { return get(port, "/readyz").status == 200; }, 30s));
    auto const log = s.product().log();
    EXPECT_EQ(occurrences(log, "error database.commits_refused"), 1) << log;
    EXPECT_EQ(occurrences(log, "info database.commits_resumed"), 1) << log;
    EXPECT_EQ(post_update(port, s.secret, update).status, 200);
    EXPECT_TRUE(s.comes_true("select count(*) = 1 from postrider.job where state = 'completed'"))
        << s.product().log();
}

TEST(postgres, of_its_own_is_started_again_when_it_was_killed) {
    open_folder const data;
    scene s(environment{{"DATABASE_URL", ""}, {"POSTRIDER_DATA", data.path().string()}});
    s.product().start();
    auto const port = s.product().port();
    s.say(alice, "before");
    ASSERT_TRUE(s.replies(1)) << s.product().log();

    ASSERT_EQ(::kill(postmaster_of(data.path() / "postgres"), SIGKILL), 0);
    s.say(bob, "while it is gone");

    ASSERT_TRUE(s.replies(2, 60s)) << s.product().log();
    EXPECT_TRUE(eventually([&] { return get(port, "/readyz").status == 200; }, 30s))
        << s.product().log();
    EXPECT_EQ(s.texts().size(), 2u);
    EXPECT_EQ(s.product().stop(), 0);
    EXPECT_EQ(postmaster_of(data.path() / "postgres"), 0) << "it is stopped with its server";
}

TEST(postgres, that_stands_still_does_not_keep_the_product_from_stopping) {
    fragile_postgres pg;
    scene s(environment{{"DATABASE_URL", pg.url()}, {"POSTRIDER_DRAIN_TIMEOUT", "500ms"}});
    auto held = fake_reply::saying("never");
    held.hold = true;
    s.models.script(held);
    s.product().start();
    s.say(alice, "hello");
    ASSERT_TRUE(s.models.wait_for_requests(1, 10s));

    pg.freeze();
    s.product().stop();
    pg.thaw();

    EXPECT_FALSE(s.product().running());
    s.models.release();
    s.product().start();
    ASSERT_TRUE(s.replies(1, 30s)) << s.product().log();
}

} // namespace

} // namespace postrider::tests::outage_test
