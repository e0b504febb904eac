// What an operator looks at first: the installation in numbers, and what needs a person's attention.
#include "base/texts.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/api/shared_readings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::api {

namespace {

base::awaitable<net::http_response> show_overview(
    std::shared_ptr<shared_readings> readings, call incoming
) {
    parameters query(incoming.request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    auto const read = co_await readings->overview.get();
    if (!read) co_return problem_of(read.error(), database_use::report);
    co_return json_answer(200, server::overview_json(**read));
}

server::attention_filter read_attention_filter(parameters& query) {
    server::attention_filter filter;
    filter.kind = query.text("kind").value_or("");
    auto const kinds = server::attention_kinds();
    if (!filter.kind.empty() && std::ranges::find(kinds, filter.kind) == kinds.end())
        query.mistake(fmt::format("kind is not one of {}", base::joined(kinds, ", ")));
    auto const limit = query.integer("limit", 1, server::most_attention_items);
    filter.limit = static_cast<int>(limit.value_or(filter.limit));
    return filter;
}

base::awaitable<net::http_response> list_attention(
    std::shared_ptr<shared_readings> readings, call incoming
) {
    parameters query(incoming.request);
    auto const filter = read_attention_filter(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    auto const read = co_await readings->attention.get();
    if (!read) co_return problem_of(read.error(), database_use::report);
    co_return json_answer(200, server::attention_json(**read, filter));
}

} // namespace

std::vector<endpoint> overview_endpoints(resources const& resources) {
    if (!resources.readings) return {};
    auto show = [readings = resources.readings](call incoming) {
        return show_overview(readings, std::move(incoming));
    };
    auto list = [readings = resources.readings](call incoming) {
        return list_attention(readings, std::move(incoming));
    };
    endpoint overview{"GET", "/api/v1/overview", std::move(show)};
    endpoint attention{"GET", "/api/v1/attention", std::move(list)};
    return {std::move(overview), std::move(attention)};
}

} // namespace postrider::api
