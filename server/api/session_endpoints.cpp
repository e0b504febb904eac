// What agents remember of named sessions.
#include "base/json/nul.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/record_json.hpp"
#include "storage/stores/sessions.hpp"

#include <boost/json/array.hpp>

namespace postrider::api {

namespace {

// No memory of a flow has a longer name, or one with U+0000.
constexpr std::size_t longest_name = 800;

bool is_name(std::string_view text) {
    return text.size() <= longest_name && !base::has_nul(text);
}

planned forget_session(net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([name = std::string(request.param("name"))](storage::transaction& tx) {
        auto const deleted = is_name(name) ? storage::forget_session(tx, name) : 0;
        if (deleted > 0) return json_answer(200, {{"session", name}, {"messages", deleted}});
        return net::http_response::problem(
            404, "not_found", "nothing is remembered of a session of this name"
        );
    });
}

planned list_agent_sessions(net::http_request const& request) {
    parameters query(request);
    auto const search = query.text("name").value_or("");
    auto const after = query.text("cursor", longest_name).value_or("");
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([search, after, limit](storage::transaction& tx) {
        auto const page = storage::list_sessions(tx, search, after, limit);
        boost::json::array sessions;
        for (auto const& session : page) sessions.push_back(server::session_json(session));
        boost::json::object body{{"sessions", std::move(sessions)}};
        if (std::ssize(page) >= limit) body["next"] = page.back().name;
        return json_answer(200, body);
    });
}

} // namespace

std::vector<endpoint> session_endpoints(resources const&) {
    endpoint forget{"DELETE", "/api/v1/sessions/{name}", in_a_transaction(forget_session)};
    endpoint list{"GET", "/api/v1/agent-sessions", in_a_transaction(list_agent_sessions)};
    return {std::move(forget), std::move(list)};
}

} // namespace postrider::api
