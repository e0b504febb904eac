#include "agent/tools/web_call.hpp"

#include "base/ascii.hpp"
#include "net/host_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

using namespace std::string_view_literals;
namespace json = boost::json;
using base::errc;
using base::error;

constexpr std::size_t most_headers = 32;

// What the connection is made of, what says who asks or through whom, and what would make an answer
// that cannot be read.
constexpr std::array refused_headers{
    "host"sv,
    "connection"sv,
    "content-length"sv,
    "transfer-encoding"sv,
    "te"sv,
    "trailer"sv,
    "upgrade"sv,
    "expect"sv,
    "keep-alive"sv,
    "cookie"sv,
    "cookie2"sv,
    "set-cookie"sv,
    "accept-encoding"sv,
    "forwarded"sv,
    "via"sv,
    "x-real-ip"sv};
constexpr std::array refused_families{"proxy-"sv, "x-forwarded-"sv, "sec-"sv};

bool is_header_name(std::string_view name) {
    static constexpr auto others = "!#$%&'*+-.^_`|~"sv;
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               others.find(c) != others.npos;
    });
}

bool is_header_value(std::string_view value) {
    return std::ranges::none_of(value, [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    });
}

bool is_refused(std::string_view name) {
    auto const lower = base::to_lower(std::string(name));
    return std::ranges::find(refused_headers, lower) != refused_headers.end() ||
           std::ranges::any_of(refused_families, [&lower](auto family) {
               return lower.starts_with(family);
           });
}

} // namespace

bool only_reads(std::string_view method) noexcept {
    return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

bool is_repeatable(std::string_view method) noexcept {
    return only_reads(method) || method == "PUT" || method == "DELETE";
}

base::result<net::header_list> request_headers(json::object const& fields) {
    net::header_list headers;
    if (fields.size() > most_headers) return error(errc::invalid, "too many headers");
    for (auto const& [name, value] : fields) {
        std::string const text(value.as_string());
        if (!is_header_name(name) || !is_header_value(text))
            return error(errc::invalid, "not a header: " + std::string(name));
        if (is_refused(name))
            return error(
                errc::invalid, "the header " + std::string(name) + " cannot be set; leave it out"
            );
        headers.add(std::string(name), text);
    }
    return headers;
}

void add_unless_set(net::header_list& headers, std::string name, std::string value) {
    if (headers.count(name) == 0) headers.add(std::move(name), std::move(value));
}

void set_hosts(
    net::web_request& request, std::vector<std::string> operators, std::vector<std::string> flows
) {
    request.admits = [operators, flows = std::move(flows)](auto host, auto port) {
        return (operators.empty() || net::matches_any_host(operators, host, port)) &&
               (flows.empty() || net::matches_any_host(flows, host, port));
    };
    request.trusts = [operators = std::move(operators)](auto host, auto port) {
        return net::is_local_host(host) && net::matches_any_host(operators, host, port);
    };
}

base::result<net::credential const*> usable_credential(
    net::credential const* credential, std::string_view url
) {
    if (!credential)
        return error(
            errc::not_found, "the configuration has no credential of the name in the node"
        );
    if (net::only_lacks_encryption(*credential, url))
        return error(errc::invalid, "the credential for this host is sent over https only");
    return credential;
}

error request_failure(error failure, std::string_view method, std::size_t answer_limit) {
    // Nothing was to happen there, so nothing is in doubt.
    if (failure == errc::ambiguous && only_reads(method)) failure.code = errc::unavailable;
    switch (failure.code) {
    case errc::too_large:
        failure.detail = fmt::format(
            "the answer is larger than {} bytes, or there are too many redirects", answer_limit
        );
        break;
    case errc::timeout:
        failure.detail = "the server did not answer in time";
        break;
    case errc::unavailable:
        failure.detail =
            "the server cannot be reached" + (failure.detail.empty() ? "" : ": " + failure.detail);
        break;
    default:
        break;
    }
    return failure;
}

errc code_of_status(int status, std::string_view method) noexcept {
    if (status == 429) return errc::rate_limited;
    if (status == 503 || (is_repeatable(method) && (status == 502 || status == 504)))
        return errc::unavailable;
    return errc::refused;
}

} // namespace postrider::agent
