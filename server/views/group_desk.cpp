#include "server/views/group_desk.hpp"

#include "server/views/group_checks.hpp"
#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

namespace json = boost::json;

namespace {

json::value rights_json(std::optional<agent::chat_member> const& own) {
    if (!own) return nullptr;
    return json::object{
        {"standing", agent::to_string(own->standing)},
        {"may_delete", own->may_delete},
        {"may_restrict", own->may_restrict}};
}

} // namespace

std::vector<std::string> problems_of(group_state const& group) {
    std::vector<std::string> problems;
    if (!group.is_watched || !group.identity) return problems;
    bool const runs_it = group.own && agent::runs_chat(group.own->standing);
    if (auto privacy = groups_finding(group.bot_name, *group.identity, true);
        !runs_it && privacy.verdict != verdict::ok)
        problems.push_back(std::move(privacy.detail));
    telegram::api_result<agent::chat_member> own = telegram::api_failure{};
    if (group.own)
        own = *group.own;
    else if (group.own_failure && !base::retryable(group.own_failure->code))
        own = telegram::api_failure{*group.own_failure, telegram::objection::none, {}};
    else
        return problems;
    auto rights = rights_finding(group.bot_name, *group.identity, group.place.chat, own);
    if (rights.verdict != verdict::ok) problems.push_back(std::move(rights.detail));
    return problems;
}

json::object group_json(group_state const& group, storage::group_activity const& activity) {
    json::array problems;
    for (auto const& problem : problems_of(group)) problems.emplace_back(problem);
    return {
        {"bot", group.bot_name},
        {"chat", base::raw(group.place.chat)},
        {"title", text_or_null(group.title)},
        {"watched", group.is_watched},
        {"privacy_mode",
         group.identity ? json::value(!group.identity->reads_all_group_messages) : json::value()},
        {"rights", rights_json(group.own)},
        {"problems", std::move(problems)},
        {"last_message_at", text_or_null(activity.last_message_at)},
        {"judged", activity.judged},
        {"spam", activity.spam}};
}

} // namespace postrider::server
