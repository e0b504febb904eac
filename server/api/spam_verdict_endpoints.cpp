// What the spam filter decided, what was done about it, and how that is undone.
#include "agent/moderation/by_hand.hpp"
#include "agent/spam/store/verdicts.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/api/spam_inputs.hpp"
#include "server/views/spam_json.hpp"

namespace postrider::api {

namespace {

namespace spam = agent::spam;

planned list_spam_verdicts(net::http_request const& request) {
    parameters query(request);
    spam::verdict_filter filter;
    filter.chat = read_chat(query);
    filter.user = read_user(query);
    if (query.text("spam")) filter.is_spam = read_flag(query, "spam");
    filter.since = query.time("since");
    if (auto const cursor = query.text("cursor")) {
        filter.before = server::verdict_place_from(*cursor);
        if (!filter.before) query.mistake(std::string(wrong_cursor));
    }
    filter.limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([filter](storage::transaction& tx) {
        return json_answer(
            200, server::spam_verdicts_json(spam::list_verdicts(tx, filter), filter.limit)
        );
    });
}

planned undo_spam_verdict(net::http_request const& request) {
    parameters query(request);
    members body(request);
    chat_id const chat{path_number(request, "chat", query)};
    telegram_message_id const message{path_number(request, "message", query)};
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([chat, message](storage::transaction& tx) {
        auto const undone = agent::undo_by_hand(tx, chat, message);
        if (undone)
            return json_answer(
                200, server::spam_member_json(spam::find_member(tx, chat, undone->author))
            );
        bool const was_undone = undone.error() == base::errc::conflict;
        return net::http_response::problem(
            was_undone ? 409 : 404, was_undone ? "undone" : "not_found", undone.error().detail
        );
    });
}

} // namespace

std::vector<endpoint> spam_verdict_endpoints(resources const&) {
    return {
        {"GET", "/api/v1/spam/verdicts", in_a_transaction(list_spam_verdicts)},
        {"POST",
         "/api/v1/spam/verdicts/{chat}/{message}/undo",
         in_a_transaction(undo_spam_verdict)}};
}

} // namespace postrider::api
