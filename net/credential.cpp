#include "net/credential.hpp"

#include "base/ascii.hpp"
#include "net/base64.hpp"
#include "net/host_pattern.hpp"

#include <boost/url/encode.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <optional>

namespace postrider::net {

namespace {

constexpr std::string_view hidden = "***";
constexpr std::size_t shortest_hidden = 6; // what is shorter stands in many a text by chance

struct peer {
    bool is_safe = false; // https
    std::string host;
    std::string port;
};

std::optional<peer> peer_of(std::string_view url) {
    auto const parsed = boost::urls::parse_uri({url.data(), url.size()});
    if (!parsed) return std::nullopt;
    peer to;
    to.is_safe = base::to_lower(std::string(parsed->scheme())) == "https";
    to.host = base::to_lower(std::string(parsed->encoded_host()));
    to.port = parsed->port().empty() ? (to.is_safe ? "443" : "80") : std::string(parsed->port());
    return to;
}

std::string percent_encoded(std::string_view text) {
    return boost::urls::encode({text.data(), text.size()}, boost::urls::unreserved_chars);
}

std::string basic_proof(credential const& of) {
    return to_base64(of.user + ":" + of.value.reveal());
}

void set_header(header_list& headers, std::string_view name, std::string value) {
    header_list all;
    for (auto const& [known, text] : headers)
        if (!base::equals_without_case(known, name)) all.add(known, text);
    all.add(std::string(name), std::move(value));
    headers = std::move(all);
}

void set_parameter(std::string& target, std::string const& name, std::string const& value) {
    auto const mark = target.find('?');
    auto path = target.substr(0, mark);
    std::string query;
    std::string_view rest = mark == target.npos ? "" : std::string_view(target).substr(mark + 1);
    while (!rest.empty()) {
        auto const end = rest.find('&');
        auto const part = rest.substr(0, end);
        if (part.substr(0, part.find('=')) != name) query.append(part).append("&");
        rest = end == rest.npos ? "" : rest.substr(end + 1);
    }
    target = path.append("?").append(query).append(name).append("=").append(value);
}

void hide(std::string& text, std::string const& secret) {
    if (secret.size() < shortest_hidden) return;
    for (auto at = text.find(secret); at != text.npos; at = text.find(secret, at + hidden.size()))
        text.replace(at, secret.size(), hidden);
}

} // namespace

bool may_be_sent(credential const& of, std::string_view url) {
    auto const to = peer_of(url);
    return to && (to->is_safe || is_local_host(to->host)) &&
           matches_any_host(of.hosts, to->host, to->port);
}

bool only_lacks_encryption(credential const& of, std::string_view url) {
    auto const to = peer_of(url);
    return to && !to->is_safe && !is_local_host(to->host) &&
           matches_any_host(of.hosts, to->host, to->port);
}

void prove(credential const& of, header_list& headers, std::string& target) {
    switch (of.kind) {
    case credential_kind::bearer:
        return set_header(headers, "Authorization", "Bearer " + of.value.reveal());
    case credential_kind::basic:
        return set_header(headers, "Authorization", "Basic " + basic_proof(of));
    case credential_kind::header:
        return set_header(headers, of.name, of.value.reveal());
    case credential_kind::query:
        return set_parameter(target, percent_encoded(of.name), percent_encoded(of.value.reveal()));
    }
}

std::string without_secret(std::string text, credential const& of) {
    hide(text, of.value.reveal());
    if (of.kind == credential_kind::basic) hide(text, basic_proof(of));
    if (of.kind == credential_kind::query) hide(text, percent_encoded(of.value.reveal()));
    return text;
}

} // namespace postrider::net
