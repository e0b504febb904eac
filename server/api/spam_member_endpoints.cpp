// The members of groups as the spam filter knows them, and a person's word on them.
#include "agent/moderation/by_hand.hpp"
#include "agent/spam/store/catches.hpp"
#include "agent/spam/store/members.hpp"
#include "agent/spam/store/training_preview.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/idempotency.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/api/spam_inputs.hpp"
#include "server/views/spam_json.hpp"
#include "storage/stores/audit.hpp"

#include <fmt/format.h>

#include <variant>

namespace postrider::api {

namespace {

namespace spam = agent::spam;

planned list_spam_members(net::http_request const& request) {
    parameters query(request);
    spam::member_filter filter;
    auto const chat = read_chat(query);
    if (!query.text("chat")) query.mistake("chat is missing");
    filter.chat = chat.value_or(chat_id{});
    if (auto const state = query.text("state")) {
        filter.state = spam::member_state_named(*state);
        if (!filter.state) query.mistake("state is not approved, struck or banned");
    }
    if (auto const cursor = query.text("cursor")) {
        filter.before = server::member_place_from(*cursor);
        if (!filter.before) query.mistake(std::string(wrong_cursor));
    }
    filter.limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([filter](storage::transaction& tx) {
        return json_answer(
            200, server::spam_members_json(spam::list_members(tx, filter), filter.limit)
        );
    });
}

net::http_response member_answer(storage::transaction& tx, path_member const& whom) {
    return json_answer(200, server::spam_member_json(spam::find_member(tx, whom.chat, whom.user)));
}

// Tells nobody but the filter.
using word_on_member = void (*)(storage::transaction&, path_member const&);

void approve(storage::transaction& tx, path_member const& whom) {
    spam::approve(tx, whom.chat, whom.user, storage::actor_in(tx));
}

void disapprove(storage::transaction& tx, path_member const& whom) {
    spam::disapprove(tx, whom.chat, whom.user);
    auto const subject = fmt::format("member:{}/{}", base::raw(whom.chat), base::raw(whom.user));
    storage::audit_operation(tx, "spam_disapprove", {}, subject, {});
}

// Telegram hears of it by a job.
using act_by_hand = job_id (*)(storage::transaction&, agent::address const&, user_id);

std::variant<path_member, net::http_response> named_member(
    server::group_desk const& groups, net::http_request const& request
) {
    parameters query(request);
    members body(request);
    auto const whom = read_path_member(request, query);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    if (!groups.bot_of(whom.chat)) return no_bot_serves(whom.chat);
    return whom;
}

// What an unban would teach the filter.
endpoint showing_unban(server::group_desk const& groups) {
    auto const show = [&groups](net::http_request const& request) -> planned {
        auto named = named_member(groups, request);
        if (auto* refused = std::get_if<net::http_response>(&named)) return std::move(*refused);
        auto const whom = std::get<path_member>(named);
        return work([whom](storage::transaction& tx) {
            auto const bans = spam::find_bans(tx, whom.chat, whom.user);
            return json_answer(
                200, server::unban_effect_json(bans, spam::preview_unban(tx, whom.chat, bans))
            );
        });
    };
    return {"GET", "/api/v1/spam/members/{chat}/{user}/unban", in_a_transaction(show)};
}

endpoint acting(std::string_view verb, std::function<planned(net::http_request const&)> act) {
    return {
        "POST",
        fmt::format("/api/v1/spam/members/{{chat}}/{{user}}/{}", verb),
        in_a_transaction(std::move(act))};
}

endpoint telling_filter(
    server::group_desk const& groups, std::string_view verb, word_on_member say
) {
    auto const act = [&groups, say](net::http_request const& request) -> planned {
        auto named = named_member(groups, request);
        if (auto* refused = std::get_if<net::http_response>(&named)) return std::move(*refused);
        auto const whom = std::get<path_member>(named);
        return work([say, whom](storage::transaction& tx) {
            say(tx, whom);
            return member_answer(tx, whom);
        });
    };
    return acting(verb, act);
}

endpoint telling_telegram(
    server::group_desk const& groups, std::string_view verb, act_by_hand act
) {
    auto const order = [&groups, act](net::http_request const& request) -> planned {
        if (auto wrong_key = refuse_key(request)) return std::move(*wrong_key);
        auto named = named_member(groups, request);
        if (auto* refused = std::get_if<net::http_response>(&named)) return std::move(*refused);
        auto const whom = std::get<path_member>(named);
        agent::address const group{groups.bot_of(whom.chat)->id, whom.chat};
        auto const key = key_of(request, "POST " + request.path, request.body);
        return work([act, key, whom, group](storage::transaction& tx) {
            auto const first = [&] {
                auto const job = act(tx, group, whom.user);
                return first_answer{member_answer(tx, whom), job};
            };
            return start_once(tx, key, first, [&](job_id) { return member_answer(tx, whom); });
        });
    };
    return acting(verb, order);
}

} // namespace

std::vector<endpoint> spam_member_endpoints(resources const& resources) {
    if (!resources.installed || !resources.installed->groups) return {};
    auto const& groups = *resources.installed->groups;
    return {
        {"GET", "/api/v1/spam/members", in_a_transaction(list_spam_members)},
        telling_filter(groups, "approve", approve),
        telling_filter(groups, "disapprove", disapprove),
        telling_telegram(groups, "ban", agent::ban_by_hand),
        telling_telegram(groups, "unban", agent::unban_by_hand),
        showing_unban(groups)};
}

} // namespace postrider::api
