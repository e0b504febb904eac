// What statements here and functions in sql/ must say alike. Tests start in the tree's root.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <regex>

namespace postrider::tests::shared_sql_test {
namespace {

using testing::HasSubstr;

// With one blank for each run of blanks and ends of lines.
std::string folded(std::string const& text) {
    static std::regex const blanks(R"(\s+)");
    return std::regex_replace(text, blanks, " ");
}

std::string text_of(std::string const& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << "run this test in the root of the source tree";
    return folded({std::istreambuf_iterator<char>(file), {}});
}

std::string lanes_sql() {
    return text_of("sql/functions/lanes.sql");
}

// What stands for {{name}} in statements.
std::string part(std::string const& name) {
    std::ifstream file("sql/statements/parts/" + name + ".sql");
    EXPECT_TRUE(file) << name;
    std::string text;
    for (std::string line; std::getline(file, line);)
        if (!line.starts_with("--")) text += (text.empty() ? "" : " ") + line;
    return folded(text);
}

// A worker's condition, which knows a range of ids, as it is for those who know none.
std::string without_range(std::string condition) {
    std::string const range = " and j.job_id between $2::bigint and $3::bigint";
    auto const at = condition.find(range);
    if (at == condition.npos) {
        ADD_FAILURE() << "no range in: " << condition;
        return condition;
    }
    return condition.erase(at, range.size());
}

TEST(shared_sql, the_first_live_job_of_a_lane_is_the_same_for_all) {
    static std::regex const lane(R"(\bw\.lane_id\b)");
    static std::regex const head(R"(\bw\.head\b)");
    auto const condition = without_range(part("live_jobs"));
    auto const as_a_function =
        std::regex_replace(std::regex_replace(condition, lane, "lane"), head, "head");
    EXPECT_THAT(
        lanes_sql(),
        HasSubstr("from postrider.job j where " + as_a_function + " order by j.job_id limit 1 $$;")
    );
}

TEST(shared_sql, the_live_jobs_of_a_lane_are_the_same_for_people) {
    static std::regex const row(R"(\bw\.)");
    auto const condition = std::regex_replace(without_range(part("live_jobs")), row, "r.");
    auto const jobs = text_of("sql/views/jobs.sql");
    EXPECT_THAT(jobs, HasSubstr("from postrider.job j where " + condition + " order by"));
    EXPECT_THAT(jobs, HasSubstr("join postrider.job j on " + condition + " where"));
    EXPECT_THAT(
        text_of("sql/views/lanes.sql"),
        HasSubstr("from postrider.job j where " + condition + ") as live_jobs")
    );
}

TEST(shared_sql, a_lane_without_work_is_the_same_for_all) {
    EXPECT_THAT(
        lanes_sql(),
        HasSubstr("update postrider.lane_run set " + part("idle_lane") + " where lane_id")
    );
}

} // namespace
} // namespace postrider::tests::shared_sql_test
