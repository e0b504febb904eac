#include "net/guarded_client.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "net/public_address.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>

#include <algorithm>
#include <array>

namespace postrider::net {

namespace {

namespace urls = boost::urls;
using base::errc;
using base::error;

struct destination {
    urls::url url;
    std::string origin;
    std::string target;

    std::string host() const { return std::string(url.encoded_host()); }
    std::string port() const {
        if (url.has_port() && !url.port().empty()) return std::string(url.port());
        return url.scheme() == "https" ? "443" : "80";
    }
};

base::result<destination> destination_of(urls::url url) {
    url.remove_fragment();
    // Path and query stay as they were written: Boost.URL's normal form takes %26 for & and %2F for /.
    url.normalize_scheme();
    url.normalize_authority();
    auto const scheme = std::string(url.scheme());
    if (scheme != "http" && scheme != "https") return error(errc::invalid, "not an http(s) URL");
    if (url.has_userinfo()) return error(errc::invalid, "a URL must not hold user info");
    if (url.encoded_host().empty()) return error(errc::invalid, "a URL needs a host");
    destination to;
    to.origin = scheme + "://" + std::string(url.encoded_host());
    if (url.has_port() && !url.port().empty()) to.origin += ':' + std::string(url.port());
    to.target = url.encoded_path().empty() ? "/" : std::string(url.encoded_path());
    if (url.has_query()) to.target += '?' + std::string(url.encoded_query());
    to.url = std::move(url);
    return to;
}

base::result<destination> destination_of(std::string_view text) {
    auto const parsed = urls::parse_uri({text.data(), text.size()});
    if (!parsed) return error(errc::invalid, "not a URL");
    return destination_of(urls::url(*parsed));
}

base::result<destination> redirected(destination const& from, std::string_view location) {
    auto const reference = urls::parse_uri_reference({location.data(), location.size()});
    if (!reference) return error(errc::invalid, "a redirect to what is not a URL");
    urls::url target;
    if (!urls::resolve(from.url, *reference, target))
        return error(errc::invalid, "a redirect to what is not a URL");
    return destination_of(std::move(target));
}

// `proof`: what must not be seen of it, not even in part; null = nothing.
std::string shown(destination const& target, credential const* proof) {
    constexpr std::size_t most = 500;
    std::string url(target.url.buffer());
    return base::shortened(proof ? without_secret(std::move(url), *proof) : url, most);
}

bool redirects(http_answer const& answer) {
    constexpr std::array statuses{301, 302, 303, 307, 308};
    return std::ranges::find(statuses, answer.status) != statuses.end() &&
           !answer.headers.find("location").empty();
}

// A header that says nothing of the caller.
bool may_cross_origins(std::string_view header) {
    constexpr std::array<std::string_view, 4> harmless{
        "accept", "accept-language", "content-type", "user-agent"};
    return std::ranges::any_of(harmless, [header](auto name) {
        return base::equals_without_case(name, header);
    });
}

void cross_origins(web_request& request) {
    request.credential = nullptr;
    header_list kept;
    for (auto const& [name, value] : request.headers)
        if (may_cross_origins(name)) kept.add(name, value);
    request.headers = std::move(kept);
}

bool only_reads(std::string_view method) {
    return method == "GET" || method == "HEAD";
}

// Rather than for the same request at another place.
bool asks_for_page(std::string_view method, int status) {
    return status == 303 || ((status == 301 || status == 302) && method == "POST");
}

void become_read(web_request& request) {
    request.method = "GET";
    request.body.clear();
    request.idempotent = true;
}

base::result<void> check_redirect(
    web_request const& request, destination const& from, destination const& target
) {
    if (from.origin == target.origin) return {};
    auto const location = shown(target, request.credential);
    if (!only_reads(request.method))
        return error(
            errc::refused,
            "a redirect to " + location + " would take the " + request.method +
                " to another origin; it was not followed"
        );
    if (from.origin.starts_with("https:") && target.origin.starts_with("http:"))
        return error(errc::refused, "a redirect from https to http");
    return {};
}

bool proves_itself(web_request const& request, destination const& target) {
    return request.credential && may_be_sent(*request.credential, target.origin);
}

http_call call_of(web_request const& request, destination const& target, base::duration left) {
    http_call call;
    call.method = request.method;
    call.origin = target.origin;
    call.target = target.target;
    call.headers = request.headers;
    if (proves_itself(request, target)) prove(*request.credential, call.headers, call.target);
    call.body = request.body;
    call.idempotent = request.idempotent;
    call.connect_timeout = std::min(call.connect_timeout, left);
    call.first_byte_timeout = std::min(call.first_byte_timeout, left);
    call.idle_timeout = std::min(call.idle_timeout, left);
    call.total_timeout = left;
    call.answer_limit = request.answer_limit;
    return call;
}

void hide_secret(base::result<web_answer>& reached, credential const& credential) {
    if (!reached) {
        auto failure = reached.error();
        failure.detail = without_secret(std::move(failure.detail), credential);
        reached = std::move(failure);
        return;
    }
    auto& answer = reached->answer;
    header_list headers;
    for (auto const& [name, value] : answer.headers)
        headers.add(name, without_secret(value, credential));
    answer.headers = std::move(headers);
    answer.body = without_secret(std::move(answer.body), credential);
    reached->url = without_secret(std::move(reached->url), credential);
}

} // namespace

http_client_options guarded_options() {
    auto options = trusting_options();
    options.egress = is_public;
    return options;
}

http_client_options trusting_options() {
    http_client_options options;
    options.connections_per_origin = 8;
    options.keep_alive = std::chrono::seconds{5};
    return options;
}

error unread_answer(std::string_view method, std::string_view url, std::string_view reason) {
    std::string detail = "the ";
    detail.append(method).append(" was answered by a redirect to ").append(url);
    detail.append(", which could not be read: ").append(reason);
    return error(errc::refused, std::move(detail), was_answered);
}

base::awaitable<base::result<web_answer>> guarded_client::fetch(web_request request) {
    auto const method = request.method;
    auto const* const proof = request.credential;
    course progress;
    auto reached = co_await follow(std::move(request), progress);
    if (!reached && progress.page)
        reached = unread_answer(method, *progress.page, to_string(reached.error()));
    // What another server says is its own, even if it is the same by chance.
    if (progress.is_proven) hide_secret(reached, *proof);
    if (reached) reached->is_proven = progress.is_proven;
    co_return reached;
}

base::awaitable<base::result<web_answer>> guarded_client::follow(
    web_request request, course& progress
) {
    auto to = destination_of(request.url);
    if (!to) co_return to.error();
    auto const end = base::system_clock().steady() + request.deadline;
    for (int followed = 0;; ++followed) {
        auto const left = end - base::system_clock().steady();
        if (left <= base::duration::zero())
            co_return error(errc::timeout, "the redirects took too long");
        if (request.admits && !request.admits(to->host(), to->port()))
            co_return error(errc::refused, "the host " + to->host() + " is not allowed");
        bool const trusted = trusting_ && request.trusts && request.trusts(to->host(), to->port());
        auto& client = trusted ? *trusting_ : *client_;
        progress.is_proven = progress.is_proven || proves_itself(request, *to);
        auto answer = co_await client.send(call_of(request, *to, left));
        if (!answer) co_return answer.error();
        if (!redirects(*answer)) {
            web_answer reached{
                std::move(*answer), std::string(to->url.buffer()), progress.page.has_value()};
            co_return reached;
        }
        auto redirect = redirected(*to, answer->headers.find("location"));
        if (!only_reads(request.method) && asks_for_page(request.method, answer->status)) {
            progress.page = redirect ? shown(*redirect, request.credential) : "what is not a URL";
            become_read(request);
        }
        if (followed == request.redirects) co_return error(errc::too_large, "too many redirects");
        if (!redirect) co_return redirect.error();
        auto const checked = check_redirect(request, *to, *redirect);
        if (!checked) co_return checked.error();
        if (redirect->origin != to->origin) cross_origins(request);
        to = std::move(redirect);
    }
}

} // namespace postrider::net
