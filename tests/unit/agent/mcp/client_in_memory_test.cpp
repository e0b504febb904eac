// The client against a server in the same process, which answers by revision 2026-07-28.
#include "agent/mcp/client.hpp"
#include "agent/mcp/memory_transport.hpp"
#include "tests/support/loop.hpp"

#include <boost/asio/post.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::mcp::client_in_memory_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(tool_list const& list) {
    std::vector<std::string> names;
    for (auto const& tool : list.tools) names.push_back(tool.name);
    return names;
}

// A server in this process: what a subscription hears, and what a schema of results is for.
class mcp_client_in_memory : public testing::Test {
protected:
    mcp_client_in_memory() {
        auto factory = [this]() {
            auto ends = make_memory_transports(io.executor());
            far_end = std::move(ends.second);
            peer_options its;
            its.on_request = [this](rpc_request request) { return answer(std::move(request)); };
            serving = std::make_unique<peer>(io.executor(), *far_end, std::move(its));
            tasks.spawn("open", open());
            return std::move(ends.first);
        };
        server = std::make_unique<client>(io.executor(), std::move(factory), client_options());
    }
    awaitable<void> open() { (void)co_await serving->open(); }
    awaitable<rpc_outcome> answer(rpc_request request) {
        methods.push_back(request.method);
        if (request.method == "server/discover")
            co_return json::value{
                {"resultType", "complete"},
                {"supportedVersions", {"2026-07-28"}},
                {"capabilities", {{"tools", {{"listChanged", true}}}}}};
        if (request.method == "subscriptions/listen") {
            (void)serving->notify("notifications/tools/list_changed");
            co_await base::sleep_for(1h);
        }
        if (request.method == "tools/list" && !pages.empty()) {
            cursors.push_back(request.params.contains("cursor") ? request.params.at("cursor") : 0);
            auto page = pages.front();
            if (pages.size() > 1) pages.erase(pages.begin());
            rpc_error const refused{rpc_code::invalid_params, "no such cursor", {}};
            if (page.is_null()) co_return refused;
            co_return page;
        }
        if (request.method == "tools/list")
            co_return json::value{
                {"resultType", "complete"},
                {"tools",
                 {{{"name", "broken"}, {"inputSchema", {{"type", "string"}}}},
                  {{"name", "count"},
                   {"inputSchema", {{"type", "object"}}},
                   {"outputSchema",
                    {{"type", "object"}, {"properties", {{"n", {{"type", "integer"}}}}}}}}}}};
        co_return json::value{
            {"resultType", "complete"},
            {"content", json::array()},
            {"structuredContent", {{"n", promised}}}};
    }
    void TearDown() override {
        io.run(server->close());
        io.run(serving->close());
    }

    tests::loop io;
    base::task_group tasks{io.executor()};
    std::unique_ptr<transport> far_end;
    std::unique_ptr<peer> serving;
    std::unique_ptr<client> server;
    std::vector<std::string> methods;
    json::value promised = 5;
    json::array pages; // of tools, null: refused; the last one comes again and again
    json::array cursors;
};

json::value page_of(std::string_view tool, json::value next) {
    json::object const described{{"name", tool}, {"inputSchema", {{"type", "object"}}}};
    return {{"tools", {json::value(described)}}, {"nextCursor", std::move(next)}};
}

TEST_F(mcp_client_in_memory, takes_an_empty_cursor_for_one) {
    pages = {page_of("first", ""), page_of("second", nullptr)};

    EXPECT_THAT(names_of(io.run(server->list_tools()).value()), ElementsAre("first", "second"));
    EXPECT_EQ(cursors, (json::array{0, ""}));
}

