#include "server/api/home_page.hpp"

#include "net/base64.hpp"
#include "net/digest.hpp"

#include <fmt/format.h>

#include <charconv>

namespace postrider::api {

namespace {

// With quotes, so that it fits into attributes as well.
std::string escaped(std::string_view text) {
    std::string html;
    for (char c : text) switch (c) {
        case '&':
            html += "&amp;";
            break;
        case '<':
            html += "&lt;";
            break;
        case '>':
            html += "&gt;";
            break;
        case '"':
            html += "&quot;";
            break;
        default:
            html += c;
        }
    return html;
}

std::string state_of(health const& state) {
    auto const reasons = state.reasons_against();
    if (reasons.empty()) return R"(<section class="state ready"><strong>Ready</strong></section>)";
    std::string items;
    for (auto const& reason : reasons) items += "<li>" + escaped(reason) + "</li>";
    return R"(<section class="state not-ready"><strong>Not ready</strong><ul>)" + items +
           "</ul><p>Reload the page to check again.</p></section>";
}

std::string bytes_of(std::string_view hex) {
    std::string bytes;
    for (; hex.size() >= 2; hex.remove_prefix(2)) {
        unsigned char byte = 0;
        std::from_chars(hex.data(), hex.data() + 2, byte, 16);
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

// Names the page's one style by its hash: nothing else is loaded, run, framed or sent.
std::string content_policy(std::string_view page) {
    constexpr std::string_view begin = "<style>";
    auto const from = page.find(begin) + begin.size();
    auto const style = page.substr(from, page.find("</style>") - from);
    return fmt::format(
        "default-src 'none'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'",
        net::to_base64(bytes_of(net::sha256_hex(style)))
    );
}

void fill_in(std::string& page, std::string_view place, std::string_view text) {
    page.replace(page.find(place), place.size(), text);
}

} // namespace

net::http_response home_page(health const& state, std::string_view version) {
    static std::string const policy = content_policy(home_page_template());
    std::string page(home_page_template());
    fill_in(page, "@version@", escaped(version));
    fill_in(page, "@state@", state_of(state));
    net::http_response response;
    response.headers = {
        {"Content-Type", "text/html; charset=utf-8"},
        {"Content-Security-Policy", policy},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    response.body = std::move(page);
    return response;
}

} // namespace postrider::api
