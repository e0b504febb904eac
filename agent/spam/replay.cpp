#include "agent/spam/replay.hpp"

#include "agent/spam/check.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

// Of those beyond, each message is a first one.
constexpr std::size_t most_authors = 500'000;

bool counts_as_passed(message const& message, rules const& rules) {
    auto const& gate = rules.of("length");
    return !gate.on || is_long_enough(normalize(message.text), gate);
}

double points_of(verdict const& verdict, std::string_view check) {
    auto const result = std::ranges::find(verdict.results, check, &check_result::check);
    return result == verdict.results.end() ? 0 : result->points;
}

} // namespace

verdict replay::judge_as(
    past_message const& past, knowledge const& learned, rules const& rules, int& passed
) const {
    bool const is_approved = past.is_by_approved || passed >= rules_.enough;
    auto const scrutiny = is_approved ? scrutiny::repetitions : scrutiny::whole;
    auto verdict = judge(past.content, learned, rules, recent_, scrutiny);
    if (verdict.is_spam)
        passed = 0;
    else if (!is_approved && counts_as_passed(past.content, rules))
        ++passed;
    return verdict;
}

// A check that one of the rules leaves off gives no points there.
void replay::compare(verdict const& before, verdict const& after) {
    for (auto const* check : checks()) {
        auto const was = points_of(before, check->name);
        auto const is = points_of(after, check->name);
        if (was == is) continue;
        auto& difference = result_.checks[std::string(check->name)];
        ++(is > was ? difference.more : difference.less);
        difference.before += was;
        difference.after += is;
    }
}

void replay::list(std::vector<replayed_message>& into, replayed_message message) const {
    into.push_back(std::move(message));
    if (into.size() > most_listed_) into.erase(into.begin());
}

void replay::add(past_message const& past, knowledge const& learned) {
    if (past.chat != chat_) {
        chat_ = past.chat;
        recent_ = {};
        authors_.clear();
    }
    passed_messages unlisted;
    auto const at = authors_.size() < most_authors
                        ? authors_.try_emplace(past.content.author.id).first
                        : authors_.find(past.content.author.id);
    auto& count = at == authors_.end() ? unlisted : at->second;
    auto const before = judge_as(past, learned, rules_.current, count.before);
    auto const after = judge_as(past, learned, rules_.changed, count.after);
    recent_.remember(past.content, normalize(judged_text(past.content)));

    compare(before, after);
    ++result_.judged;
    result_.spam_before += before.is_spam;
    result_.spam_after += after.is_spam;
    if (before.is_spam == after.is_spam) {
        result_.changed += before.points != after.points;
        return;
    }
    replayed_message changed{
        past.chat,
        past.message,
        past.content.author,
        judged_text(past.content),
        past.content.sent_at,
        before.points,
        after.points,
        (after.is_spam ? after : before).reason()};
    ++(after.is_spam ? result_.caught : result_.missed);
    list(after.is_spam ? result_.newly_caught : result_.newly_missed, std::move(changed));
}

} // namespace postrider::agent::spam
