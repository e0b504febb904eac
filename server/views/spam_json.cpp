#include "server/views/spam_json.hpp"

#include "agent/spam/rules.hpp"
#include "base/clock.hpp"
#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace postrider::server {

namespace json = boost::json;
namespace spam = agent::spam;

namespace {

constexpr double least_score_of_spam = 0.5;

double in_hundredths(double number) {
    return std::round(number * 100) / 100;
}

json::array check_results_json(std::vector<spam::check_result> const& results) {
    json::array checks;
    for (auto const& result : results)
        checks.push_back(json::object{
            {"name", result.check},
            {"spam", result.score >= least_score_of_spam},
            {"score", in_hundredths(result.score)},
            {"weight", result.weight},
            {"points", in_hundredths(result.points)},
            {"reason", result.reason}});
    return checks;
}

json::value catch_json(std::optional<spam::caught_state> const& caught) {
    if (!caught) return nullptr;
    return json::object{
        {"action", caught->action},
        {"by", caught->caught_by},
        {"undone_at", or_null(caught->undone_at)},
        {"undone_by", or_null(caught->undone_by)},
        {"refused", or_null(caught->refused)}};
}

json::object changed_verdict_json(spam::changed_text const& change) {
    return {
        {"text", change.text},
        {"points_before", in_hundredths(change.points_before)},
        {"points_after", in_hundredths(change.points_after)},
        {"was_spam", change.was_spam},
        {"is_spam", change.is_spam}};
}

// "1,-2": as many whole numbers as are wanted.
std::optional<std::vector<std::int64_t>> whole_numbers(std::string_view text, std::size_t count) {
    std::vector<std::int64_t> numbers;
    for (auto const* at = text.data(); at != nullptr;) {
        std::int64_t number = 0;
        auto const* const text_end = text.data() + text.size();
        auto const [end, failure] = std::from_chars(at, text_end, number);
        if (failure != std::errc{} || (end != text_end && *end != ',')) return std::nullopt;
        numbers.push_back(number);
        at = end == text_end ? nullptr : end + 1;
    }
    return numbers.size() == count ? std::optional(numbers) : std::nullopt;
}

} // namespace

json::object spam_check_json(spam::verdict const& verdict) {
    return {
        {"spam", verdict.is_spam},
        {"points", in_hundredths(verdict.points)},
        {"threshold", verdict.threshold},
        {"reason", verdict.reason()},
        {"checks", check_results_json(verdict.results)}};
}

json::object spam_verdict_json(spam::listed_verdict const& listed) {
    auto const& stored = listed.judged;
    json::object shown{
        {"chat", base::raw(stored.chat)},
        {"message", stored.message},
        {"user", base::raw(stored.user)},
        {"name", text_or_null(stored.name)},
        {"text", stored.text},
        {"judged_at", stored.judged_at},
        {"catch", catch_json(listed.caught)}};
    for (auto& member : spam_check_json(spam::verdict_of(stored)))
        shown.emplace(member.key(), std::move(member.value()));
    return shown;
}

json::object spam_verdicts_json(std::vector<spam::listed_verdict> const& verdicts, int limit) {
    json::array shown;
    for (auto const& verdict : verdicts) shown.push_back(spam_verdict_json(verdict));
    json::object page{{"verdicts", std::move(shown)}};
    if (std::ssize(verdicts) >= limit) page["next"] = cursor_of(place_of(verdicts.back().judged));
    return page;
}

json::object spam_rules_json() {
    json::array rules;
    for (auto const& rule : spam::rule_settings()) {
        auto const dot = rule.key.find('.');
        auto const check = rule.key.substr(0, dot == rule.key.npos ? 0 : dot);
        rules.push_back(json::object{
            {"key", rule.key},
            {"check", check.empty() ? json::value() : json::value(check)},
            {"default", rule.fallback},
            {"constraint", rule.constraint},
            {"help", rule.help}});
    }
    return {{"rules", std::move(rules)}};
}

json::object spam_sample_json(spam::stored_lesson const& sample) {
    json::object shown{
        {"id", sample.id},
        {"chat", base::raw(sample.taught.chat)},
        {"kind", spam::name_of(sample.taught.kind)},
        {"text", sample.taught.text},
        {"origin", spam::name_of(sample.taught.origin)},
        {"trained_by", sample.taught.trained_by},
        {"created_at", sample.taught_at}};
    if (sample.withdrawn_at) {
        shown["withdrawn_at"] = *sample.withdrawn_at;
        shown["withdrawn_by"] = sample.withdrawn_by.value_or("");
    }
    return shown;
}

json::object samples_json(std::vector<spam::stored_lesson> const& samples, int limit) {
    json::array shown;
    for (auto const& sample : samples) shown.push_back(spam_sample_json(sample));
    json::object page{{"samples", std::move(shown)}};
    if (std::ssize(samples) >= limit) page["next"] = std::to_string(samples.back().id);
    return page;
}

json::object training_effect_json(spam::training_effect const& effect) {
    json::array changed;
    for (auto const& change : effect.changed) changed.push_back(changed_verdict_json(change));
    return {
        {"text", changed_verdict_json(effect.itself)},
        {"judged", effect.judged},
        {"changed", std::move(changed)}};
}

json::object unban_effect_json(
    std::vector<spam::caught_message> const& bans,
    std::optional<spam::training_effect> const& effect
) {
    std::set<std::string_view> shown;
    json::array texts;
    for (auto const& ban : bans)
        if (!ban.text.empty() && shown.insert(ban.text).second) texts.emplace_back(ban.text);
    json::object answer{{"texts", std::move(texts)}, {"effect", nullptr}};
    if (effect) answer["effect"] = training_effect_json(*effect);
    return answer;
}

json::object spam_member_json(spam::member const& member) {
    return {
        {"chat", base::raw(member.chat)},
        {"user", base::raw(member.user)},
        {"name", text_or_null(member.name)},
        {"messages", member.messages},
        {"strikes", member.strikes},
        {"approved_at", or_null(member.approved_at)},
        {"approved_by", or_null(member.approved_by)},
        {"banned_at", or_null(member.banned_at)},
        {"banned_by", or_null(member.banned_by)}};
}

json::object spam_members_json(std::vector<spam::member> const& members, int limit) {
    json::array shown;
    for (auto const& member : members) shown.push_back(spam_member_json(member));
    json::object page{{"members", std::move(shown)}};
    if (std::ssize(members) >= limit)
        page["next"] = cursor_of(spam::member_place{members.back().messages, members.back().user});
    return page;
}

std::string cursor_of(spam::verdict_place const& place) {
    return fmt::format(
        "{},{},{},{}", place.judged_at, base::raw(place.chat), place.message, place.wording
    );
}

std::optional<spam::verdict_place> verdict_place_from(std::string_view cursor) {
    auto const comma = std::min(cursor.find(','), cursor.size());
    std::string time(cursor.substr(0, comma));
    auto const numbers = whole_numbers(cursor.substr(std::min(comma + 1, cursor.size())), 3);
    if (!base::from_iso8601(time) || !numbers) return std::nullopt;
    return spam::verdict_place{
        std::move(time), chat_id{numbers->at(0)}, numbers->at(1), numbers->at(2)};
}

std::string cursor_of(spam::member_place const& place) {
    return fmt::format("{},{}", place.messages, base::raw(place.user));
}

std::optional<spam::member_place> member_place_from(std::string_view cursor) {
    auto const numbers = whole_numbers(cursor, 2);
    if (!numbers) return std::nullopt;
    return spam::member_place{numbers->at(0), user_id{numbers->at(1)}};
}

} // namespace postrider::server
