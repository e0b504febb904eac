#include "server/api/idempotency.hpp"

#include "net/digest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::api {

namespace {

constexpr std::string_view header = "Idempotency-Key";
constexpr std::size_t longest_key = 255;

bool fits(std::string_view key) {
    return !key.empty() && key.size() <= longest_key &&
           std::ranges::all_of(key, [](char c) { return c >= ' ' && c <= '~'; });
}

} // namespace

std::optional<net::http_response> refuse_key(net::http_request const& head) {
    auto const keys = head.headers.count(header);
    if (keys == 0 || (keys == 1 && fits(head.headers.find(header)))) return std::nullopt;
    return net::http_response::problem(
        400,
        "invalid",
        fmt::format("{} is to be one text of up to {} characters", header, longest_key)
    );
}

std::optional<storage::request_key> key_of(
    net::http_request const& request, std::string scope, std::string_view identity
) {
    auto const key = request.headers.find(header);
    if (key.empty()) return std::nullopt;
    return storage::request_key{std::move(scope), std::string(key), net::sha256_hex(identity)};
}

net::http_response key_reused() {
    return net::http_response::problem(
        422, "key_reused", "another request came with this Idempotency-Key"
    );
}

net::http_response start_once(
    storage::transaction& tx,
    std::optional<storage::request_key> const& key,
    std::function<first_answer()> const& first,
    std::function<net::http_response(job_id)> const& again
) {
    if (!key) return first().response;
    auto const earlier = storage::claim_key(tx, *key);
    if (earlier && !earlier->same_request) return key_reused();
    if (earlier) return again(earlier->job.value());
    auto answer = first();
    if (answer.job)
        storage::answer_key(tx, *key, *answer.job);
    else
        storage::release_key(tx, *key);
    return std::move(answer.response);
}

} // namespace postrider::api
