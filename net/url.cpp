#include "net/http_client.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <array>
#include <charconv>

namespace postrider::net {

namespace {

using base::errc;
using base::error;

std::optional<int> two_digits(std::string_view text) {
    int value = 0;
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

bool is_port(std::string_view text) {
    std::uint16_t port = 0;
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), port);
    return ec == std::errc{} && end == text.data() + text.size() && port != 0;
}

// RFC 9110 5.6.7, the one form a sender may generate: "Sun, 06 Nov 1994 08:49:37 GMT".
std::optional<std::chrono::sys_seconds> parse_imf_fixdate(std::string_view text) {
    using namespace std::chrono;
    constexpr std::array<std::string_view, 12> months{
        "Jan",
        "Feb",
        "Mar",
        "Apr",
        "May",
        "Jun",
        "Jul",
        "Aug",
        "Sep",
        "Oct",
        "Nov",
        "Dec",
    };
    if (text.size() != 29 || text.substr(25) != " GMT" || text.substr(3, 2) != ", ") return {};
    if (text[7] != ' ' || text[11] != ' ' || text[16] != ' ' || text[19] != ':' || text[22] != ':')
        return {};
    auto month_name = std::ranges::find(months, text.substr(8, 3));
    auto day_of_month = two_digits(text.substr(5, 2));
    auto century = two_digits(text.substr(12, 2));
    auto year_of_century = two_digits(text.substr(14, 2));
    auto hour = two_digits(text.substr(17, 2));
    auto minute = two_digits(text.substr(20, 2));
    auto second = two_digits(text.substr(23, 2));
    if (month_name == months.end() || !day_of_month || !century || !year_of_century || !hour ||
        !minute || !second || *hour > 23 || *minute > 59 || *second > 60)
        return {};
    year_month_day date{
        year{*century * 100 + *year_of_century},
        month{static_cast<unsigned>(month_name - months.begin() + 1)},
        day{static_cast<unsigned>(*day_of_month)},
    };
    if (!date.ok()) return {};
    return sys_days{date} + hours{*hour} + minutes{*minute} + seconds{*second};
}

} // namespace

base::result<base_url> parse_base_url(std::string_view text) {
    auto parsed = boost::urls::parse_uri({text.data(), text.size()});
    if (!parsed) return error(errc::invalid, "not a URL");
    auto const& url = *parsed;
    auto scheme = std::string(url.scheme());
    std::ranges::transform(scheme, scheme.begin(), [](char c) {
        return static_cast<char>(c | 0x20);
    });
    if (scheme != "http" && scheme != "https") return error(errc::invalid, "not an http(s) URL");
    if (url.has_userinfo()) return error(errc::invalid, "a URL must not hold user info");
    if (url.has_query() || url.has_fragment())
        return error(errc::invalid, "a base URL must not have a query or a fragment");
    if (url.encoded_host().empty()) return error(errc::invalid, "a URL needs a host");
    if (url.has_port() && !is_port(std::string(url.port())))
        return error(errc::invalid, "no such port");

    std::string path{url.encoded_path()};
    while (path.ends_with('/')) path.pop_back();
    auto origin = scheme + "://" + std::string(url.encoded_host());
    if (url.has_port()) origin.append(":").append(std::string(url.port()));
    return base_url{std::move(origin), std::move(path)};
}

std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view value, base::sys_time now
) {
    using std::chrono::milliseconds;
    if (value.empty()) return std::nullopt;
    // Whoever asks for more is asked again after an hour: nobody outside stops us for days.
    constexpr std::int64_t most_seconds = 3600;
    if (value.find_first_not_of("0123456789") == std::string_view::npos) {
        std::int64_t seconds = 0;
        auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), seconds);
        if (ec != std::errc{}) seconds = most_seconds;
        return std::chrono::seconds{std::min(seconds, most_seconds)};
    }
    auto at = parse_imf_fixdate(value);
    if (!at) return std::nullopt;
    auto delay = std::chrono::ceil<milliseconds>(*at - now);
    return std::clamp<milliseconds>(delay, milliseconds{0}, std::chrono::seconds{most_seconds});
}

} // namespace postrider::net
