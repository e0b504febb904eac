// Whose answer a line is that cannot be read.
#include "agent/mcp/answered_id.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::mcp::answered_id_test {
namespace {

TEST(answered_id, is_found_wherever_it_stands) {
    std::string const deep = std::string(100'000, '[') + std::string(100'000, ']');

    EXPECT_EQ(answered_id(R"({"id":7,"result":)" + deep + "}"), request_id{7});
    EXPECT_EQ(
        answered_id(R"( { "result" : )" + deep + R"(, "id" : "a\"b" } )"), request_id{"a\"b"}
    );
    EXPECT_EQ(answered_id("{\"error\":{\"id\":1,\"message\":\"\xff\"},\"id\":-2}"), request_id{-2});
    EXPECT_EQ(answered_id(R"({"id":7,"result":"{\"id\":8}"})"), request_id{7});
    EXPECT_EQ(answered_id(R"({"id":7,"result":[{)"), request_id{7}) << "cut";
}

TEST(answered_id, is_not_that_of_a_request_or_of_a_log) {
    for (auto const* line :
         {"",
          "{",
          "\"",
          R"({"id")",
          R"({"id":)",
          R"({"id":1.5,"result":{}})",
          R"({"id":null,"error":{}})",
          R"({"id":7,"method":"ping","error":"x"})",
          R"({"id":7,"params":{"result":1}})",
          R"({"level":30,"id":7,"msg":"result"})",
          R"(sent {"id":7,"result":{}})",
          R"([{"id":7,"result":{}}])"})
        EXPECT_FALSE(answered_id(line)) << line;
}

TEST(answered_id, need_not_show_for_an_answer_to_be_one) {
    EXPECT_TRUE(is_answer(R"({"result":{"text":"much)"));
    EXPECT_TRUE(is_answer(R"({"jsonrpc":"2.0","id":1,"error":)"));
    EXPECT_FALSE(is_answer(R"({"jsonrpc":"2.0","method":"x","params":{"result":)"));
    EXPECT_FALSE(is_answer(R"({"jsonrpc":"2.0","id":1)"));
    EXPECT_FALSE(is_answer(""));
}

} // namespace
} // namespace postrider::agent::mcp::answered_id_test
