#pragma once
// Fetches what a model or a page named, and nothing that is not public: an HTTP client for URLs
// that nobody of this house has chosen.
//
// Only http and https; the address is judged after the name was resolved and is the one that is
// connected to, so no name and no form of writing an address leads past it. Each redirect is a
// request of its own, judged like the first. Answers beyond the limit, and anything that takes
// longer than the deadline in all, are errors.
//
// A redirect is followed as browsers do it, but method and body of what is to change something
// (neither GET nor HEAD) stay with the origin that they were meant for. The failure tells whether
// it may have been done:
//   unavailable, timeout  no server was reached, or each that was answered by a redirect that asks
//                for the same request again (307, 308, and 301 or 302 for all but POST): not done
//   ambiguous    it was (partly) sent and no complete answer came: may have been done
//   refused      an address that is not public, a host that the request does not admit, a redirect
//                from https to http, or one that would take method and body to another origin: not
//                done, unless the detail says that it was answered by a redirect
//   too_large    the answer is beyond the limit: may have been done; or too many redirects: not done
//   invalid      no URL that can be fetched, or a redirect to such: not done; or a malformed answer:
//                may have been done
// Of those, a failure whose reason is was_answered has come of a server that has the request.
//
// An answer by a redirect to be read with GET (303, and 301 or 302 for POST) comes of a server that
// has acted. When the page behind it cannot be read, for whatever reason, the failure is refused, and
// its reason is was_answered and its detail begins "the POST was answered by a redirect to", so that nobody
// takes it for not done.
//
// Details name the location of such a redirect, and of one to another origin, with its query.
#include "net/credential.hpp"
#include "net/http_client.hpp"

#include <memory>
#include <optional>

namespace postrider::net {

// The host as it stands in the URL, and its port, also where it is the usual one.
using host_filter = std::function<bool(std::string_view host, std::string_view port)>;

struct web_request {
    std::string method = "GET";
    std::string url; // a fragment is left out
    header_list headers = {};
    std::string body = {};
    bool idempotent = true;
    std::size_t answer_limit = 1u << 20;
    base::duration deadline = base::duration{std::chrono::seconds{20}}; // of all redirects together
    int redirects = 5;
    // Both are asked at each redirect too.
    host_filter admits = {}; // hosts that may be asked; none = every host
    host_filter trusts = {}; // hosts whose address need not be public; none = no host
    // Sent where may_be_sent() says so, and no more once a redirect has led to another origin. It outlives
    // the request; null = none. Where it was sent, neither the answer nor a failure repeats it.
    net::credential const* credential = nullptr;
};

struct web_answer {
    http_answer answer;
    std::string url; // that it came from, after redirects
    // A redirect to this page was the answer to the request, which was neither GET nor HEAD.
    bool is_behind_answer = false;
    bool is_proven = false; // the request's credential was sent, here or before a redirect
};

// "the POST was answered by a redirect to URL, which could not be read: reason"
base::error unread_answer(std::string_view method, std::string_view url, std::string_view reason);

class guarded_client {
public:
    // The client must be one of guarded_options(). The other one reaches every address, for hosts
    // that a request trusts; null: none is trusted.
    explicit guarded_client(
        std::unique_ptr<http_client> client, std::unique_ptr<http_client> trusting = nullptr
    )
        : client_(std::move(client)),
          trusting_(std::move(trusting)) {}

    // Headers that name a person (Authorization, Cookie, and those that no browser knows) are not
    // sent on to another origin.
    base::awaitable<base::result<web_answer>> fetch(web_request request);
    void close() {
        client_->close();
        if (trusting_) trusting_->close();
    }

private:
    struct course {
        std::optional<std::string> page = {}; // behind the redirect that answered what is no read
        bool is_proven = false;
    };
    base::awaitable<base::result<web_answer>> follow(web_request request, course& progress);

    std::unique_ptr<http_client> client_;
    std::unique_ptr<http_client> trusting_;
};

// Admits public addresses only.
http_client_options guarded_options();
// The same for addresses of any kind.
http_client_options trusting_options();

} // namespace postrider::net
