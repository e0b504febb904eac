// Commands whose output nobody reads any more end instead of going on for nobody.
#include "server/cli/run.hpp"
#include "tests/integration/server/cli/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <future>
#include <sstream>

namespace postrider::cli::lost_output_test {
namespace {

using namespace std::chrono_literals;

// Refuses every byte.
class closed_pipe final : public std::streambuf {};

class lost_output : public testing::Test {
protected:
    struct outcome {
        int code;
        std::string err;
    };

    outcome run_into(std::streambuf& buffer, std::vector<std::string> const& args) {
        std::ostream out(&buffer);
        std::ostringstream err;
        int const code = run(args, {{"DATABASE_URL", database.url()}}, out, err);
        return {code, err.str()};
    }

    // How many rows of the audit an export reads: each draws a number.
    std::string rows_read_for(std::streambuf& buffer) {
        database.execute("alter sequence public.reads restart");
        run_into(buffer, {"audit", "export"});
        return database.value("select last_value from public.reads");
    }

    tests::test_database database;
};

TEST_F(lost_output, of_jobs_tail_ends_it) {
    database.execute(tests::one_turn);
    database.execute("insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, "
                     "state) values (44, 1, 9, 3, 'turn', 'available')");
    closed_pipe pipe;

    auto tail = std::async(std::launch::async, [&] {
        return run_into(pipe, {"jobs", "tail", "44"});
    });
    bool const ended = tail.wait_for(20s) == std::future_status::ready;
    if (!ended) std::raise(SIGINT);
    auto const told = tail.get();

    EXPECT_TRUE(ended);
    EXPECT_EQ(told.code, 1);
    EXPECT_THAT(told.err, testing::HasSubstr("could be written"));
}

TEST_F(lost_output, of_audit_export_ends_it_with_its_page) {
    database.execute(R"(
create sequence public.reads;
insert into postrider.audit (lane_id, number, created_at, kind, actor, subject, detail, hash)
select 1, n, postrider.now(), 'pause', 'someone', '', '{}', decode(repeat('00', 32), 'hex')
from generate_series(1, 2500) n;
alter table postrider.audit rename to audit_rows;
create view postrider.audit as select * from postrider.audit_rows where nextval('public.reads') > 0;
)");
    std::stringbuf file;
    closed_pipe pipe;

    auto const all = std::stoi(rows_read_for(file));
    auto const before_it_was_lost = std::stoi(rows_read_for(pipe));

    EXPECT_GE(all, 2500);
    EXPECT_LT(before_it_was_lost, all);
    EXPECT_EQ(run_into(pipe, {"audit", "export"}).code, 1);
}

} // namespace
} // namespace postrider::cli::lost_output_test
