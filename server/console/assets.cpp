#include "server/console/assets.hpp"

#include "server/api/answer_headers.hpp"
#include "server/api/entity_tag.hpp"
#include "server/console/content_coding.hpp"

#include <algorithm>

namespace postrider::console {

namespace {

constexpr std::string_view page_path = "/console";
constexpr std::string_view files_path = "/console/assets/";

// Nothing inline, and nothing from elsewhere. Styles that scripts set on elements are not inline code.
constexpr std::string_view content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'";

constexpr std::string_view body_of(embedded_asset const& asset, content_coding coding) {
    switch (coding) {
    case content_coding::brotli:
        return asset.brotli;
    case content_coding::gzip:
        return asset.gzip;
    default:
        return asset.identity;
    }
}

// Each form of a file has a tag of its own: a strong one promises the same bytes.
std::string tag_of(embedded_asset const& asset, content_coding coding) {
    std::string tag = "\"";
    tag.append(asset.tag);
    if (coding != content_coding::identity) tag.append("-").append(name_of(coding));
    return tag + '"';
}

net::http_response serve(embedded_asset const& asset, net::http_request const& request) {
    auto const coding = preferred_coding(
        request.headers, {.gzip = !asset.gzip.empty(), .brotli = !asset.brotli.empty()}
    );
    auto const tag = tag_of(asset, coding);
    auto response = net::http_response::empty(api::not_modified(request, tag) ? 304 : 200);
    response.headers = {
        {"ETag", tag},
        {"Vary", "Accept-Encoding"},
        {"Cache-Control", asset.immutable ? "public, max-age=31536000, immutable" : "no-cache"},
        {"Content-Security-Policy", std::string(content_policy)},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"}};
    if (response.status == 304) return response;
    response.headers.add("Content-Type", std::string(asset.type));
    if (coding != content_coding::identity)
        response.headers.add("Content-Encoding", std::string(name_of(coding)));
    response.lasting_body = body_of(asset, coding);
    return response;
}

net::http_response lead_to(std::string place) {
    auto response = net::http_response::empty(303);
    response.headers.add("Location", std::move(place));
    api::add_protective_headers(response);
    return response;
}

base::awaitable<net::http_response> respond(net::http_response response) {
    co_return response;
}

template<class Answer>
net::route get(std::string_view pattern, Answer answer) {
    net::route route;
    route.method = "GET";
    route.pattern = pattern;
    route.handle = [answer = std::move(answer)](net::http_request const& request) {
        return respond(answer(request));
    };
    return route;
}

net::http_response file_or_page(
    std::span<embedded_asset const> assets, net::http_request const& request
) {
    bool const is_file = request.path.starts_with(files_path);
    auto const path = is_file ? std::string_view(request.path) : page_path;
    auto const asset = std::ranges::find(assets, path, &embedded_asset::path);
    if (asset == assets.end())
        return net::http_response::problem(
            404, "not_found", "there is no such file of the console"
        );
    return serve(*asset, request);
}

} // namespace

std::vector<net::route> asset_routes(std::span<embedded_asset const> assets) {
    std::vector<net::route> routes;
    if (assets.empty()) {
        routes.push_back(get(page_path, [](net::http_request const&) { return lead_to("/"); }));
        return routes;
    }
    auto const answer = [assets](net::http_request const& request) {
        return file_or_page(assets, request);
    };
    routes.push_back(get("/", [](net::http_request const&) {
        return lead_to(std::string(page_path));
    }));
    routes.push_back(get(page_path, answer));
    routes.push_back(get("/console/", answer));
    routes.push_back(get("/console/{view...}", answer));
    return routes;
}

} // namespace postrider::console
