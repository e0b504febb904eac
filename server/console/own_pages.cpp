#include "server/console/own_pages.hpp"

#include "server/api/answer_headers.hpp"

#include <memory>

namespace postrider::console {

namespace {

using page_handler = std::function<base::awaitable<net::http_response>(net::http_request)>;

base::awaitable<net::http_response> show(
    std::shared_ptr<page_handler const> page,
    std::shared_ptr<api::own_names const> names,
    net::http_request request
) {
    auto refused = api::refuse_foreign_host(request, *names);
    if (!refused) co_return co_await (*page)(std::move(request));
    api::add_protective_headers(*refused);
    co_return std::move(*refused);
}

} // namespace

// Not at a gate: what passes one and succeeds proves its connection (net/router.hpp).
std::vector<net::route> under_own_names(
    std::vector<net::route> pages, api::own_names const& names
) {
    auto const own = std::make_shared<api::own_names const>(names);
    for (auto& route : pages) {
        auto const page = std::make_shared<page_handler const>(std::move(route.handle));
        route.handle = [page, own](net::http_request request) {
            return show(page, own, std::move(request));
        };
    }
    return pages;
}

} // namespace postrider::console
