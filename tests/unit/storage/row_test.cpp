#include "storage/database.hpp"

#include <gtest/gtest.h>

namespace postrider::storage::row_test {
namespace {

row const line{{"text", "-7", "t", R"({"a":1})", std::nullopt}};

TEST(row, reads_its_columns) {
    EXPECT_EQ(line.text(0), "text");
    EXPECT_EQ(line.int64(1), -7);
    EXPECT_TRUE(line.boolean(2));
    EXPECT_EQ(line.json(3).at("a").as_int64(), 1);
    EXPECT_EQ(line.id<job_id>(1), job_id{-7});
    EXPECT_EQ(line.size(), 5u);
}

TEST(row, gives_nulls_as_absent) {
    EXPECT_TRUE(line.null(4));
    EXPECT_EQ(line.optional_text(4), std::nullopt);
    EXPECT_EQ(line.optional_int64(4), std::nullopt);
    EXPECT_EQ(line.optional_int64(1), -7);
}

TEST(row, refuses_what_is_not_there) {
    EXPECT_THROW(line.text(4), database_error);
    EXPECT_THROW(line.text(5), database_error);
    EXPECT_THROW(line.int64(0), database_error);
    EXPECT_THROW(line.boolean(1), database_error);
    EXPECT_THROW(line.json(0), database_error);
}

TEST(row, tells_of_json_that_is_nested_too_deeply) {
    row const deep{{std::string(1001, '[') + std::string(1001, ']'), R"([1])"}};

    EXPECT_TRUE(deep.try_json(0).error() == base::errc::invalid);
    EXPECT_EQ(deep.try_json(1)->as_array().size(), 1u);
    EXPECT_THROW(deep.json(0), database_error);
}

TEST(row, does_not_put_values_into_its_complaints) {
    try {
        line.int64(0);
    } catch (database_error const& e) {
        EXPECT_EQ(std::string(e.what()).find("text"), std::string::npos);
    }
}

TEST(param, is_text_or_null) {
    EXPECT_EQ(param("x").text(), "x");
    EXPECT_EQ(param(std::int64_t{1} << 40).text(), "1099511627776");
    EXPECT_EQ(param(true).text(), "true");
    EXPECT_EQ(param(chat_id{-5}).text(), "-5");
    EXPECT_EQ(param(std::nullopt).text(), std::nullopt);
}

} // namespace
} // namespace postrider::storage::row_test
