#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/stranger_json.hpp"

namespace postrider::api {

namespace {

planned list_strangers(net::http_request const& request) {
    parameters from(request);
    auto const bot = from.text("bot").value_or("");
    auto const limit = read_limit(from);
    if (auto const wrong = from.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([bot, limit](storage::transaction& tx) {
        return json_answer(200, server::strangers_json(storage::list_strangers(tx, bot, limit)));
    });
}

} // namespace

std::vector<endpoint> stranger_endpoints() {
    return {{"GET", "/api/v1/strangers", in_a_transaction(list_strangers)}};
}

} // namespace postrider::api
