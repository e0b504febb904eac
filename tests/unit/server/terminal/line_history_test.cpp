#include "server/terminal/line_history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace postrider::terminal::line_history_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class line_history_test : public testing::Test {
protected:
    line_history_test()
        : folder_(fs::temp_directory_path() / ("line_history." + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~line_history_test() override { fs::remove_all(folder_); }

    fs::path file() const { return folder_ / "history"; }

private:
    fs::path folder_;
};

TEST_F(line_history_test, keeps_lines_as_they_are_for_its_user_alone) {
    line_history first(file());
    first.add("buy milk");
    first.add("two\nlines \\n of it");

    EXPECT_THAT(line_history(file()).load(), ElementsAre("buy milk", "two\nlines \\n of it"));
    EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(line_history_test, is_bounded) {
    {
        std::ofstream old(file());
        for (int i = 0; i < 1500; ++i) old << "line " << i << '\n';
    }
    line_history history(file());
    history.add("the newest");
    history.add(std::string(5000, 'x'));

    auto const lines = line_history(file()).load();
    EXPECT_EQ(lines.size(), 1000u);
    EXPECT_EQ(lines.front(), "line 501");
    EXPECT_EQ(lines.back(), "the newest");
    EXPECT_LT(fs::file_size(file()), 12'000u) << "the file is";
}

TEST_F(line_history_test, goes_without_a_file) {
    line_history nowhere(file() / "below" / "a file");
    nowhere.add("x");
    line_history none(fs::path{});
    none.add("x");

    EXPECT_THAT(nowhere.load(), IsEmpty());
    EXPECT_THAT(none.load(), IsEmpty());
}

} // namespace
} // namespace postrider::terminal::line_history_test
