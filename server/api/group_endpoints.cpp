// The groups that the bots serve, and each as its agent reads it.
#include "agent/flow/nodes/group_reading.hpp"
#include "agent/group/compaction.hpp"
#include "agent/spam/store/rows.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/api/shared_readings.hpp"
#include "server/api/spam_inputs.hpp"
#include "server/views/json_values.hpp"
#include "storage/stores/audit.hpp"
#include "storage/stores/group_archive.hpp"
#include "storage/transact.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::api {

namespace {

using group_states = std::vector<server::group_state>;

planned list_groups(std::shared_ptr<group_states const> states, net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([states = std::move(states)](storage::transaction& tx) {
        std::vector<storage::served_group> places;
        for (auto const& group : *states) places.push_back(group.place);
        auto const activity = storage::read_group_activity(tx, places);
        boost::json::array groups;
        for (std::size_t at = 0; at < states->size(); ++at)
            groups.push_back(server::group_json(states->at(at), activity.at(at)));
        return json_answer(200, {{"groups", std::move(groups)}});
    });
}

base::awaitable<net::http_response> answer_with_groups(
    std::shared_ptr<shared_readings> readings, call incoming
) {
    auto const states = co_await readings->groups.get();
    if (!states) co_return problem_of(states.error(), database_use::read);
    auto const list = in_a_transaction([states = *states](net::http_request const& request) {
        return list_groups(states, request);
    });
    co_return co_await list(std::move(incoming));
}

// So many messages are shown, as of a memory with the usual threshold.
constexpr int most_messages = 3'000;

base::time_zone zone_of(server::serving_bot const& bot) {
    auto zone = base::find_time_zone(bot.timezone.empty() ? "UTC" : bot.timezone);
    return zone ? std::move(*zone) : base::find_time_zone("UTC").value();
}

boost::json::object context_json(agent::group::context const& shown, base::time_zone const& zone) {
    return {
        {"chat", base::raw(shown.chat)},
        {"summary", server::text_or_null(shown.summary)},
        {"messages", std::ssize(shown.messages)},
        {"tokens", agent::group::tokens_of(shown, zone)},
        {"text", agent::group::text_of(shown, zone)}};
}

base::awaitable<base::result<agent::group::context>> read_shown_context(
    storage::batcher& reads, storage::database& db, storage::served_group group
) {
    auto find = [group](storage::transaction& tx) { return storage::find_newest_turn(tx, group); };
    auto const turn =
        co_await storage::transact(db, "api.group_context", std::move(find), database_waits.read);
    if (!turn) co_return turn.error();
    agent::group::context nothing;
    nothing.chat = group.chat;
    if (!*turn) co_return nothing;
    storage::context_page page;
    page.bot = group.bot;
    page.chat = group.chat;
    page.lane = (*turn)->lane;
    page.turn = (*turn)->job;
    page.most = most_messages;
    auto const history = co_await storage::read_group_context(reads, page, database_waits.read);
    if (!history) co_return history.error();
    co_return agent::flow::current_context(*history, group.chat);
}

base::awaitable<net::http_response> show_group_context(
    server::group_desk const& groups, storage::batcher& reads, call incoming
) {
    parameters query(incoming.request);
    chat_id const chat{path_number(incoming.request, "chat", query)};
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    auto const bot = groups.bot_of(chat);
    if (!bot) co_return no_bot_serves(chat);
    storage::served_group const group{bot->id, chat};
    auto const shown = co_await read_shown_context(reads, incoming.db, group);
    if (!shown) co_return problem_of(shown.error(), database_use::read);
    co_return json_answer(200, context_json(*shown, zone_of(*bot)));
}

// Telegram does not report that a person deleted a message.
planned remove_from_archive(server::group_desk const& groups, net::http_request const& request) {
    parameters query(request);
    chat_id const chat{path_number(request, "chat", query)};
    telegram_message_id const message{path_number(request, "message", query)};
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    auto const bot = groups.bot_of(chat);
    if (!bot) return no_bot_serves(chat);
    return work([bot = bot->id, chat, message](storage::transaction& tx) {
        agent::spam::apply(tx, {storage::mark_removed(bot, chat, {message})});
        auto const subject = fmt::format("message:{}/{}", base::raw(chat), base::raw(message));
        storage::audit_operation(tx, "message_removed", {}, subject, {});
        return net::http_response::empty(204);
    });
}

} // namespace

std::vector<endpoint> group_endpoints(resources const& resources) {
    if (!resources.installed || !resources.installed->groups || !resources.readings) return {};
    auto list = [readings = resources.readings](call incoming) {
        return answer_with_groups(readings, std::move(incoming));
    };
    std::vector<endpoint> endpoints{{"GET", "/api/v1/groups", std::move(list)}};
    auto remove = [&groups = *resources.installed->groups](net::http_request const& request) {
        return remove_from_archive(groups, request);
    };
    endpoints.push_back(
        {"DELETE", "/api/v1/groups/{chat}/messages/{message}", in_a_transaction(remove)}
    );
    if (!resources.conversations) return endpoints;
    auto show = [&groups = *resources.installed->groups,
                 &reads = resources.conversations->reads](call incoming) {
        return show_group_context(groups, reads, std::move(incoming));
    };
    endpoints.push_back({"GET", "/api/v1/groups/{chat}/context", std::move(show)});
    return endpoints;
}

} // namespace postrider::api
