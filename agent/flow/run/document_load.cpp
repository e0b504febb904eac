#include "agent/flow/run/document_load.hpp"

#include "agent/knowledge/document.hpp"
#include "agent/knowledge/reading/failures.hpp"
#include "agent/tools/web_call.hpp"
#include "net/guarded_client.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

constexpr base::duration longest_document_load{std::chrono::seconds{20}};

constexpr std::size_t most_sent_bytes = most_loaded_bytes;

base::error too_large_to_load(std::size_t most) {
    return knowledge::document_too_large(fmt::format("more than {} MiB", most >> 20));
}

base::awaitable<base::result<loaded_document>> load_page(
    node_services const& services, std::string const& url
) {
    if (!services.web) co_return base::error(base::errc::refused, "Nothing is loaded from here.");
    net::web_request request;
    request.url = url;
    request.answer_limit = knowledge::most_document_bytes;
    request.deadline = longest_document_load;
    auto answer = co_await services.web->fetch(std::move(request));
    if (!answer && answer.error() == base::errc::too_large)
        co_return too_large_to_load(knowledge::most_document_bytes);
    if (!answer) co_return request_failure(answer.error(), "GET", knowledge::most_document_bytes);
    auto& page = answer->answer;
    if (page.status != 200)
        co_return base::error(
            code_of_status(page.status, "GET"),
            fmt::format("The server answered with the status {}.", page.status)
        );
    loaded_document loaded;
    loaded.media_type = page.headers.find("Content-Type");
    if (loaded.media_type.size() > knowledge::longest_media_type) loaded.media_type.clear();
    loaded.bytes = std::move(page.body);
    co_return loaded;
}

base::awaitable<base::result<loaded_document>> load_sent(
    node_services const& services, knowledge::sent_document const& sent
) {
    address const place{.bot = sent.sender.bot, .chat = sent.sender.chat, .thread = sent.thread};
    auto bytes = co_await services.out.load_file(place, sent.file, most_sent_bytes);
    if (!bytes && bytes.error() == base::errc::too_large)
        co_return too_large_to_load(most_sent_bytes);
    if (!bytes) co_return bytes.error();
    co_return loaded_document{std::move(*bytes), sent.media_type};
}

} // namespace

base::awaitable<base::result<loaded_document>> load_document(
    node_services const& services, knowledge::ingest_request const& request
) {
    if (request.sent) return load_sent(services, *request.sent);
    return load_page(services, request.url);
}

} // namespace postrider::agent::flow
