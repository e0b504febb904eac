#include "bench/mcp_load.hpp"

#include "bench/post_load.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace postrider::bench {

namespace {

constexpr std::string_view path = "/mcp";
constexpr std::string_view stateless = "2026-07-28";
constexpr std::string_view with_handshake = "2025-11-25";
constexpr std::string_view title = "buy milk, two bottles, and bread for the weekend";

// One connection's calls.
class tool_caller final : public post_source {
public:
    // session: its id; "" = by the revision that has none.
    tool_caller(mcp_plan const& plan, int number, std::string session)
        : calls_(plan.calls),
          keys_(fmt::format("{} {}", plan.run, number)),
          token_(plan.tokens.at(static_cast<std::size_t>(number) % plan.tokens.size())),
          session_(std::move(session)) {}

    std::string next() override {
        auto const step = calls_ == mcp_calls::round ? number_ % 3 : 0;
        ++number_;
        if (step == 1) return call("complete_todo_task", fmt::format(R"({{"task_id":{}}})", task_));
        if (step == 2) return call("list_todo_tasks", R"({"status":"open"})");
        return call("create_todo_task", fmt::format(R"({{"title":"{} [{}]"}})", title, number_));
    }

    bool accepts(load_connection::answer const& answer) override {
        if (answer.status != 200 || answer.body.find(R"("isError":false)") == answer.body.npos)
            return false;
        constexpr std::string_view name = R"("structuredContent":{"task_id":)";
        auto const at = answer.body.find(name);
        if (at != answer.body.npos) task_ = std::stoll(answer.body.substr(at + name.size(), 19));
        return true;
    }

private:
    std::string call(std::string_view tool, std::string_view arguments) const {
        std::string meta;
        if (session_.empty())
            meta = fmt::format(
                R"("io.modelcontextprotocol/protocolVersion":"{}",)"
                R"("io.modelcontextprotocol/clientCapabilities":{{}})",
                stateless
            );
        if (calls_ == mcp_calls::create_once)
            meta += fmt::format(
                R"({}"postrider/key":"{} {}")", meta.empty() ? "" : ",", keys_, number_
            );
        auto const body = fmt::format(
            R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}","arguments":{},"_meta":{{{}}}}}}})",
            number_,
            tool,
            arguments,
            meta
        );
        return post(path, token_, body, fields(tool));
    }

    std::string fields(std::string_view tool) const {
        if (!session_.empty())
            return fmt::format(
                "Mcp-Session-Id: {}\r\nMCP-Protocol-Version: {}\r\n", session_, with_handshake
            );
        return fmt::format(
            "MCP-Protocol-Version: {}\r\nMcp-Method: tools/call\r\nMcp-Name: {}\r\n",
            stateless,
            tool
        );
    }

    mcp_calls calls_;
    std::string keys_;
    std::string token_;
    std::string session_;
    std::uint64_t number_ = 0;
    long long task_ = 0; // created last
};

base::awaitable<std::string> begin_session(mcp_plan const& plan, int number) {
    auto const& token = plan.tokens.at(static_cast<std::size_t>(number) % plan.tokens.size());
    auto const body = fmt::format(
        R"({{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{}","capabilities":{{}},)"
        R"("clientInfo":{{"name":"bench","version":"1"}}}}}})",
        with_handshake
    );
    auto connection = co_await load_connection::open(plan.server);
    auto const request = post(path, token, body);
    auto const answer = co_await connection.exchange(request);
    auto session = answer.field("Mcp-Session-Id");
    if (session.empty()) throw std::runtime_error("no session: " + answer.body);
    co_return session;
}

} // namespace

base::awaitable<void> run_mcp(mcp_plan plan) {
    if (plan.tokens.empty()) throw std::runtime_error("nobody may call");
    std::vector<std::shared_ptr<post_source>> callers;
    for (int number = 0; number < plan.connections; ++number) {
        std::string session;
        if (plan.sessions) session = co_await begin_session(plan, number);
        callers.push_back(std::make_shared<tool_caller>(plan, number, std::move(session)));
    }
    co_await post_all(plan.server, std::move(callers), plan.requests);
}

} // namespace postrider::bench
