// What changed rules of the spam filter would have done to past messages.
#include "base/clock.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/api/spam_inputs.hpp"
#include "server/views/spam_replay.hpp"

#include <chrono>

namespace postrider::api {

namespace {

constexpr std::string_view usual_age = "30d";
constexpr std::int64_t most_until_approved = 1'000;
// Judged twice each, they end well before a report must.
constexpr int most_replayed = 50'000;

// "30d"; a mistake otherwise.
std::chrono::seconds read_age(members& body) {
    auto const age = base::duration_from_text(body.text("since").value_or(std::string(usual_age)));
    if (age && *age > base::duration::zero()) return std::chrono::ceil<std::chrono::seconds>(*age);
    body.mistake("since is no span of time, such as 30d or 12h");
    return {};
}

planned replay_rules(net::http_request const& request) {
    parameters query(request);
    members body(request);
    server::replay_question question;
    question.age = read_age(body);
    question.most = most_replayed;
    question.chat = read_chat(body);
    question.change = [changes = read_rule_changes(body)](agent::spam::rules rules) {
        return changed_by(changes, std::move(rules));
    };
    if (auto const enough = body.integer("until_approved", 1, most_until_approved))
        question.enough = static_cast<int>(*enough);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([question](storage::transaction& tx) {
        return json_answer(200, server::replay_json(server::replay_archive(tx, question)));
    });
}

} // namespace

std::vector<endpoint> spam_replay_endpoints(resources const&) {
    endpoint replay{"POST", "/api/v1/spam/replay", in_a_transaction(replay_rules)};
    replay.open_to = audience::editors;
    replay.use = database_use::report;
    replay.logs_itself = true; // it changes nothing
    return {std::move(replay)};
}

} // namespace postrider::api
