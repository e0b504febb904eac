// U+0000 at every edge: whoever asks for something that holds it gets the same answer.
#include "agent/flow/document/definition.hpp"
#include "agent/mcp/json_rpc.hpp"
#include "agent/models/wire.hpp"
#include "base/json/nul.hpp"
#include "server/api/inputs.hpp"
#include "server/api/page.hpp"
#include "server/cli/operations.hpp"
#include "server/hooks/request_item.hpp"
#include "server/telegram/update.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace postrider::tests::refused_character_test {
namespace {

using namespace std::string_literals;

std::string only(std::vector<std::string> mistakes) {
    return mistakes.size() == 1 ? mistakes.front() : std::to_string(mistakes.size()) + " mistakes";
}

std::string of_a_query() {
    net::http_request request;
    request.query = "lane=a%00";
    api::parameters query(request);
    (void)query.text("lane");
    return only(query.mistakes());
}

std::string of_a_path() {
    net::http_request request;
    request.params = {{"name", "a\0"s}};
    api::parameters query(request);
    (void)api::path_text(request, "name", query);
    return only(query.mistakes());
}

std::string of_a_member(std::function<void(api::members&)> const& read) {
    net::http_request request;
    request.body = R"({"x": "a\u0000"})";
    api::members body(request);
    read(body);
    return only(body.mistakes());
}

std::string of_a_webhook(std::string query, std::string body) {
    net::http_request request;
    request.query = std::move(query);
    request.headers.add("Content-Type", "application/json");
    request.body = std::move(body);
    return hooks::item_of(request, "p", "").error().detail;
}

std::string of_an_update() {
    auto const parsed = telegram::parse_update(
        R"({"update_id":7,"message":{"message_id":1,"chat":{"id":1},"text":"a\u0000"}})"
    );
    return std::get<telegram::unusable_update>(parsed).cause.detail;
}

std::string of_a_flow() {
    std::string_view const text = R"({"format":1,"name":"f","x":"a\u0000","nodes":[]})";
    auto const read = agent::flow::read_definition(text);
    return std::get<std::vector<agent::flow::problem>>(read).at(0).message;
}

std::string of_an_mcp_client() {
    auto const parsed = agent::mcp::parse_message(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"a":"\u0000"}}})"
    );
    EXPECT_EQ(parsed.error().answer.error.code, agent::mcp::rpc_code::invalid_params);
    return parsed.error().answer.error.message;
}

std::string of_a_models_call() {
    auto const call = agent::wire::call_from_text("c", "add", R"({"a":"1\u00002"})");
    return std::string(agent::unusable_arguments(call));
}

TEST(refused_character, gets_the_same_answer_at_every_edge) {
    auto const refusal = [](std::string_view subject) { return base::nul_refusal(subject).detail; };

    EXPECT_EQ(refusal("x"), "the character U+0000 in x cannot be stored");
    EXPECT_EQ(of_a_query(), refusal("lane"));
    EXPECT_EQ(of_a_path(), refusal("the name in the path"));
    EXPECT_EQ(of_a_member([](api::members& body) { (void)body.text("x"); }), refusal("x"));
    EXPECT_EQ(of_a_member([](api::members& body) { (void)body.texts("x"); }), refusal("x"));
    EXPECT_EQ(of_a_member([](api::members& body) { (void)body.json("x"); }), refusal("x"));
    EXPECT_EQ(of_a_webhook("a=%00", ""), refusal("the query"));
    EXPECT_EQ(of_a_webhook("", R"({"a":"\u0000"})"), refusal("the body"));
    EXPECT_EQ(of_an_update(), refusal("a text"));
    EXPECT_EQ(of_a_flow(), refusal("the text"));
    EXPECT_EQ(of_an_mcp_client(), refusal("params"));
    EXPECT_EQ(of_a_models_call(), refusal("the arguments"));
    EXPECT_EQ(cli::json_of(R"({"a":"\u0000"})", "--input").error().detail, refusal("--input"));
}

} // namespace
} // namespace postrider::tests::refused_character_test
