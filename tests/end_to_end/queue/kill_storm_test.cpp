// Two workers on one database are killed again and again while jobs arrive. Every job comes to its
// end; a reply that may have been sent twice says so; only a job that kills its process fails.
#include "queue/store/enqueue.hpp"
#include "tests/end_to_end/queue/process.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

namespace postrider::tests::kill_storm_test {

namespace {

using namespace std::chrono_literals;

class storm {
public:
    storm() {
        database_.execute(
            "create table ledger (line text, at timestamptz default clock_timestamp())"
        );
        for (int n = 0; n < lanes; ++n)
            database_.execute(
                "insert into postrider.lane (lane_key) values ('chat " + std::to_string(n) + "')"
            );
        std::filesystem::remove(log_);
        for (auto& worker : workers_) worker = start();
    }
    ~storm() {
        for (auto& worker : workers_) worker.reset();
        std::filesystem::remove(log_);
    }

    std::string value(std::string_view sql) const { return database_.value(sql); }

    void enqueue(std::string kind, int thinks = 0) {
        lane_id const lane{1 + static_cast<int>(random_() % lanes)};
        queue::new_job const job{lane, std::move(kind), {{"thinks", thinks}}, {}};
        auto done = storage::run_blocking(database_.options(), [&](storage::transaction& tx) {
            queue::enqueue(tx, job);
        });
        done.value();
    }

    int any(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

    void kill_one() {
        auto& worker = workers_[static_cast<std::size_t>(any(2))];
        worker->end(SIGKILL);
        worker = start();
    }

    // Starts workers that died by themselves anew, until all jobs are over; returns how many died.
    int run_to_end(base::duration limit) {
        int deaths = 0;
        auto const until = std::chrono::steady_clock::now() + limit;
        while (value("select count(*) from postrider.job where finished_at is null") != "0") {
            for (auto& worker : workers_)
                if (!worker->running()) {
                    ++deaths;
                    worker = start();
                }
            if (std::chrono::steady_clock::now() > until)
                throw std::runtime_error(
                    "no end: " +
                    value("select string_agg(job_id || ' ' || state || ' ' || lost, ', ') "
                          "from postrider.job where finished_at is null") +
                    "\n" + log()
                );
            std::this_thread::sleep_for(20ms); // polling, not timing
        }
        return deaths;
    }

    std::string log() const {
        std::ifstream file(log_);
        std::stringstream all;
        all << file.rdbuf();
        auto text = all.str();
        return text.substr(text.size() - std::min<std::size_t>(text.size(), 20'000));
    }

private:
    static constexpr int lanes = 40;

    std::unique_ptr<process> start() {
        std::vector<std::string> const command{built("postrider_victim"), database_.url()};
        return std::make_unique<process>(command, log_);
    }

    test_database database_;
    std::string log_ =
        (std::filesystem::temp_directory_path() / ("storm-" + database_.name() + ".log")).string();
    std::array<std::unique_ptr<process>, 2> workers_;
    std::mt19937 random_{std::random_device{}()};
};

// covers: E.08 E.09 E.14
TEST(kill_storm, loses_no_job_and_doubles_no_reply_silently) {
    int const kills = std::getenv("POSTRIDER_LONG") ? 1000 : 20;
    storm s;
    int jobs = 0;

    for (int kill = 0; kill < kills; ++kill) {
        for (int arrivals = 0; arrivals < 6; ++arrivals, ++jobs) {
            s.enqueue("turn", s.any(300));
            std::this_thread::sleep_for(std::chrono::milliseconds{s.any(100)}); // the kill's moment
        }
        s.kill_one();
    }
    s.run_to_end(5min);

    EXPECT_EQ(
        s.value("select count(*) from postrider.job where state = 'completed'"),
        std::to_string(jobs)
    ) << "lost: "
      << s.value("select string_agg(job_id || ' ' || state || ' ' || coalesce(error, ''), ', ') "
                 "from postrider.job where state <> 'completed'");
    EXPECT_EQ(
        s.value("select count(distinct line) from ledger where line like 'reply %'"),
        std::to_string(jobs)
    ) << "silent";
    EXPECT_EQ(
        s.value(
            "select count(*) from (select line from ledger group by line having count(*) > 1) l "
            "where not exists (select from postrider.effect e where e.flagged "
            "and l.line = 'reply ' || e.job_id)"
        ),
        "0"
    ) << "unflagged";
    EXPECT_EQ(s.value("select count(*) from postrider.busy_lane"), "0");
    std::cout << kills << " kills, " << jobs << " jobs, "
              << s.value("select count(*) from postrider.effect where flagged") << " flagged, "
              << s.value("select count(*) from postrider.job where lost > 0")
              << " died alone at least once, "
              << s.value("select coalesce(max(lost), 0) from postrider.job") << " times at most\n";
}

// covers: E.09
TEST(kill_storm, a_job_that_kills_its_process_fails_alone_and_says_so) {
    storm s;
    for (int n = 0; n < 20; ++n) s.enqueue("turn", 300);
    s.enqueue("deadly");
    for (int n = 0; n < 20; ++n) s.enqueue("turn", 300);

    auto const deaths = s.run_to_end(2min);

    EXPECT_EQ(
        s.value("select string_agg(kind || ' ' || error_class, ', ') from postrider.job where "
                "state = 'failed'"),
        "deadly lost"
    );
    EXPECT_EQ(s.value("select count(*) from postrider.job where state = 'completed'"), "40");
    EXPECT_EQ(s.value("select count(*) from ledger where line = 'told'"), "1");
    EXPECT_EQ(s.value("select count(*) from ledger where line = 'died'"), std::to_string(deaths));
    EXPECT_EQ(deaths, 4) << "in company, and three times alone";
}

} // namespace

} // namespace postrider::tests::kill_storm_test
