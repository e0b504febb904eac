// POST /mcp: the todo server by Streamable HTTP. Every answer is one JSON document; there is no
// stream to GET. Revisions with a handshake have sessions, which the database keeps, so that any
// process can answer; the revision without one has none.
#include "agent/mcp/revision.hpp"
#include "base/log.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/mcp_answer.hpp"
#include "server/api/own_hosts.hpp"
#include "server/api/problem.hpp"
#include "storage/query.hpp"
#include "storage/stores/mcp_sessions.hpp"

#include <algorithm>
#include <cctype>

namespace postrider::api {

namespace {

namespace mcp = agent::mcp;
using base::awaitable;
using mcp::rpc_error;
namespace rpc_code = mcp::rpc_code;

constexpr std::string_view session_field = "Mcp-Session-Id";
constexpr std::string_view revision_field = "MCP-Protocol-Version";
constexpr std::size_t largest_message = 256u << 10;

using shared_mcp_services = std::shared_ptr<mcp_services const>;

// A session's revision, or why there is none.
using found_session = std::variant<std::string, net::http_response>;

net::http_response wrong_request(int status, std::string message) {
    return mcp_failure(status, {rpc_code::invalid_request, std::move(message), {}});
}

bool accepts_json(net::header_list const& headers) {
    auto const accept = headers.find("Accept");
    return accept.empty() || accept.find("application/json") != accept.npos ||
           accept.find("*/*") != accept.npos || accept.find("application/*") != accept.npos;
}

// As they are drawn; no other is asked for.
bool is_session_id(std::string_view text) {
    return text.size() == 21 && std::ranges::all_of(text, [](char c) {
               return c == '-' || c == '_' || std::isalnum(static_cast<unsigned char>(c));
           });
}

net::http_response no_session() {
    return mcp_failure(404, {rpc_code::server_error, "the session is over", {}});
}

// What is refused whatever the message says.
std::optional<net::http_response> refuse_request(
    net::http_request const& request, std::vector<std::string> const& hosts
) {
    auto const& headers = request.headers;
    auto const host = headers.find("Host");
    bool const own_page =
        headers.count("Origin") == 0 || is_own_origin(headers.find("Origin"), host, hosts);
    if (!is_own_host(host, hosts) || !own_page)
        return net::http_response::problem(
            403, "foreign_origin", "this host or origin may not call the server"
        );
    if (request.method != "POST") return std::nullopt;
    bool const is_json =
        headers.count("Content-Type") == 0 || net::has_media_type(headers, "application/json");
    if (!is_json) return wrong_request(415, "the body must be application/json");
    if (!accepts_json(headers)) return wrong_request(406, "answers are application/json");
    return std::nullopt;
}

awaitable<found_session> find_session(
    shared_mcp_services shared, net::http_request const& request, user_id user
) {
    std::string id(request.headers.find(session_field));
    if (id.empty()) co_return wrong_request(400, "Mcp-Session-Id is missing");
    if (!is_session_id(id)) co_return no_session();
    auto revision = co_await storage::find_mcp_revision(
        shared->reads, std::move(id), user, database_waits.read
    );
    if (!revision && revision.error() == base::errc::not_found) co_return no_session();
    if (!revision) co_return problem_of(revision.error(), database_use::read);
    auto const said = request.headers.find(revision_field);
    if (!said.empty() && said != *revision)
        co_return wrong_request(400, "MCP-Protocol-Version is not that of the session");
    co_return std::move(*revision);
}

// The session is there before the client hears of it.
awaitable<net::http_response> initialize(
    shared_mcp_services shared, mcp::rpc_request request, user_id user
) {
    mcp::served_session session{user};
    auto const id = request.id;
    auto outcome = co_await shared->server.answer(std::move(request), session);
    if (std::holds_alternative<rpc_error>(outcome))
        co_return mcp_answer(id, std::move(outcome), false);
    auto const name = base::nanoid(shared->random);
    auto row = storage::add_mcp_session(name, user, session.revision);
    auto const added =
        co_await storage::query(shared->writes, std::move(row), database_waits.change);
    if (!added) co_return problem_of(added.error(), database_use::change);
    auto response = mcp_answer(id, std::move(outcome), false);
    response.headers.add(std::string(session_field), name);
    co_return response;
}

awaitable<net::http_response> answer_stateless(
    shared_mcp_services shared,
    net::http_request const& http,
    mcp::rpc_request request,
    user_id user
) {
    auto const id = request.id;
    // A message that names no revision lacks more than a header could repeat.
    bool const comparable = !mcp::server::named_revision(request).empty();
    auto mismatch = comparable ? header_mismatch(http.headers, request) : std::nullopt;
    if (mismatch)
        co_return mcp_failure(400, {rpc_code::header_mismatch, std::move(*mismatch), {}}, id);
    mcp::served_session session{user};
    auto outcome = co_await shared->server.answer(std::move(request), session);
    co_return mcp_answer(id, std::move(outcome), true);
}

bool is_without_handshake(net::http_request const& http, mcp::rpc_request const& request) {
    return !mcp::server::named_revision(request).empty() ||
           mcp::is_stateless(http.headers.find(revision_field));
}

awaitable<net::http_response> answer_request(
    shared_mcp_services shared,
    net::http_request const& http,
    mcp::rpc_request request,
    user_id user
) {
    if (is_without_handshake(http, request))
        co_return co_await answer_stateless(shared, http, std::move(request), user);
    if (request.method == "initialize")
        co_return co_await initialize(shared, std::move(request), user);
    auto opened = co_await find_session(shared, http, user);
    if (auto* refused = std::get_if<net::http_response>(&opened)) co_return std::move(*refused);
    mcp::served_session session{user, std::move(std::get<std::string>(opened))};
    auto const id = request.id;
    auto outcome = co_await shared->server.answer(std::move(request), session);
    co_return mcp_answer(id, std::move(outcome), false);
}

// Who changed what; of the arguments nothing is logged.
void report(call const& incoming, std::string_view tool) {
    base::log::info(
        "api.operation",
        {{"method", incoming.request.method},
         {"path", incoming.request.path},
         {"tool", tool},
         {"token", incoming.by.token},
         {"request", incoming.request.id}}
    );
}

// Tasks of nobody could be neither shown to a person nor erased with one.
net::http_response nobody_here() {
    return net::http_response::problem(
        403,
        "forbidden",
        "the token belongs to no person, so it has no tasks: configure one owner "
        "(POSTRIDER_OWNERS), or create a token with "
        "`postrider token create --user ID --role user`"
    );
}

awaitable<net::http_response> post(shared_mcp_services shared, call incoming) {
    if (auto refused = refuse_request(incoming.request, shared->hosts))
        co_return std::move(*refused);
    if (incoming.by.user == user_id{}) co_return nobody_here();
    auto parsed = mcp::parse_message(incoming.request.body, {.bytes = largest_message});
    if (!parsed) {
        auto failure = parsed.error().answer;
        co_return mcp_failure(400, std::move(failure.error), std::move(failure.id));
    }
    if (auto* request = std::get_if<mcp::rpc_request>(&*parsed)) {
        auto const tool = shared->server.changing_tool(*request);
        auto answer = co_await answer_request(
            shared, incoming.request, std::move(*request), incoming.by.user
        );
        if (!tool.empty() && answer.status == 200) report(incoming, tool);
        co_return answer;
    }
    // Notifications and answers change nothing here.
    if (incoming.request.headers.count(session_field) > 0) {
        auto session = co_await find_session(shared, incoming.request, incoming.by.user);
        if (auto* refused = std::get_if<net::http_response>(&session))
            co_return std::move(*refused);
    }
    co_return net::http_response::empty(202);
}

awaitable<net::http_response> end_session(shared_mcp_services shared, call incoming) {
    if (auto refused = refuse_request(incoming.request, shared->hosts))
        co_return std::move(*refused);
    if (mcp::is_stateless(incoming.request.headers.find(revision_field))) {
        auto refusal = wrong_request(405, "this revision has no sessions");
        refusal.headers.add("Allow", "POST");
        co_return refusal;
    }
    std::string const id(incoming.request.headers.find(session_field));
    if (id.empty()) co_return wrong_request(400, "Mcp-Session-Id is missing");
    if (!is_session_id(id)) co_return no_session();
    auto row = storage::end_mcp_session(id, incoming.by.user);
    auto const ended =
        co_await storage::query(shared->writes, std::move(row), database_waits.change);
    if (!ended) co_return problem_of(ended.error(), database_use::change);
    if (ended->empty()) co_return no_session();
    co_return net::http_response::empty(204);
}

} // namespace

std::vector<endpoint> mcp_endpoints(resources const& resources) {
    if (!resources.todo) return {};
    auto const shared = std::make_shared<mcp_services const>(*resources.todo);
    endpoint calls{
        "POST", "/mcp", [shared](call incoming) { return post(shared, std::move(incoming)); }};
    calls.body_limit = largest_message;
    calls.open_to = audience::people;
    calls.logs_itself = true;
    endpoint ends{"DELETE", "/mcp", [shared](call incoming) {
                      return end_session(shared, std::move(incoming));
                  }};
    ends.open_to = audience::people;
    return {std::move(calls), std::move(ends)};
}

} // namespace postrider::api
