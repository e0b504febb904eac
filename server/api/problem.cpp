#include "server/api/problem.hpp"

#include "base/json/text.hpp"
#include "base/texts.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace postrider::api {

namespace {

net::http_response try_later(std::string_view code, std::string_view detail) {
    auto response = net::http_response::problem(503, code, detail);
    response.headers.add("Retry-After", "1");
    return response;
}

net::http_response no_answer() {
    return try_later("unavailable", "the database does not answer; nothing was changed");
}

} // namespace

net::http_response invalid(std::vector<std::string> const& mistakes) {
    boost::json::object body{
        {"type", "about:blank"},
        {"title", "Bad Request"},
        {"status", 400},
        {"code", "invalid"},
        {"detail", base::joined(mistakes, "; ")},
        {"errors", boost::json::array(mistakes.begin(), mistakes.end())},
    };
    auto response = net::http_response::json(400, base::as_utf8(base::json_text(body)));
    response.headers = {{"Content-Type", "application/problem+json"}};
    return response;
}

net::http_response problem_of(base::error const& failure, database_use use) {
    bool const may_be_done = use == database_use::change;
    switch (failure.code) {
    case base::errc::poison:
        return invalid(
            {"the database cannot store the request: one of its characters, lengths or numbers "
             "is not allowed"}
        );
    case base::errc::ambiguous:
        if (!may_be_done) return no_answer();
        return try_later(
            "ambiguous",
            "the answer to the commit was lost: check the state before you repeat the request"
        );
    case base::errc::overloaded:
        return try_later(
            "overloaded", "too many requests wait for the database; nothing was changed"
        );
    case base::errc::timeout:
        if (!may_be_done) return no_answer();
        return try_later(
            "timeout",
            "the database is slow; the change may still be made, so check before you repeat it"
        );
    case base::errc::conflict:
        return try_later(
            "unavailable",
            "another request is changing the same data; nothing was changed, so try again"
        );
    case base::errc::unavailable:
        return no_answer();
    default:
        return net::http_response::problem(500, "internal", "the request failed");
    }
}

} // namespace postrider::api
