// A worker process is killed at every commit of a job that sleeps, waits, retries, sends and rolls
// back, and started again. The job must come to its end; what was recorded is never done again.
#include "tests/end_to_end/queue/process.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace postrider::tests::kill_test {

namespace {

using namespace std::chrono_literals;

class stage {
public:
    explicit stage(bool fails) {
        database_.execute(
            "create table ledger (line text, at timestamptz default clock_timestamp())"
        );
        database_.execute("insert into postrider.lane (lane_key) values ('journey')");
        database_.execute(
            "with j as (insert into postrider.job (job_id, lane_id, conversation_id, arrival, "
            "kind, state, input) "
            "select nextval('postrider.number'), lane_id, 1, 1, 'journey', 'available', "
            "'{\"fails\": " +
            std::string(fails ? "true" : "false") +
            "}' from postrider.lane returning job_id, lane_id) "
            "update postrider.lane_run r set ready_at = postrider.now(), arrivals = 1, "
            "head = job_id from j where r.lane_id = j.lane_id"
        );
    }

    ~stage() {
        process_.reset();
        std::filesystem::remove(log_);
    }

    std::string value(std::string_view sql) const { return database_.value(sql); }

    void start(std::string const& faults = "") {
        std::vector<std::string> command{built("postrider_victim"), database_.url()};
        if (!faults.empty()) command.push_back(faults);
        process_ = std::make_unique<process>(command, log_);
    }

    // Runs the job to its end, bringing every pause to its end at once. True when the process was
    // killed on the way; it was started again then.
    bool run_to_end(std::string const& faults) {
        start(faults);
        bool killed = false;
        auto const until = std::chrono::steady_clock::now() + 60s;
        while (value("select finished_at is null from postrider.job") == "t") {
            if (!process_->running()) {
                if (std::exchange(killed, true)) throw std::runtime_error("died twice\n" + log());
                start();
            }
            hurry();
            if (std::chrono::steady_clock::now() > until)
                throw std::runtime_error(
                    "no end: " + value("select state from postrider.job") + "\n" + log()
                );
            std::this_thread::sleep_for(10ms); // polling, not timing
        }
        // A kill right after the last commit.
        if (!process_->running()) return true;
        process_->end(SIGTERM);
        return killed;
    }

    int times(std::string const& line) const {
        return std::stoi(value("select count(*) from ledger where line = '" + line + "'"));
    }

    std::string log() const {
        std::ifstream file(log_);
        std::stringstream all;
        all << file.rdbuf();
        return all.str();
    }

private:
    // What a parked job waits for is there.
    void hurry() {
        database_.execute(
            "update postrider.step set next_at = postrider.now() "
            "where outcome in ('done', 'retry') and next_at > postrider.now();"
            "update postrider.job set due_at = postrider.now() where state in ('waiting', "
            "'retryable') and kind = 'journey' "
            "and job_id not in (select job_id from postrider.wait);"
            "update postrider.lane_run r set ready_at = postrider.now() where node_id is null and "
            "ready_at > postrider.now() "
            "and not exists (select from postrider.wait w where w.lane_id = r.lane_id);"
            "select postrider.deliver_event(lane_id, job_id, 'ticket', '7', null) from "
            "postrider.wait w "
            "where not exists (select from postrider.event e where e.lane_id = w.lane_id)"
        );
    }

