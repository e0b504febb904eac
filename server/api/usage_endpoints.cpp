#include "base/texts.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/usage_json.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

planned show_usage(net::http_request const& request) {
    parameters from(request);
    auto const name = from.text("by").value_or("day");
    auto const days = from.integer("days", 1, storage::most_usage_days);
    auto const by = storage::usage_key_from_string(name);
    if (!by)
        from.mistake(fmt::format("by: must be one of {}", base::joined(storage::usage_keys(), ", "))
        );
    if (auto const wrong = from.mistakes(); !wrong.empty()) return invalid(wrong);
    auto const last = static_cast<int>(days.value_or(storage::usual_usage_days));
    return work([by = *by, last](storage::transaction& tx) {
        return json_answer(200, server::usage_json(storage::read_usage(tx, by, last)));
    });
}

} // namespace

std::vector<endpoint> usage_endpoints(resources const&) {
    endpoint usage{"GET", "/api/v1/usage", in_a_transaction(show_usage)};
    usage.use = database_use::report;
    return {std::move(usage)};
}

} // namespace postrider::api
