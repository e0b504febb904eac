#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/stranger_json.hpp"

namespace postrider::api {

namespace {

planned list_strangers(
    std::vector<server::bot_config> const& bots, net::http_request const& request
) {
    parameters query(request);
    auto const bot = query.text("bot").value_or("");
    auto const cursor = query.text("cursor").value_or("");
    if (!cursor.empty() && !storage::is_stranger_cursor(cursor))
        query.mistake(std::string(wrong_cursor));
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([bot, cursor, limit, &bots](storage::transaction& tx) {
        auto const strangers = storage::list_strangers(tx, bot, cursor, limit);
        return json_answer(200, server::strangers_json(strangers, bots));
    });
}

} // namespace

std::vector<endpoint> stranger_endpoints(resources const& resources) {
    if (!resources.bots) return {};
    auto list = [&bots = *resources.bots](net::http_request const& request) {
        return list_strangers(bots, request);
    };
    endpoint look{"GET", "/api/v1/strangers", in_a_transaction(list)};
    return {std::move(look)};
}

} // namespace postrider::api