// Some end their lists with an empty cursor, some heed none.
TEST_F(mcp_client_in_memory, ends_a_list_that_begins_anew) {
    struct row {
        json::array pages;
        std::vector<std::string> names;
        json::array cursors;
    };
    row const rows[] = {
        {{page_of("a", "")}, {"a"}, {0, ""}},
        {{page_of("a", ""), nullptr}, {"a"}, {0, ""}},
        {{page_of("a", "2"), page_of("b", ""), page_of("a", "2")}, {"a", "b"}, {0, "2", ""}},
        {{page_of("a", "2"), page_of("b", ""), nullptr}, {"a", "b"}, {0, "2", ""}},
        {{page_of("a", "2"), page_of("b", "2")}, {"a", "b"}, {0, "2"}},
        {{page_of("a", "2"), page_of("a", "3")}, {"a"}, {0, "2"}},
        {{page_of("a b", "2")}, {}, {0, "2"}},
    };
    for (auto const& [sent, names, asked] : rows) {
        pages = sent;
        cursors.clear();

        auto const list = io.run(server->list_tools()).value();

        EXPECT_EQ(names_of(list), names) << json::serialize(sent);
        EXPECT_EQ(cursors, asked) << json::serialize(sent);
        EXPECT_EQ(list.dropped.size(), names.empty() ? 1u : 0u) << json::serialize(sent);
    }
}

TEST_F(mcp_client_in_memory, has_no_list_without_a_page_of_it) {
    pages = {page_of("a", "2"), nullptr};

    EXPECT_EQ(io.run(server->list_tools()).error().code, errc::invalid);
}

// zod writes such a pattern for every address.
TEST_F(mcp_client_in_memory, keeps_a_tool_whose_pattern_cannot_be_run) {
    auto const schema = json::parse(
        R"json({"type":"object","properties":{"mail":{"type":"string","pattern":"^(?!\\.)x","minLength":2}},
            "patternProperties":{"^(?=x)":{}},"additionalProperties":false})json"
    );
    json::object const described{{"name", "write"}, {"inputSchema", schema}};
    pages = {json::value{{"tools", {json::value(described)}}}};

    auto const list = io.run(server->list_tools()).value();

    EXPECT_THAT(names_of(list), ElementsAre("write"));
    EXPECT_EQ(list.tools.at(0).input_schema.at("properties"), schema.at("properties"));
}

TEST_F(mcp_client_in_memory, keeps_tools_with_keywords_that_cannot_be_used_and_names_them_once) {
    auto const with = [](std::string_view name, std::string_view property) {
        json::object const properties{{"n", json::parse(json::string_view(property))}};
        return json::value{
            {"name", name}, {"inputSchema", {{"type", "object"}, {"properties", properties}}}};
    };
    auto checked = with("results", "{}");
    checked.as_object()["outputSchema"] = {{"type", "object"}, {"required", true}};
    pages = {json::value{
        {"tools",
         {with("nothing", R"({"items":null,"required":null,"enum":null,"x-mcp-header":null})"),
          with("of_draft_4", R"({"minimum":0,"exclusiveMinimum":true})"),
          checked}}}};

    testing::internal::CaptureStderr();
    auto const list = io.run(server->list_tools()).value();
    (void)io.run(server->list_tools());
    std::string const log = testing::internal::GetCapturedStderr();

    EXPECT_THAT(names_of(list), ElementsAre("nothing", "of_draft_4", "results"));
    ASSERT_EQ(list.unchecked.size(), 2u);
    EXPECT_EQ(list.unchecked[0].name, "of_draft_4");
    EXPECT_EQ(
        list.unchecked[0].reason, "inputSchema/properties/n/exclusiveMinimum: must be a number"
    );
    EXPECT_EQ(list.unchecked[1].reason, "outputSchema/required: must be an array");
    auto const told = log.find("mcp.keywords_skipped");
    EXPECT_THAT(log.substr(told), HasSubstr("of_draft_4"));
    EXPECT_EQ(log.find("of_draft_4"), log.rfind("of_draft_4"));
}

TEST_F(mcp_client_in_memory, subscribes_to_changes_where_nothing_comes_unasked) {
    auto const list = io.run(server->list_tools()).value();
    io.context.restart();
    while (server->list_version() == list.version && io.context.run_one_for(5s) > 0) {
    }

    EXPECT_GT(server->list_version(), list.version);
    EXPECT_THAT(methods, testing::Contains("subscriptions/listen"));
}

