#include "agent/mcp/json_rpc.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::mcp::json_rpc_test {
namespace {

rpc_failure refused(std::string_view text, message_limits const& limits = {}) {
    auto parsed = parse_message(text, limits);
    EXPECT_FALSE(parsed) << text;
    return parsed ? rpc_failure{} : parsed.error().answer;
}

TEST(json_rpc, reads_the_four_kinds_of_message) {
    auto request = parse_message(R"({"jsonrpc":"2.0","id":"a","method":"ping"})").value();
    auto notification = parse_message(R"({"jsonrpc":"2.0","method":"x","params":{"n":1}})").value();
    auto result = parse_message(R"({"jsonrpc":"2.0","id":7,"result":{"ok":true}})").value();
    auto failed =
        parse_message(
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no","data":[1]}})"
        )
            .value();

    EXPECT_EQ(std::get<rpc_request>(request).id, request_id{"a"});
    EXPECT_TRUE(std::get<rpc_request>(request).params.empty());
    EXPECT_EQ(std::get<rpc_notification>(notification).params.at("n"), 1);
    EXPECT_EQ(std::get<rpc_result>(result).id, request_id{std::int64_t{7}});
    EXPECT_FALSE(std::get<rpc_failure>(failed).id);
    EXPECT_EQ(std::get<rpc_failure>(failed).error.data, json::value(json::array{1}));
}

TEST(json_rpc, writes_what_it_reads_on_one_line) {
    for (std::string const text : {
             R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"text":"a\nb"}})",
             R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
             R"({"jsonrpc":"2.0","id":"x","result":{"number":0.5}})",
             R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}})",
         }) {
        auto const written = to_text(parse_message(text).value());

        EXPECT_EQ(written, text);
        EXPECT_EQ(written.find('\n'), written.npos);
    }
}

// As serializers write what they have none of.
TEST(json_rpc, takes_null_for_members_that_need_not_be_there) {
    auto const result = parse_message(
        R"({"jsonrpc":"2.0","id":1,"method":null,"params":null,"result":{},"error":null})"
    );
    auto const failed = parse_message(
        R"({"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"no","data":null}})"
    );
    auto const request = parse_message(
        R"({"jsonrpc":"2.0","id":1,"method":"x","params":null,"result":null,"error":null})"
    );
    auto const nothing = parse_message(R"({"jsonrpc":"2.0","id":1,"result":null})");

    EXPECT_TRUE(std::holds_alternative<rpc_result>(result.value()));
    EXPECT_FALSE(std::get<rpc_failure>(failed.value()).error.data);
    EXPECT_TRUE(std::get<rpc_request>(request.value()).params.empty());
    EXPECT_TRUE(std::get<rpc_result>(nothing.value()).value.is_null());
}

TEST(json_rpc, reads_an_errors_code_and_words_however_they_are_written) {
    auto const read = [](std::string error) {
        auto const all = parse_messages(R"({"jsonrpc":"2.0","id":1,"error":)" + error + "}");
        return std::get<rpc_failure>(all.at(0).value()).error;
    };
    EXPECT_EQ(read(R"({"code":-32602.0,"message":"bad args"})").code, rpc_code::invalid_params);
    EXPECT_EQ(read(R"({"code":-32602.0,"message":"bad args"})").message, "bad args");
    EXPECT_EQ(read(R"({"code":-32602,"message":null,"data":null})").code, rpc_code::invalid_params);
    EXPECT_EQ(read(R"({"code":-32602})").message, "");
    EXPECT_FALSE(parse_messages(R"({"jsonrpc":"2.0","id":1,"error":{"code":1.5}})").at(0));
    EXPECT_FALSE(parse_messages(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":5}})").at(0)
    );
}

// Ours are integers.
TEST(json_rpc, knows_the_id_of_an_answer_that_is_a_text_or_a_fraction) {
    auto const id = [](std::string text) {
        auto const all = parse_messages(R"({"jsonrpc":"2.0","id":)" + text + R"(,"result":{}})");
        return std::get<rpc_result>(all.at(0).value()).id;
    };
    EXPECT_EQ(id(R"("1")"), request_id{std::int64_t{1}});
    EXPECT_EQ(id("1.0"), request_id{std::int64_t{1}});
    EXPECT_EQ(id(R"("1a")"), request_id{"1a"});
    EXPECT_FALSE(parse_messages(R"({"jsonrpc":"2.0","id":1.5,"result":{}})").at(0));
    auto const request = parse_messages(R"({"jsonrpc":"2.0","id":"1","method":"ping"})");
    EXPECT_EQ(std::get<rpc_request>(request.at(0).value()).id, request_id{"1"})
        << "a request has its sender's own";
}

TEST(json_rpc, takes_a_servers_message_without_its_version) {
    for (auto const* text :
         {R"({"id":1,"result":{}})",
          R"({"jsonrpc":null,"id":1,"result":{}})",
          R"([{"id":1,"result":{}}])"})
        EXPECT_TRUE(parse_messages(text).at(0)) << text;
    EXPECT_FALSE(parse_messages(R"({"jsonrpc":"1.0","id":1,"result":{}})").at(0));
}

