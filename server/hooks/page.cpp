#include "server/hooks/page.hpp"

#include "base/html.hpp"
#include "server/api/answer_headers.hpp"

#include <fmt/format.h>

namespace postrider::hooks {

namespace {

// It works in a light and a dark browser, and down to 320 px.
constexpr std::string_view style =
    ":root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}"
    "body{max-width:34rem;margin:2rem auto;padding:0 1rem}"
    "label{display:block;margin:1rem 0 .25rem;font-weight:600}"
    "input,select,textarea,button{font:inherit;padding:.5rem;box-sizing:border-box}"
    "input:not([type=checkbox]),select,textarea{width:100%}"
    "button{margin-top:1.5rem;min-height:2.75rem;padding:.5rem 1.5rem}"
    ".mistake{color:#b00020;margin:.25rem 0 0}"
    "@media(prefers-color-scheme:dark){.mistake{color:#ff8a80}}";

constexpr std::string_view policy =
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'";

} // namespace

net::http_response page(int status, std::string_view title, std::string_view content) {
    auto const heading = base::html_escaped(title);
    net::http_response answer;
    answer.status = status;
    answer.body = fmt::format(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        "<style>{1}</style></head><body><main><h1>{0}</h1>{2}</main></body></html>\n",
        heading,
        style,
        content
    );
    answer.headers.add("Content-Type", "text/html; charset=utf-8");
    answer.headers.add("Content-Security-Policy", std::string(policy));
    answer.headers.add("X-Robots-Tag", "noindex, nofollow");
    // With no-referrer, a browser sends a form's Origin as null, and over plain HTTP nothing else tells that the
    // form is our own.
    answer.headers.add("Referrer-Policy", "same-origin");
    api::add_protective_headers(answer);
    return answer;
}

net::http_response message_page(int status, std::string_view title, std::string_view text) {
    return page(status, title, fmt::format("<p>{}</p>", base::html_escaped(text)));
}

} // namespace postrider::hooks
