#include "net/credential.hpp"

#include "base/ascii.hpp"
#include "base/texts.hpp"
#include "net/base64.hpp"
#include "net/host_pattern.hpp"
#include "net/public_address.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>

#include <algorithm>
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
    // As the request is sent: %61pi is api.
    boost::urls::url sent(*parsed);
    sent.normalize_scheme();
    sent.normalize_authority();
    peer to;
    to.is_safe = sent.scheme() == "https";
    to.host = std::string(sent.encoded_host());
    to.port = sent.port().empty() ? (to.is_safe ? "443" : "80") : std::string(sent.port());
    return to;
}

std::string basic_proof(credential const& credential) {
    return to_base64(credential.user + ":" + credential.value.reveal());
}

// Servers that make variables of headers take X_Key for X-Key.
std::string as_variable(std::string_view header) {
    auto name = base::to_lower(std::string(header));
    std::ranges::replace(name, '_', '-');
    return name;
}

void set_header(header_list& headers, std::string_view name, std::string value) {
    header_list changed;
    for (auto const& [known, text] : headers)
        if (as_variable(known) != as_variable(name)) changed.add(known, text);
    changed.add(std::string(name), std::move(value));
    headers = std::move(changed);
}

void set_parameter(std::string& target, std::string const& name, std::string const& value) {
    auto const mark = target.find('?');
    auto path = target.substr(0, mark);
    std::string query;
    std::string_view rest = mark == target.npos ? "" : std::string_view(target).substr(mark + 1);
    while (!rest.empty()) {
        auto const end = rest.find('&');
        auto const part = rest.substr(0, end);
        if (percent_decode(part.substr(0, part.find('=')), true) != name)
            query.append(part).append("&");
        rest = end == rest.npos ? "" : rest.substr(end + 1);
    }
    target = path.append("?").append(query);
    target.append(percent_encoded(name)).append("=").append(percent_encoded(value));
}

void hide(std::string& text, std::string const& secret) {
    if (secret.size() >= shortest_hidden) base::replace_all(text, secret, hidden);
}

// "%3D" as "%3d".
std::string with_small_escapes(std::string text) {
    for (auto at = text.find('%'); at != text.npos; at = text.find('%', at + 1))
        text.replace(at + 1, 2, base::to_lower(text.substr(at + 1, 2)));
    return text;
}

// As it is, in a URL and in JSON.
void hide_in_all_forms(std::string& text, std::string const& secret) {
    hide(text, secret);
    auto const encoded = percent_encoded(secret);
    hide(text, encoded);
    hide(text, with_small_escapes(encoded));
    auto in_json = secret;
    base::replace_all(in_json, "/", "\\/");
    hide(text, in_json);
}

} // namespace

bool is_of_this_network(std::string const& host) {
    bool const has_brackets = host.starts_with('[') && host.ends_with(']');
    boost::system::error_code failure;
    auto const address = boost::asio::ip::make_address(
        has_brackets ? host.substr(1, host.size() - 2) : host, failure
    );
    return is_local_host(host) && (failure || !is_public(address));
}

bool may_be_sent(credential const& credential, std::string_view url) {
    auto const to = peer_of(url);
    return to && (to->is_safe || is_of_this_network(to->host)) &&
           matches_any_host(credential.hosts, to->host, to->port);
}

bool only_lacks_encryption(credential const& credential, std::string_view url) {
    auto const to = peer_of(url);
    return to && !to->is_safe && !is_of_this_network(to->host) &&
           matches_any_host(credential.hosts, to->host, to->port);
}

void prove(credential const& credential, header_list& headers, std::string& target) {
    switch (credential.kind) {
    case credential_kind::bearer:
        return set_header(headers, "Authorization", "Bearer " + credential.value.reveal());
    case credential_kind::basic:
        return set_header(headers, "Authorization", "Basic " + basic_proof(credential));
    case credential_kind::header:
        return set_header(headers, credential.name, credential.value.reveal());
    case credential_kind::query:
        return set_parameter(target, credential.name, credential.value.reveal());
    }
}

std::string without_secret(std::string text, credential const& credential) {
    hide_in_all_forms(text, credential.value.reveal());
    if (credential.kind == credential_kind::basic) hide_in_all_forms(text, basic_proof(credential));
    return text;
}

} // namespace postrider::net
