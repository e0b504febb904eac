#include "agent/formats/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::formats::csv_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(csv, reads_what_rfc_4180_describes) {
    auto const rows = read_csv("a,b\r\n\"x, \"\"y\"\"\",\"two\r\nlines\"\r\n,\r\n", ',');
    ASSERT_TRUE(rows);
    EXPECT_THAT(
        *rows,
        ElementsAre(
            ElementsAre("a", "b"), ElementsAre("x, \"y\"", "two\r\nlines"), ElementsAre("", "")
        )
    );
}

TEST(csv, leaves_out_empty_lines_and_the_byte_order_mark) {
    auto const rows = read_csv(
        "\xEF\xBB\xBF"
        "a;b\n\n\r\n1;2",
        ';'
    );
    ASSERT_TRUE(rows);
    EXPECT_THAT(*rows, ElementsAre(ElementsAre("a", "b"), ElementsAre("1", "2")));
    EXPECT_TRUE(read_csv("", ',').value().empty());
}

TEST(csv, names_the_line_of_a_mistake) {
    struct mistake {
        std::string_view text;
        std::string_view reason;
    };
    for (auto const& [text, reason] : {
             mistake{"a\n\"b", "line 2: a quote is not closed"},
             mistake{"a\nb\"c", "line 2: a field with a quote"},
             mistake{"a\n\"b\"c\n", "line 2: there are characters behind"},
             mistake{"\"x\n\ny\"z", "line 3: there are characters behind"},
         }) {
        auto const rows = read_csv(text, ',');
        ASSERT_FALSE(rows) << text;
        EXPECT_EQ(rows.error().code, base::errc::invalid);
        EXPECT_THAT(rows.error().detail, HasSubstr(std::string(reason)));
    }
}

TEST(csv, is_bounded) {
    EXPECT_EQ(read_csv(std::string(most_csv_columns, ','), ',').error(), base::errc::too_large);
    std::string many;
    for (std::size_t i = 0; i <= most_csv_rows; ++i) many += "a\n";
    EXPECT_EQ(read_csv(many, ',').error(), base::errc::too_large);
    auto const wide = std::string(most_csv_columns - 1, ',') + '\n';
    std::string cells;
    for (std::size_t i = 0; i < most_csv_cells / most_csv_columns; ++i) cells += wide;
    EXPECT_TRUE(read_csv(cells, ','));
    EXPECT_EQ(read_csv(cells + wide, ',').error(), base::errc::too_large);
}

TEST(csv, reads_what_it_writes) {
    std::vector<csv_row> const rows{{"plain", "with, comma"}, {"\"quoted\"", "two\nlines"}, {""}};
    std::string text;
    for (auto const& row : rows) append_csv(text, row, ',');
    EXPECT_EQ(text, "plain,\"with, comma\"\r\n\"\"\"quoted\"\"\",\"two\nlines\"\r\n\"\"\r\n");
    EXPECT_EQ(read_csv(text, ',').value(), rows);
}

} // namespace
} // namespace postrider::agent::formats::csv_test
