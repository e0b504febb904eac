#include "agent/flow/run/document_notice.hpp"

#include "agent/language/notices.hpp"
#include "agent/speech/speech.hpp"

namespace postrider::agent::flow {

namespace {

constexpr std::int64_t position_of_notice = 0;

} // namespace

base::awaitable<void> tell_of_document(
    node_services const& services,
    queue::workflow steps,
    knowledge::sent_document const& sent,
    document_news news
) {
    auto const& words = language::notices_in(sent.language);
    speech notice;
    notice.to = {.bot = sent.sender.bot, .chat = sent.sender.chat, .thread = sent.thread};
    notice.content.text =
        news.was_read ? language::in_words(words.document_ready, sent.name, sent.collection_name)
                      : language::in_words(words.document_failed, sent.name, news.failure);
    notice.row = row_at(position_of_notice, sent.lane);
    (void)co_await say(steps, {services.out, services.random}, std::move(notice));
}

} // namespace postrider::agent::flow
