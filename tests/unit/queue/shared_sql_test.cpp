// What is said of a lane stands in one place for all statements, functions and views. Tests start in
// the tree's root.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace postrider::tests::shared_sql_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

// With one blank for each run of blanks and ends of lines.
std::string folded_text(fs::path const& path) {
    static std::regex const blanks(R"(\s+)");
    std::ifstream file(path);
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    return std::regex_replace(text, blanks, " ");
}

std::vector<std::string> files_with(std::string const& text) {
    EXPECT_TRUE(fs::exists("sql/functions")) << "run this test in the root of the source tree";
    std::vector<std::string> files;
    for (auto const& each : fs::recursive_directory_iterator("sql"))
        if (each.is_regular_file() && folded_text(each.path()).find(text) != std::string::npos)
            files.push_back(each.path().string());
    std::ranges::sort(files);
    return files;
}

TEST(shared_sql, has_one_condition_of_a_lanes_live_jobs) {
    EXPECT_THAT(files_with("head and postrider.is_live("), ElementsAre("sql/functions/lanes.sql"));
}

TEST(shared_sql, has_one_list_of_what_a_lane_without_work_says) {
    EXPECT_THAT(
        files_with("suspect = 0, wants_mail = false,"), ElementsAre("sql/functions/lanes.sql")
    );
}

TEST(shared_sql, has_one_statement_that_enqueues) {
    EXPECT_THAT(
        files_with("arrivals = r.arrivals + excluded.arrivals"),
        ElementsAre("sql/statements/enqueue_turns.sql")
    );
}

} // namespace
} // namespace postrider::tests::shared_sql_test
