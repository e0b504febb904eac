// The spam filter: what it says of a text and why, its rules, and what it has learned.
#include "agent/spam/store/judgements.hpp"
#include "agent/spam/store/members.hpp"
#include "agent/spam/store/training_preview.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/api/spam_inputs.hpp"
#include "server/views/spam_json.hpp"
#include "server/views/spam_rules_in_force.hpp"
#include "storage/transact.hpp"

namespace postrider::api {

namespace {

namespace spam = agent::spam;

constexpr std::size_t longest_spam_text = 64u << 10; // bytes; a message has 4,096 characters

std::optional<spam::lesson_kind> read_spam_kind(
    std::optional<std::string> const& word, inputs& mistakes_to
) {
    auto const kind = spam::lesson_kind_named(word.value_or(""));
    if (word && !kind) mistakes_to.mistake("kind is not spam, ham or stop_word");
    return kind;
}

struct check_request {
    spam::judged_message judged;
    std::optional<chat_id> chat;
    std::optional<user_id> user;
    boost::json::object changes; // of the rules that the group has
};

check_request read_check(members& body) {
    check_request request;
    request.judged.content = spam::message_of(body.required_text("text", longest_spam_text));
    request.chat = read_chat(body);
    request.user = read_user(body);
    request.changes = read_rule_changes(body);
    request.judged.chat = request.chat.value_or(spam::shared_samples);
    auto& message = request.judged.content;
    message.author.id = base::raw(request.user.value_or(user_id{}));
    message.sent_at = std::chrono::floor<std::chrono::seconds>(base::system_clock().now());
    return request;
}

boost::json::object judge_text(
    storage::transaction& tx, check_request const& request, spam::recent_messages const& recent
) {
    auto const chat = request.judged.chat;
    auto const in_force = server::group_rules(tx).find(request.chat);
    auto const rules = changed_by(request.changes, in_force.settings.rules);
    auto const learned = spam::load_knowledge(tx, chat, in_force.settings.samples);
    auto answer =
        server::spam_check_json(spam::judge(request.judged.content, learned, rules, recent));
    answer["rules"] = server::rules_source_json(in_force);
    answer["member"] = nullptr;
    if (request.chat && request.user)
        answer["member"] = server::spam_member_json(spam::find_member(tx, chat, *request.user));
    return answer;
}

base::awaitable<net::http_response> check_text(storage::batcher& reads, call incoming) {
    parameters query(incoming.request);
    members body(incoming.request);
    auto const request = read_check(body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);
    spam::recent_messages recent;
    if (request.chat) {
        auto standing = co_await spam::read_standing(reads, request.judged, database_waits.read);
        if (!standing) co_return problem_of(standing.error(), database_use::read);
        recent = std::move(standing->recent);
    }
    auto judge = [request, recent](storage::transaction& tx) {
        return judge_text(tx, request, recent);
    };
    auto const answer = co_await storage::transact(
        incoming.db, incoming.name, std::move(judge), database_waits.read
    );
    if (!answer) co_return problem_of(answer.error(), database_use::read);
    co_return json_answer(200, *answer);
}

planned list_rules(net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return json_answer(200, server::spam_rules_json());
}

planned list_samples(net::http_request const& request) {
    parameters query(request);
    spam::lesson_filter filter;
    filter.chat = read_chat(query);
    filter.kind = read_spam_kind(query.text("kind"), query);
    filter.withdrawn = read_flag(query, "withdrawn");
    filter.below = read_id_cursor(query).value_or(0);
    filter.limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([filter](storage::transaction& tx) {
        return json_answer(200, server::samples_json(spam::list_lessons(tx, filter), filter.limit));
    });
}

net::http_response learn(storage::transaction& tx, spam::lesson const& lesson) {
    auto const learned = spam::teach(tx, lesson);
    if (!learned && learned.error() == base::errc::conflict)
        return net::http_response::problem(409, "known_sample", learned.error().detail);
    if (!learned) return invalid({"text: " + learned.error().detail});
    return json_answer(201, server::spam_sample_json(spam::find_lesson(tx, *learned).value()));
}

planned train(net::http_request const& request) {
    parameters query(request);
    members body(request);
    spam::lesson lesson{.text = body.required_text("text", longest_spam_text)};
    auto const kind = read_spam_kind(body.required_text("kind"), body);
    lesson.kind = kind.value_or(lesson.kind);
    lesson.chat = read_chat(body).value_or(spam::shared_samples);
    lesson.user = read_user(body);
    bool const preview = body.flag("preview");
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([lesson, preview](storage::transaction& tx) {
        if (!preview) return learn(tx, lesson);
        return json_answer(200, server::training_effect_json(spam::preview_training(tx, lesson)));
    });
}

planned withdraw_sample(net::http_request const& request) {
    parameters query(request);
    auto const id = id_from(request.param("id"));
    if (!id) query.mistake("the sample's id in the path is not a positive integer");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([sample = *id](storage::transaction& tx) {
        if (spam::withdraw(tx, sample)) return net::http_response::empty(204);
        return net::http_response::problem(
            404, "not_found", "there is no such sample, or it is withdrawn already"
        );
    });
}

} // namespace

std::vector<endpoint> spam_endpoints(resources const& resources) {
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/spam/rules", in_a_transaction(list_rules)},
        {"GET", "/api/v1/spam/samples", in_a_transaction(list_samples)},
        {"POST", "/api/v1/spam/samples", in_a_transaction(train), 4 * longest_spam_text},
        {"DELETE", "/api/v1/spam/samples/{id}", in_a_transaction(withdraw_sample)}};
    if (!resources.conversations) return endpoints;
    auto judge = [&reads = resources.conversations->reads](call incoming) {
        return check_text(reads, std::move(incoming));
    };
    endpoint check{"POST", "/api/v1/spam/check", std::move(judge), 4 * longest_spam_text};
    check.open_to = audience::editors;
    check.use = database_use::read;
    check.logs_itself = true; // it changes nothing
    endpoints.push_back(std::move(check));
    return endpoints;
}

} // namespace postrider::api
