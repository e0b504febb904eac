#include "server/console/assets.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace postrider::console::assets_test {
namespace {

using net::http_request;
using net::http_response;
using testing::HasSubstr;
using testing::Not;

constexpr std::array<embedded_asset, 2> files{
    embedded_asset{
        .path = "/console/assets/console-1A.js",
        .type = "text/javascript; charset=utf-8",
        .tag = "aa",
        .identity = "script",
        .gzip = "gzipped",
        .brotli = "brotli form",
        .immutable = true},
    embedded_asset{
        .path = "/console",
        .type = "text/html; charset=utf-8",
        .tag = "bb",
        .identity = "<html>",
        .gzip = {},
        .brotli = {},
        .immutable = false},
};

// The answer of the routes, or what the table answers instead.
http_response answer(
    std::span<embedded_asset const> assets,
    std::string path,
    net::header_list headers = {},
    std::string method = "GET"
) {
    net::router const router(asset_routes(assets));
    auto found = router.find(method, path);
    if (auto* refused = std::get_if<http_response>(&found)) return std::move(*refused);
    http_request request;
    request.method = std::move(method);
    request.path = std::move(path);
    request.headers = std::move(headers);
    tests::loop io;
    return io.run(std::get<net::router::match>(found).to->handle(std::move(request)));
}

http_response script(net::header_list headers) {
    return answer(files, "/console/assets/console-1A.js", std::move(headers));
}

TEST(console_assets, a_file_is_sent_from_the_memory_of_the_program) {
    auto const response = script({});

    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.content().data(), files[0].identity.data()) << "no copy";
    EXPECT_EQ(response.headers.find("Content-Type"), "text/javascript; charset=utf-8");
    EXPECT_EQ(response.headers.find("Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(response.headers.find("X-Content-Type-Options"), "nosniff");
}

TEST(console_assets, a_file_comes_in_the_smallest_form_that_the_client_takes) {
    auto const brotli = script({{"Accept-Encoding", "gzip, deflate, br"}});
    EXPECT_EQ(brotli.content(), "brotli form");
    EXPECT_EQ(brotli.headers.find("Content-Encoding"), "br");
    EXPECT_EQ(brotli.headers.find("Vary"), "Accept-Encoding");

    auto const gzip = script({{"Accept-Encoding", "gzip;q=0.5, br;q=0"}});
    EXPECT_EQ(gzip.content(), "gzipped");
    EXPECT_EQ(gzip.headers.find("Content-Encoding"), "gzip");

    auto const plain = script({{"Accept-Encoding", "identity"}});
    EXPECT_EQ(plain.content(), "script");
    EXPECT_EQ(plain.headers.count("Content-Encoding"), 0u);
}

TEST(console_assets, each_form_has_a_tag_of_its_own_and_is_not_sent_twice) {
    auto const first = script({{"Accept-Encoding", "br"}});
    std::string const tag(first.headers.find("ETag"));
    EXPECT_NE(tag, script({}).headers.find("ETag"));

    auto const again = script({{"Accept-Encoding", "br"}, {"If-None-Match", tag}});
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.content(), "");
    EXPECT_EQ(again.headers.find("ETag"), tag);

    EXPECT_EQ(script({{"If-None-Match", tag}}).status, 200) << "that was another form";
}

TEST(console_assets, each_address_of_the_console_is_its_page) {
    for (auto const* path :
         {"/console", "/console/", "/console/jobs", "/console/lanes/1%3A5%3A0"}) {
        auto const page = answer(files, path);
        EXPECT_EQ(page.status, 200) << path;
        EXPECT_EQ(page.content(), "<html>") << path;
        EXPECT_EQ(page.headers.find("Cache-Control"), "no-cache") << path;
    }
}

TEST(console_assets, what_is_no_file_is_not_the_page) {
    EXPECT_EQ(answer(files, "/console/assets/console-2B.js").status, 404);
    EXPECT_EQ(answer(files, "/elsewhere").status, 404);
}

TEST(console_assets, other_methods_are_refused_as_elsewhere) {
    EXPECT_EQ(answer(files, "/console", {}, "POST").status, 405);
    EXPECT_EQ(answer(files, "/console/jobs", {}, "DELETE").status, 405);
    EXPECT_EQ(answer(files, "/console/jobs", {}, "HEAD").status, 200);
}

TEST(console_assets, the_page_runs_nothing_inline_and_nobody_frames_it) {
    auto const page = answer(files, "/console");
    auto const policy = page.headers.find("Content-Security-Policy");

    EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
    EXPECT_THAT(policy, HasSubstr("script-src 'self'"));
    EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    EXPECT_EQ(page.headers.find("Cross-Origin-Opener-Policy"), "same-origin");
    EXPECT_EQ(page.headers.find("Cross-Origin-Resource-Policy"), "same-origin");
}

TEST(console_assets, the_root_leads_to_the_console) {
    auto const response = answer(files, "/");
    EXPECT_EQ(response.status, 303);
    EXPECT_EQ(response.headers.find("Location"), "/console");
    EXPECT_EQ(response.headers.find("Cache-Control"), "no-store");
    EXPECT_EQ(response.headers.find("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(response.headers.find("Referrer-Policy"), "no-referrer");
}

TEST(console_assets, without_a_console_its_address_leads_to_the_page_that_says_so) {
    EXPECT_EQ(answer({}, "/").status, 404) << "the status page answers there";
    auto const response = answer({}, "/console");
    EXPECT_EQ(response.status, 303);
    EXPECT_EQ(response.headers.find("Location"), "/");
}

TEST(console_assets, the_ones_of_this_build_are_complete) {
    for (auto const& asset : embedded_assets()) {
        EXPECT_FALSE(asset.identity.empty()) << asset.path;
        EXPECT_FALSE(asset.tag.empty()) << asset.path;
        EXPECT_TRUE(asset.gzip.empty() || asset.gzip.starts_with("\x1f\x8b")) << asset.path;
        EXPECT_LT(asset.brotli.size(), asset.identity.size()) << asset.path;
    }
}

} // namespace
} // namespace postrider::console::assets_test
