#pragma once
// Fetches what a model or a page named, and nothing that is not public: an HTTP client for URLs
// that nobody of this house has chosen.
//
// Only http and https; the address is judged after the name was resolved and is the one that is
// connected to, so no name and no form of writing an address leads past it. Each redirect is a
// request of its own, judged like the first. Answers beyond the limit, and anything that takes
// longer than the deadline in all, are errors.
//
// Errors as http_client says, and: invalid: no URL that can be fetched, or a redirect to such;
// too_large: too many redirects; refused: an address that is not public, or a redirect from https to
// http.
#include "net/http_client.hpp"

#include <memory>

namespace postrider::net {

struct web_request {
    std::string method = "GET";
    std::string url; // a fragment is left out
    header_list headers = {};
    std::string body = {};
    bool idempotent = true;
    std::size_t answer_limit = 1u << 20;
    base::duration deadline = base::duration{std::chrono::seconds{20}}; // of all redirects together
    int redirects = 5;
};

struct web_answer {
    http_answer answer;
    std::string url; // that it came from, after redirects
};

class guarded_client {
public:
    // The client must be one of guarded_options().
    explicit guarded_client(std::unique_ptr<http_client> client) : client_(std::move(client)) {}

    // Headers that name a person (Authorization, Cookie, and those that no browser knows) are not
    // sent on to another origin.
    base::awaitable<base::result<web_answer>> fetch(web_request request);
    void close() { client_->close(); }

private:
    std::unique_ptr<http_client> client_;
};

// Admits public addresses only.
http_client_options guarded_options();

} // namespace postrider::net
