#include "agent/talk/message_file.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::message_file_test {
namespace {

std::string_view kind(std::string mime, std::string name = "file", std::int64_t bytes = 10) {
    return readable_as({"BQAC", std::move(name), std::move(mime), bytes});
}

TEST(message_file, is_read_by_its_type_or_its_name) {
    EXPECT_EQ(kind("text/plain"), "text/plain");
    EXPECT_EQ(kind("Text/CSV; charset=utf-8"), "text/plain");
    EXPECT_EQ(kind("text/markdown"), "text/plain");
    EXPECT_EQ(kind("application/json"), "text/plain");
    EXPECT_EQ(kind("text/html"), "text/html");
    EXPECT_EQ(kind("application/octet-stream", "notes.MD"), "text/plain");
    EXPECT_EQ(kind("", "page.html"), "text/html");

    EXPECT_EQ(kind("application/pdf", "report.txt"), "") << "its type goes before its name";
    EXPECT_EQ(kind("text/rtf"), "");
    EXPECT_EQ(kind("application/octet-stream", "program.bin"), "");
    EXPECT_EQ(kind("application/octet-stream", "txt"), "");
    EXPECT_EQ(kind("image/png"), "");
}

TEST(message_file, is_not_read_beyond_a_size) {
    constexpr std::int64_t most{most_readable_bytes};
    EXPECT_EQ(kind("text/plain", "a.txt", most), "text/plain");
    EXPECT_EQ(kind("text/plain", "a.txt", most + 1), "");
    EXPECT_EQ(kind("text/plain", "a.txt", 0), "text/plain") << "the messenger does not say";
}

} // namespace
} // namespace postrider::agent::message_file_test
