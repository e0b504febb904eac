#include "base/environment_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::base::environment_file_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(environment_file, is_lines_of_names_and_values) {
    auto const file = parse_environment_file(
        "a.env",
        "# of the server\n\n; and its tools\r\nA=1\r\n  B = two words \nEMPTY=\nC=a=b#c\nA=3"
    );

    EXPECT_THAT(file.problems, IsEmpty());
    EXPECT_THAT(
        file.values,
        ElementsAre(Pair("A", "3"), Pair("B", "two words"), Pair("C", "a=b#c"), Pair("EMPTY", ""))
    );
    EXPECT_THAT(file.lines, testing::Contains(Pair("A", 8)));
}

TEST(environment_file, quotes_frame_a_value) {
    auto const file = parse_environment_file("a.env", R"(A=" blank "
B='as "it" \ is'
C="a \"quoted\" \\ word \n"
D="")");

    EXPECT_THAT(file.problems, IsEmpty());
    EXPECT_EQ(file.values.at("A"), " blank ");
    EXPECT_EQ(file.values.at("B"), R"(as "it" \ is)");
    EXPECT_EQ(file.values.at("C"), R"(a "quoted" \ word \n)");
    EXPECT_EQ(file.values.at("D"), "");
}

TEST(environment_file, problems_name_their_lines_and_no_values) {
    auto const file = parse_environment_file(
        "a.env", "GOOD=1\nexport A=s3cret\n1A=s3cret\njust words\nB=\"s3cret\nC='s3cret' x\n"
    );

    EXPECT_THAT(
        file.problems,
        ElementsAre(
            "a.env:2: the line is not NAME=value",
            "a.env:3: the line is not NAME=value",
            "a.env:4: the line is not NAME=value",
            "a.env:5: quotes must frame the whole value of B, and a comment needs its own line",
            "a.env:6: quotes must frame the whole value of C, and a comment needs its own line"
        )
    );
    EXPECT_THAT(file.values, ElementsAre(Pair("GOOD", "1")));
}

// Compose takes it for a comment, systemd and docker run for a part of the value.
TEST(environment_file, a_value_with_a_comment_behind_it_is_a_problem) {
    auto const file = parse_environment_file("a.env", "A=1 # x\nB=\t# x\nC='2' # x\nD='3 # 4'");

    EXPECT_EQ(file.problems.size(), 3u);
    EXPECT_THAT(file.values, ElementsAre(Pair("D", "3 # 4")));
}

TEST(environment_file, that_is_there_and_cannot_be_read_is_a_problem) {
    EXPECT_THAT(read_environment_file("/", false).problems, ElementsAre("cannot read the file /"));
}

TEST(environment_file, that_is_missing_is_a_problem_where_it_is_required) {
    EXPECT_THAT(read_environment_file("no/such.env", false).problems, IsEmpty());
    EXPECT_THAT(
        read_environment_file("no/such.env", true).problems,
        ElementsAre("cannot read the file no/such.env")
    );
}

} // namespace
} // namespace postrider::base::environment_file_test
