#include "net/sse.hpp"

#include <gtest/gtest.h>

namespace postrider::net::sse_test {
namespace {

TEST(sse, says_id_type_and_data) {
    EXPECT_EQ(
        to_text({"node_finished", R"({"node": "a"})", "7"}),
        "id: 7\nevent: node_finished\ndata: {\"node\": \"a\"}\n\n"
    );
}

TEST(sse, leaves_out_what_is_not_there) {
    EXPECT_EQ(to_text({"", "x"}), "data: x\n\n");
    EXPECT_EQ(to_text({"ended", ""}), "event: ended\ndata: \n\n");
}

TEST(sse, makes_a_field_of_each_line_whatever_breaks_it) {
    EXPECT_EQ(to_text({"", "a\nb\r\nc\rd"}), "data: a\ndata: b\ndata: c\ndata: d\n\n");
    EXPECT_EQ(to_text({"", "a\n"}), "data: a\ndata: \n\n");
    EXPECT_EQ(to_text({"", "\r\n\r\n"}), "data: \ndata: \ndata: \n\n");
}

TEST(sse, tells_an_id_alone) {
    EXPECT_EQ(to_text({"", "", "7"}), "id: 7\n\n");
    EXPECT_EQ(to_text({"", "", ""}), "data: \n\n");
}

TEST(sse, does_not_let_a_type_or_id_write_fields) {
    EXPECT_EQ(
        to_text({"a\ndata: forged", "x", std::string("1\0002", 3)}), "id: 1\nevent: a\ndata: x\n\n"
    );
}

} // namespace
} // namespace postrider::net::sse_test
