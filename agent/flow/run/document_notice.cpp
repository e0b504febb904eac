#include "agent/flow/run/document_notice.hpp"

#include "agent/language/notices.hpp"
#include "agent/speech/failure_notice.hpp"
#include "agent/speech/speech.hpp"

namespace postrider::agent::flow {

namespace {

constexpr std::int64_t position_of_notice = 0;

address place_of_document(knowledge::sent_document const& sent) {
    return {.bot = sent.sender.bot, .chat = sent.sender.chat, .thread = sent.thread};
}

} // namespace

base::awaitable<void> tell_of_ready_document(
    node_services const& services, queue::workflow steps, knowledge::sent_document const& sent
) {
    auto const& words = language::notices_in(sent.language);
    speech notice;
    notice.to = place_of_document(sent);
    notice.content.text = language::in_words(words.document_ready, sent.name, sent.collection_name);
    notice.row = row_at(position_of_notice, sent.lane);
    (void)co_await say(steps, {services.out, services.random}, std::move(notice));
}

std::vector<storage::write> tell_of_unread_document(
    queue::job const& job, queue::outcome const& ended, std::string const& reason
) {
    auto const request = knowledge::ingest_request_from(job.input);
    if (!request || !request->sent) return {};
    auto const& sent = *request->sent;
    auto text = sent.when_stopped;
    if (ended.state != queue::job_state::cancelled)
        text = language::in_words(
            language::notices_in(sent.language).document_failed, sent.name, reason
        );
    if (text.empty()) return {}; // of an earlier release's job
    return tell_of_end(job, sent.lane, place_of_document(sent), sent.sender.user, text);
}

} // namespace postrider::agent::flow
