#include "agent/moderation/deed.hpp"

#include "agent/moderation/offence.hpp"
#include "agent/spam/store/rows.hpp"
#include "agent/spam/store/undo.hpp"
#include "agent/talk/refusal_words.hpp"
#include "storage/stores/group_archive.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::agent {

namespace {

void delete_messages(
    deed& work, spam::caught_message const& caught, std::vector<telegram_message_id> messages
) {
    std::erase(messages, telegram_message_id{});
    if (messages.empty()) return;
    work.rows.push_back(storage::mark_removed(caught.bot, caught.key.chat, messages));
    work.acts.push_back({work.name + "-delete", remove_messages{std::move(messages)}});
}

} // namespace

deed pardon(spam::caught_message const& caught, std::string_view by_word_of) {
    deed work{.name = "pardon", .rows = spam::undo_rows(caught, by_word_of)};
    work.acts.push_back({"pardon-unban", unban_of(caught)});
    if (caught.action == spam::catch_action::restrict && !caught.sender_chat)
        work.acts.push_back(
            {"pardon-unrestrict", restrict_member{.user = caught.key.author, .may_send = true}}
        );
    return work;
}

deed condemn(
    spam::caught_message caught,
    std::vector<telegram_message_id> messages,
    std::string_view by_word_of
) {
    deed work{.name = "condemn", .caught = caught.key};
    caught.action = spam::catch_action::ban;
    caught.caught_by = by_word_of;
    work.rows.push_back(spam::catch_row(caught, false));
    delete_messages(work, caught, std::move(messages));
    work.acts.push_back({"condemn-ban", ban_of(caught)});
    work.rows_when_done = {
        spam::banned_row(caught.key),
        spam::ban_row({caught.key.chat, caught.key.author, caught.caught_by})};
    return work;
}

deed warn(
    spam::caught_message caught,
    std::vector<telegram_message_id> messages,
    std::string_view by_word_of
) {
    deed work{.name = "warn", .caught = caught.key};
    caught.action = spam::catch_action::remove;
    caught.caught_by = by_word_of;
    work.rows.push_back(spam::catch_row(caught, true));
    delete_messages(work, caught, std::move(messages));
    return work;
}

deed learn(
    spam::caught_message const& caught, spam::lesson_kind kind, std::string_view by_word_of
) {
    deed work{.name = "learn"};
    auto const other =
        kind == spam::lesson_kind::spam ? spam::lesson_kind::ham : spam::lesson_kind::spam;
    work.rows = spam::withdraw_rows(caught.key.chat, other, caught.text, by_word_of);
    spam::lesson lesson;
    lesson.chat = caught.key.chat;
    lesson.kind = kind;
    lesson.text = caught.text;
    lesson.origin = spam::lesson_origin::admin;
    lesson.trained_by = by_word_of;
    lesson.user = caught.key.author;
    if (auto taught = spam::train_rows(lesson))
        std::ranges::move(*taught, std::back_inserter(work.rows));
    return work;
}

deed numbered(deed work, std::string_view suffix) {
    work.name += suffix;
    for (auto& planned : work.acts) planned.name += suffix;
    return work;
}

base::awaitable<std::vector<queue::step_value>> carry_out(
    queue::workflow steps,
    messenger& out,
    storage::batcher& reads,
    address group,
    deed work,
    committing commit,
    base::retry_policy tries
) {
    bool const was_committed = steps.recorded(work.name);
    if (!was_committed && steps.is_read_only()) throw queue::suspended{}; // here the record ends
    (void)co_await steps.record_value(work.name, boost::json::value(true));
    bool const is_empty = work.rows.empty() && work.acts.empty();
    if (!was_committed && !is_empty) {
        queue::commit_with additions;
        additions.writes = std::move(work.rows);
        for (auto const& planned : work.acts)
            additions.effects.push_back(intent_of(group, planned));
        if (commit)
            co_await commit(std::move(additions));
        else
            (void)co_await steps.commit(std::move(additions));
    }
    std::vector<queue::step_value> results;
    for (auto& planned : work.acts)
        results.push_back(co_await perform(steps, out, reads, group, std::move(planned), tries));
    auto const failure = failure_of(results);
    bool const is_refused = failure && work.caught;
    if (work.rows_when_done.empty() && !is_refused) co_return results;
    auto const done = work.name + "-done";
    bool const is_done = results.empty() || (results.back() && !is_withheld(results.back()));
    bool const is_new = !steps.recorded(done);
    if (is_new && is_done)
        for (auto& row : work.rows_when_done) steps.add(std::move(row));
    if (is_new && is_refused)
        steps.add(spam::refused_row(*work.caught, refusal_in_words(*failure)));
    (void)co_await steps.record_value(done, boost::json::value(is_done));
    co_return results;
}

catch_outcome outcome_of(
    std::vector<planned_act> const& acts, std::vector<queue::step_value> const& results
) {
    catch_outcome outcome;
    for (std::size_t i = 0; i < std::min(acts.size(), results.size()); ++i) {
        bool const deletes = std::holds_alternative<remove_messages>(acts[i].act);
        (deletes ? outcome.is_deleted : outcome.is_acted_on) =
            results[i].has_value() && !is_withheld(results[i]);
        if (!results[i]) (deletes ? outcome.delete_error : outcome.act_error) = results[i].error();
    }
    return outcome;
}

std::optional<base::error> failure_of(std::vector<queue::step_value> const& results) {
    auto const failed = std::ranges::find_if(results, [](auto const& result) { return !result; });
    if (failed == results.end()) return std::nullopt;
    return failed->error();
}

} // namespace postrider::agent
