// What statements here and functions in sql/ must say alike. Tests start in the tree's root.
#include "queue/store/live_jobs_sql.hpp"
#include "queue/store/sql.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <regex>

namespace postrider::tests {
namespace {

using testing::HasSubstr;

// With one blank for each run of blanks and ends of lines.
std::string folded(std::string const& text) {
    static std::regex const blanks(R"(\s+)");
    return std::regex_replace(text, blanks, " ");
}

std::string lanes_sql() {
    std::ifstream file("sql/functions/lanes.sql");
    EXPECT_TRUE(file) << "run this test in the root of the source tree";
    return folded({std::istreambuf_iterator<char>(file), {}});
}

TEST(shared_sql, the_first_live_job_of_a_lane_is_the_same_for_all) {
    std::string here = POSTRIDER_LIVE_JOBS("t.");
    std::string const range = " and j.job_id between $2::bigint and $3::bigint";
    auto const at = here.find(range);
    ASSERT_NE(at, here.npos);
    here.erase(at, range.size());

    static std::regex const lane(R"(\bt\.lane_id\b)");
    static std::regex const head(R"(\bt\.head\b)");
    auto const as_a_function =
        std::regex_replace(std::regex_replace(here, lane, "lane"), head, "head");
    EXPECT_THAT(
        lanes_sql(),
        HasSubstr("from postrider.job j where " + as_a_function + " order by j.job_id limit 1 $$;")
    );
}

TEST(shared_sql, a_lane_without_work_is_the_same_for_all) {
    EXPECT_THAT(
        lanes_sql(),
        HasSubstr("update postrider.lane_run set " + folded(POSTRIDER_IDLE_LANE) + " where lane_id")
    );
}

} // namespace
} // namespace postrider::tests
