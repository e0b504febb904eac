#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"

namespace postrider::api {

namespace {

base::awaitable<net::http_response> list_models(server::model_directory& models) {
    auto const list = co_await models.read();
    co_return json_answer(200, server::to_json(*list));
}

} // namespace

std::vector<endpoint> model_endpoints(resources const& resources) {
    if (!resources.models) return {};
    endpoint list{"GET", "/api/v1/models", [&models = *resources.models](call const&) {
                      return list_models(models);
                  }};
    return {std::move(list)};
}

} // namespace postrider::api
