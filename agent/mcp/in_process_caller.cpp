#include "agent/mcp/in_process_caller.hpp"

#include "agent/mcp/in_process.hpp"

namespace postrider::agent::mcp {

using base::awaitable;
using base::errc;
using base::error;

namespace {

constexpr base::duration longest_call = std::chrono::seconds{20};

} // namespace

struct in_process_caller::connection {
    connection(boost::asio::any_io_executor executor, server const& serving, served_session session)
        : carrier(make_in_process_transport(executor, serving, std::move(session))),
          asking(std::move(executor), *carrier, {}) {}

    static awaitable<void> end(std::shared_ptr<connection> over) { co_await over->asking.close(); }

    std::unique_ptr<transport> carrier;
    peer asking;
};

// A connection is closed however its call ends, also where the caller is cancelled.
struct in_process_caller::retirement {
    in_process_caller& owner;
    std::shared_ptr<connection> over;

    ~retirement() { owner.retiring_.spawn("mcp.retire", connection::end(std::move(over))); }
};

in_process_caller::in_process_caller(
    boost::asio::any_io_executor executor, server const& serving, client_identity identity
)
    : executor_(executor),
      serving_(serving),
      identity_(std::move(identity)),
      retiring_(std::move(executor)) {}

awaitable<base::result<tool_result>> in_process_caller::call(
    user_id caller, std::string tool, json::object arguments, std::string key, json::object origin
) {
    if (closed_) co_return error(errc::cancelled, "the server is closed");
    served_session session{.caller = caller, .origin = std::move(origin)};
    auto const to = std::make_shared<connection>(executor_, serving_, std::move(session));
    retirement const at_end{*this, to};
    auto const opened = co_await to->asking.open();
    if (!opened) co_return opened.error();
    json::object params{{"name", tool}, {"arguments", std::move(arguments)}};
    if (!key.empty()) params["_meta"] = json::object{{call_key_member, key}};
    add_request_meta(params, identity_);
    request_options limits;
    limits.timeout = limits.total_timeout = longest_call;
    limits.may_act = true;
    auto const outcome =
        co_await to->asking.request("tools/call", std::move(params), std::move(limits));
    if (!outcome) co_return outcome.error();
    if (auto const* refusal = std::get_if<rpc_error>(&*outcome)) co_return to_error(*refusal);
    co_return read_tool_result(std::get<json::value>(*outcome));
}

awaitable<void> in_process_caller::close() {
    closed_ = true;
    co_await retiring_.join();
}

} // namespace postrider::agent::mcp
