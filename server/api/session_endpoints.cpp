// What agents remember of named sessions.
#include "base/json/nul.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "storage/stores/sessions.hpp"

namespace postrider::api {

namespace {

// No memory of a flow has a longer name, or one with U+0000.
constexpr std::size_t longest_name = 800;

bool is_name(std::string_view text) {
    return text.size() <= longest_name && !base::has_nul(text);
}

planned forget_session(net::http_request const& request) {
    parameters from(request);
    if (auto const wrong = from.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([name = std::string(request.param("name"))](storage::transaction& tx) {
        auto const deleted = is_name(name) ? storage::forget_session(tx, name) : 0;
        if (deleted > 0) return json_answer(200, {{"session", name}, {"messages", deleted}});
        return net::http_response::problem(
            404, "not_found", "nothing is remembered of a session of this name"
        );
    });
}

} // namespace

std::vector<endpoint> session_endpoints(resources const&) {
    endpoint forget{"DELETE", "/api/v1/sessions/{name}", in_a_transaction(forget_session)};
    return {std::move(forget)};
}

} // namespace postrider::api
