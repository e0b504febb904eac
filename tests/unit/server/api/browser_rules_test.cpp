// Which requests a browser may make with a session: a table of all that other pages can send.
#include "server/api/browser_rules.hpp"

#include <gtest/gtest.h>

namespace postrider::api::browser_rules_test {
namespace {

net::http_request request_with(std::string method, net::header_list headers) {
    net::http_request request;
    request.method = std::move(method);
    request.path = "/api/v1/jobs";
    request.headers = std::move(headers);
    return request;
}

struct row {
    std::string method;
    net::header_list headers;
    bool let_in;
};

TEST(browser_rules, let_in_pages_of_this_server_and_no_others) {
    own_names const names{{"bot.example.org"}};
    std::string const host = "bot.example.org";
    for (auto const& [method, headers, let_in] : std::vector<row>{
             {"POST", {{"Host", host}, {"Sec-Fetch-Site", "same-origin"}}, true},
             {"POST", {{"Host", host}, {"Sec-Fetch-Site", "same-site"}}, false},
             {"POST", {{"Host", host}, {"Sec-Fetch-Site", "cross-site"}}, false},
             {"POST", {{"Host", host}, {"Sec-Fetch-Site", "none"}}, false},
             {"POST", {{"Host", host}, {"Sec-Fetch-Site", ""}}, false},
             {"POST", {{"Host", host}, {"Sec-Fetch-Site", "Same-Origin"}}, false},
             {"POST",
              {{"Host", host}, {"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "cross-site"}},
              false},
             // What the browser says of itself counts more than an Origin.
             {"POST",
              {{"Host", host}, {"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://" + host}},
              false},
             {"POST",
              {{"Host", host}, {"Sec-Fetch-Site", "same-origin"}, {"Origin", "https://x.org"}},
              true},
             // An older browser.
             {"POST", {{"Host", host}}, false},
             {"POST", {{"Host", host}, {"Origin", "https://" + host}}, true},
             {"POST", {{"Host", host}, {"Origin", "http://BOT.example.org"}}, true},
             {"POST", {{"Host", host}, {"Origin", "https://" + host + ":8443"}}, false},
             {"POST", {{"Host", host}, {"Origin", "https://" + host + ".evil.org"}}, false},
             {"POST", {{"Host", host}, {"Origin", "https://evil.org"}}, false},
             {"POST", {{"Host", host}, {"Origin", "ftp://" + host}}, false},
             {"POST", {{"Host", host}, {"Origin", "null"}}, false},
             {"POST", {{"Host", host}, {"Origin", ""}}, false},
             {"POST",
              {{"Host", host}, {"Origin", "https://" + host}, {"Origin", "https://" + host}},
              false},
             {"POST", {{"Host", host}, {"Referer", "https://" + host + "/"}}, false},
             {"PUT", {{"Host", host}}, false},
             {"DELETE", {{"Host", host}}, false},
             {"PATCH", {{"Host", host}}, false},
             {"GET", {{"Host", host}}, true},
             {"HEAD", {{"Host", host}}, true},
             {"GET", {{"Host", host}, {"Sec-Fetch-Site", "same-origin"}}, true},
             {"GET", {{"Host", host}, {"Sec-Fetch-Site", "none"}}, true},
             {"GET", {{"Host", host}, {"Sec-Fetch-Site", "same-site"}}, false},
             {"GET", {{"Host", host}, {"Sec-Fetch-Site", "cross-site"}}, false},
             // A name of somebody else that leads here.
             {"GET", {{"Host", "evil.org"}, {"Sec-Fetch-Site", "same-origin"}}, false},
             {"GET", {{"Host", "evil.org:8080"}}, false},
             {"GET", {{"Host", host + ".evil.org"}}, false},
             {"GET", {{"Host", host}, {"Host", "evil.org"}}, false},
             {"GET", {{"Host", "evil"}, {"Sec-Fetch-Site", "same-origin"}}, false},
             {"GET", {{"Host", "evil.local:8080"}}, false},
             {"GET", {{"Host", ""}}, false},
             {"GET", {}, false},
             {"GET", {{"Host", "127.0.0.1:8080"}}, true},
             {"GET", {{"Host", "localhost:8080"}}, true},
             {"GET", {{"Host", "[::1]:8080"}}, true},
             {"POST", {{"Host", "localhost:8080"}, {"Origin", "http://localhost:3000"}}, false},
         }) {
        std::string shown = method;
        for (auto const& [name, value] : headers) shown += " " + name + "=" + value;
        auto const refused = refuse_foreign_page(request_with(method, headers), names);
        EXPECT_EQ(refused ? refused->status : 0, let_in ? 0 : 403) << shown;
    }
}

TEST(browser_rules, know_https_by_a_trusted_proxy_or_by_the_public_url) {
    own_names const names{{}, "bot.example.org"};
    auto request = request_with("GET", {{"Host", "127.0.0.1:8080"}});
    EXPECT_FALSE(is_https(request, names));
    request.https = true; // a trusted proxy said so
    EXPECT_TRUE(is_https(request, names));

    EXPECT_TRUE(is_https(request_with("GET", {{"Host", "Bot.example.org"}}), names));
    EXPECT_FALSE(is_https(request_with("GET", {{"Host", "bot.example.org:81"}}), names));
    EXPECT_FALSE(is_https(request_with("GET", {{"Host", ""}}), own_names{}));
    EXPECT_FALSE(is_https(
        request_with("GET", {{"Host", "bot.example.org"}, {"X-Forwarded-Proto", "https"}}),
        own_names{}
    )) << "anybody can say it";
}

} // namespace
} // namespace postrider::api::browser_rules_test