TEST(json_rpc, reads_the_messages_of_a_batch) {
    auto const all =
        parse_messages(R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"},5])"
        );

    ASSERT_EQ(all.size(), 3u);
    EXPECT_TRUE(std::holds_alternative<rpc_result>(all[0].value()));
    EXPECT_TRUE(std::holds_alternative<rpc_notification>(all[1].value()));
    EXPECT_FALSE(all[2]);
    EXPECT_EQ(parse_messages("[]").size(), 1u);
    EXPECT_EQ(parse_messages(R"({"jsonrpc":"2.0","method":"x"})").size(), 1u);
}

// The protocol forbids the id null in requests: see the table below for clients.
TEST(json_rpc, takes_a_servers_call_with_the_id_null_for_a_notification) {
    std::string const notification = R"({"jsonrpc":"2.0","id":null,"method":"x"})";
    std::string const failed =
        R"({"jsonrpc":"2.0","id":null,"method":null,"error":{"code":1,"message":""}})";

    for (auto const& text : {notification, "[" + notification + "]"}) {
        auto const read = parse_messages(text);
        ASSERT_EQ(read.size(), 1u) << text;
        EXPECT_TRUE(std::holds_alternative<rpc_notification>(read[0].value())) << text;
    }
    EXPECT_FALSE(std::get<rpc_failure>(parse_messages(failed).at(0).value()).id);
    EXPECT_FALSE(parse_messages(R"({"jsonrpc":"2.0","id":{},"method":"x"})").at(0));
}

TEST(json_rpc, reads_no_batch_of_thousands) {
    std::string many = "[1";
    for (int i = 0; i < 1000; ++i) many += ",1";

    EXPECT_EQ(parse_messages(many + "]").size(), 1u);
}

TEST(json_rpc, refuses_batches) {
    auto const answer = refused(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])");

    EXPECT_EQ(answer.error.code, rpc_code::invalid_request);
    EXPECT_NE(answer.error.message.find("batches"), std::string::npos);
}

TEST(json_rpc, answers_bad_messages_with_their_id_where_it_can_be_read) {
    struct row {
        std::string_view text;
        int code;
        std::optional<request_id> id;
    };
    row const rows[] = {
        {"", rpc_code::parse_error, {}},
        {"Server listening on stdio", rpc_code::parse_error, {}},
        {"{\"jsonrpc\":\"2.0\"", rpc_code::parse_error, {}},
        {"\"text\"", rpc_code::invalid_request, {}},
        {"{}", rpc_code::invalid_request, {}},
        {R"({"id":4,"method":"x"})", rpc_code::invalid_request, std::int64_t{4}},
        {R"({"jsonrpc":"1.0","id":4,"method":"x"})", rpc_code::invalid_request, std::int64_t{4}},
        {R"({"jsonrpc":"2.0","id":null,"method":"x"})", rpc_code::invalid_request, {}},
        {R"({"jsonrpc":"2.0","id":1.5,"method":"x"})", rpc_code::invalid_request, {}},
        {R"({"jsonrpc":"2.0","id":{},"method":"x"})", rpc_code::invalid_request, {}},
        {R"({"jsonrpc":"2.0","id":"q","method":5})", rpc_code::invalid_request, "q"},
        {R"({"jsonrpc":"2.0","id":"q","method":""})", rpc_code::invalid_request, "q"},
        {R"({"jsonrpc":"2.0","id":2,"method":"x","params":[1]})",
         rpc_code::invalid_params,
         std::int64_t{2}},
        {R"({"jsonrpc":"2.0","id":2,"method":"x","result":{}})",
         rpc_code::invalid_request,
         std::int64_t{2}},
        {R"({"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":""}})",
         rpc_code::invalid_request,
         std::int64_t{2}},
        {R"({"jsonrpc":"2.0","result":{}})", rpc_code::invalid_request, {}},
        {R"({"jsonrpc":"2.0","id":2,"error":"no"})", rpc_code::invalid_request, std::int64_t{2}},
        {R"({"jsonrpc":"2.0","id":2,"error":{"code":1e30,"message":""}})",
         rpc_code::invalid_request,
         std::int64_t{2}},
        {R"({"jsonrpc":"2.0","id":2,"error":{"code":99999999999,"message":""}})",
         rpc_code::invalid_request,
         std::int64_t{2}},
    };
    for (auto const& [text, code, id] : rows) {
        auto const answer = refused(text);

        EXPECT_EQ(answer.error.code, code) << text;
        EXPECT_EQ(answer.id, id) << text;
        EXPECT_FALSE(answer.error.message.empty()) << text;
    }
}

TEST(json_rpc, refuses_what_is_too_deep_or_too_large) {
    auto const deep = R"({"jsonrpc":"2.0","method":"x","params":{"a":)" + std::string(80, '[') +
                      std::string(80, ']') + "}}";
    auto const large =
        R"({"jsonrpc":"2.0","method":"x","params":{"a":")" + std::string(200, 'a') + "\"}}";

    EXPECT_EQ(refused(deep).error.code, rpc_code::parse_error);
    EXPECT_EQ(refused(large, {.bytes = 100}).error.code, rpc_code::parse_error);
    EXPECT_TRUE(parse_message(large));
}

TEST(json_rpc, refuses_bytes_that_are_no_text) {
    EXPECT_EQ(
        refused("{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}").error.code, rpc_code::parse_error
    );
}

TEST(json_rpc, shows_ids_as_they_are_written) {
    EXPECT_EQ(to_text(request_id{std::int64_t{7}}), "7");
    EXPECT_EQ(to_text(request_id{"a\"b"}), R"("a\"b")");
}

} // namespace
} // namespace postrider::agent::mcp::json_rpc_test