    test_database database_;
    std::string log_ =
        (std::filesystem::temp_directory_path() / ("victim-" + database_.name() + ".log")).string();
    std::unique_ptr<process> process_;
};

struct killed_at {
    std::string point;
    bool fails;
};

class victim : public testing::TestWithParam<killed_at> {};

// The n-th time, for every n, until the job ends before the point is met so often.
// covers: E.07 E.08 E.09 E.14
TEST_P(victim, comes_to_the_same_end_wherever_it_is_killed) {
    auto const [point, fails] = GetParam();
    int n = 1;
    for (bool killed = true; killed; ++n) {
        ASSERT_LT(n, 40);
        SCOPED_TRACE("killed at " + point + ", time " + std::to_string(n));
        stage s(fails);
        killed = s.run_to_end(point + ":kill:" + std::to_string(n));

        ASSERT_EQ(s.value("select state from postrider.job"), fails ? "failed" : "completed")
            << s.log();
        EXPECT_EQ(
            s.value("select coalesce(string_agg(key, ' '), 'none') from (select key from "
                    "postrider.step "
                    "where outcome <> 'retry' group by key having count(*) > 1) twice"),
            "none"
        );
        EXPECT_EQ(s.value("select count(*) from postrider.busy_lane"), "0");
        EXPECT_EQ(
            s.value("select (select count(*) from postrider.wait) + (select count(*) from "
                    "postrider.event)"),
            "0"
        );
        // One step may have been under way when it died; the others ran once.
        int doubled = 0;
        for (std::string const line : {"pack", "write", "card", "unpack"}) {
            bool const undone = line == "unpack";
            int const least = undone && !fails ? 0 : 1;
            EXPECT_GE(s.times(line), least) << line;
            EXPECT_LE(s.times(line), least == 0 ? 0 : least + 1) << line;
            doubled += s.times(line) > least;
        }
        for (std::string const line : {"board", "get off"}) {
            int const least = line == "get off" && !fails ? 0 : 2;
            EXPECT_GE(s.times(line), least) << line;
            EXPECT_LE(s.times(line), least == 0 ? 0 : least + 1) << line;
            doubled += s.times(line) > least;
        }
        EXPECT_LE(doubled, killed ? 1 : 0) << s.log();
        if (s.times("card") > 1) {
            EXPECT_EQ(s.value("select flagged from postrider.effect where key = 'card'"), "t");
        }
        EXPECT_LE(std::stoi(s.value("select lost from postrider.job")), killed ? 1 : 0);
    }
    EXPECT_GT(n, 6) << "the point was met too seldom to prove anything";
}

std::vector<killed_at> points() {
    std::vector<killed_at> all;
    for (auto const* point : {"checkpoint.before_commit", "checkpoint.after_commit"})
        for (bool const fails : {false, true}) all.push_back({point, fails});
    return all;
}

INSTANTIATE_TEST_SUITE_P(at, victim, testing::ValuesIn(points()), [](auto const& each) {
    auto name = each.param.point + (each.param.fails ? "_of_a_rollback" : "");
    std::ranges::replace(name, '.', '_');
    return name;
});

// covers: E.07
TEST(example, of_the_documents_charges_once_and_refunds_when_the_courier_never_comes) {
    test_database database;
    auto const log =
        (std::filesystem::temp_directory_path() / ("order-" + database.name() + ".log")).string();
    std::filesystem::remove(log);
    process example({built("postrider_example_order"), database.url(), "book"}, log);
    auto until = [&](std::string_view sql, std::string_view wanted) {
        auto const limit = std::chrono::steady_clock::now() + 30s;
        while (database.value(sql) != wanted && std::chrono::steady_clock::now() < limit)
            std::this_thread::sleep_for(10ms);
        return database.value(sql);
    };
    ASSERT_EQ(until("select state from postrider.job", "waiting"), "waiting");
    example.end(SIGKILL);
    process again({built("postrider_example_order"), database.url()}, log);

    database.execute("update postrider.wait set until_at = now()");
    database.execute("update postrider.job set due_at = now()");
    database.execute("update postrider.lane_run set ready_at = now()");
    ASSERT_EQ(until("select state from postrider.job", "failed"), "failed");
    auto const limit = std::chrono::steady_clock::now() + 30s;
    while (again.running() && std::chrono::steady_clock::now() < limit)
        std::this_thread::sleep_for(5ms);

    EXPECT_FALSE(again.running()) << "it ends when there is nothing left to do";
    EXPECT_EQ(again.exit_code(), 0);
    std::ifstream file(log);
    std::string said;
    for (std::string line; std::getline(file, line);)
        if (line.find('=') == line.npos) said += line + "\n";
    EXPECT_EQ(said, "charge\nrefund\n");
    std::filesystem::remove(log);
}

} // namespace

} // namespace postrider::tests::kill_test