TEST_F(mcp_client_in_memory, tells_once_which_tools_cannot_be_used) {
    testing::internal::CaptureStderr();
    auto const first = io.run(server->list_tools()).value();
    auto const second = io.run(server->list_tools()).value();
    std::string const log = testing::internal::GetCapturedStderr();

    EXPECT_THAT(names_of(first), ElementsAre("count"));
    EXPECT_EQ(second.dropped.size(), 1u);
    auto const told = log.find("mcp.tool_dropped");
    EXPECT_NE(told, log.npos);
    EXPECT_EQ(log.find("mcp.tool_dropped", told + 1), log.npos);
}

TEST_F(mcp_client_in_memory, holds_results_against_the_schema_that_was_promised) {
    (void)io.run(server->list_tools());
    EXPECT_TRUE(io.run(server->call_tool("count", {})));

    promised = "five";
    auto const result = io.run(server->call_tool("count", {}));

    EXPECT_EQ(result.error().code, errc::ambiguous) << "it acted all the same";
    EXPECT_THAT(result.error().detail, HasSubstr("/n must be an integer"));
}

// What is called stays open until the test says what became of it, where it has a list of such calls.
class holding_transport final : public transport {
public:
    holding_transport(boost::asio::any_io_executor executor, std::vector<request_id>* held)
        : executor_(std::move(executor)),
          held_(held) {}

    awaitable<base::result<void>> open(message_receiver& receiver) override {
        receiver_ = &receiver;
        co_return base::result<void>{};
    }
    base::result<void> send(message const& content, send_options const&) override {
        auto const* request = std::get_if<rpc_request>(&content);
        if (!request) return {};
        if (held_ && request->method == "tools/call") {
            held_->push_back(request->id);
            return {};
        }
        json::value const said = json::parse(
            R"({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {},
                "content": []})"
        );
        boost::asio::post(executor_, [this, answer = rpc_result{request->id, said}] {
            if (receiver_) receiver_->receive(answer);
        });
        return {};
    }
    bool abandon(request_id const&) override { return true; }
    void use_revision(std::string const&) override {}
    void listen() override {}
    awaitable<void> close() override {
        receiver_ = nullptr;
        co_return;
    }
    std::string diagnostics() const override { return {}; }
    void forget(request_id const& id) {
        if (receiver_) receiver_->fail_request(id, base::error(errc::stale, "the session is gone"));
    }

private:
    boost::asio::any_io_executor executor_;
    std::vector<request_id>* held_;
    message_receiver* receiver_ = nullptr;
};

awaitable<void> call_into(client& server, std::optional<base::result<tool_result>>& outcome) {
    auto called = co_await server.call_tool("write", {});
    outcome.emplace(std::move(called));
}

TEST(mcp_client_beside_itself, asks_again_all_that_was_asked_in_a_forgotten_session) {
    tests::loop io;
    std::vector<request_id> held;
    holding_transport* first = nullptr;
    auto factory = [&] {
        auto carrier = std::make_unique<holding_transport>(io.executor(), first ? nullptr : &held);
        if (!first) first = carrier.get();
        return std::unique_ptr<transport>(std::move(carrier));
    };
    client server{io.executor(), factory, client_options()};
    base::task_group tasks{io.executor()};
    std::optional<base::result<tool_result>> first_call;
    std::optional<base::result<tool_result>> second_call;
    tasks.spawn("first_call", call_into(server, first_call));
    tasks.spawn("second_call", call_into(server, second_call));
    while (held.size() < 2 && io.context.run_one_for(5s) > 0) {
    }
    ASSERT_EQ(held.size(), 2u);

    first->forget(held[0]);
    while (!first_call && io.context.run_one_for(5s) > 0) {
    }
    first->forget(held[1]);
    io.run(tasks.join());
    io.run(server.close());

    EXPECT_TRUE(first_call.value()) << to_string(first_call->error());
    EXPECT_TRUE(second_call.value()) << to_string(second_call->error());
}

} // namespace
} // namespace postrider::agent::mcp::client_in_memory_test
