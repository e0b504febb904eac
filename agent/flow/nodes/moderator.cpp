#include "agent/flow/nodes/moderator.hpp"

#include "agent/describe/bounds.hpp"
#include "agent/flow/chat/message_target.hpp"
#include "agent/flow/nodes/acting_step.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/moderation/administrator.hpp"
#include "agent/moderation/command_answers.hpp"
#include "agent/moderation/removal.hpp"
#include "agent/spam/store/knowledge_cache.hpp"
#include "base/clock.hpp"

namespace postrider::agent::flow {

namespace {

// So that none of an item's messages takes the place of another in a history.
constexpr int places_of_item = 3;
constexpr int place_of_notice = 0;
constexpr int place_of_telling = 1;
constexpr int place_of_question = 2;

} // namespace

std::chrono::seconds moderation_window(std::string_view text) {
    auto const length = base::duration_from_text(text);
    return std::chrono::duration_cast<std::chrono::seconds>(length.value_or(base::duration{0}));
}

std::string moderator::named(std::string_view step) const {
    std::string name(step);
    return number_ == 0 ? name : name + "-" + std::to_string(number_ + 1);
}

committing moderator::committer() {
    return [this](queue::commit_with additions) { return run_.commit(std::move(additions)); };
}

base::awaitable<std::vector<queue::step_value>> moderator::carry_out(address group, deed work) {
    return agent::carry_out(
        run_.steps(),
        run_.services().out,
        run_.services().reads,
        group,
        numbered(std::move(work), named("")),
        committer(),
        run_.retry(moderation_tries)
    );
}

base::awaitable<cleaned_messages> moderator::clean_up(spam::caught_message caught) {
    return agent::clean_up(
        run_.steps(),
        run_.services().out,
        run_.services().reads,
        std::move(caught),
        named(""),
        committer()
    );
}

// Whether the record has gone beyond this point; a record that is only read ends here.
base::awaitable<bool> moderator::was_passed(std::string_view point) {
    auto const name = named(point);
    bool const is_passed = is_recorded(run_, name);
    (void)co_await run_.steps().record_value(name, boost::json::value(true));
    co_return is_passed;
}

// For people alone: what models read does not have the words of spam.
base::awaitable<delivery> moderator::say_to_people(
    address place, std::string_view step, message_content content, int k
) {
    speech draft;
    draft.name = named(step);
    draft.to = place;
    draft.content = std::move(content);
    draft.tries = run_.retry(sending);
    draft.origin = storage::message_origin::node;
    auto const position = run_.position(static_cast<int>(number_) * places_of_item + k);
    put_into_history(run_, draft, position);
    draft.row->for_people = true;
    draft.row->detail = boost::json::object{{"interim", true}};
    co_return co_await say(run_, run_.steps(), std::move(draft), committer());
}

base::awaitable<void> moderator::tell_admins(
    chat_id chat, spam::caught_message caught, catch_outcome outcome
) {
    address const place{caught.bot, chat};
    address const group{caught.bot, caught.key.chat};
    bool const is_said = run_.steps().recorded(named("told"));
    if (!is_said) caught.group_title = co_await title_of(group);
    auto const delivered =
        co_await say_to_people(place, "tell", catch_notice(caught, outcome), place_of_telling);
    bool const was_told = co_await was_passed("told");
    if (!was_told && delivered.last)
        run_.steps().add(spam::told_row(caught.key, chat, *delivered.last));
}

// As people know the group; "" = nobody tells it, or nothing is said any more.
base::awaitable<std::string> moderator::title_of(address group) {
    std::string title;
    if (!run_.steps().is_read_only()) title = co_await run_.services().out.get_title(group);
    co_return title;
}

// Recent texts are judged before and after. Where what was learned cannot be read now, by what comes with the filter.
base::awaitable<spam::training_effect> moderator::effect_of(
    spam::caught_message const& caught, spam::lesson_kind kind
) {
    if (auto* learned = run_.services().spam) {
        spam::lesson lesson;
        lesson.chat = caught.key.chat;
        lesson.kind = kind;
        lesson.text = caught.text;
        auto effect = co_await learned->preview(std::move(lesson), bounds::longest_read);
        if (effect) co_return std::move(*effect);
    }
    auto const& before = spam::default_knowledge();
    auto after = before;
    bool const as_spam = kind == spam::lesson_kind::spam;
    after.add({as_spam ? spam::kind::spam : spam::kind::ham, caught.text});
    co_return spam::preview({before, after, caught.text}, {});
}

base::awaitable<void> moderator::ask_to_learn(
    chat_id chat, spam::caught_message caught, spam::lesson_kind kind
) {
    address const group{caught.bot, caught.key.chat};
    address const place{caught.bot, chat};
    auto const effect = co_await effect_of(caught, kind);
    bool const is_asked = run_.steps().recorded(named("question"));
    if (!is_asked) caught.group_title = co_await title_of(group);
    auto content = training_question(caught, kind, effect);
    // A later run would find other messages to judge.
    boost::json::value const text(content.text);
    auto const settled = co_await run_.steps().record_value(named("question"), text);
    if (settled) content.text = settled->as_string();
    (void)co_await say_to_people(place, "ask", std::move(content), place_of_question);
}

base::awaitable<base::result<std::string_view>> moderator::protection_of(spam::stored_catch subject
) {
    auto const author = subject.caught.key.author;
    if (subject.is_own) co_return own_message;
    if (base::raw(author) == 0) co_return message_of_unknown;
    if (!subject.may_be_touched) co_return message_of_runner;
    address const group{subject.caught.bot, subject.caught.key.chat};
    auto const may =
        co_await ask_authority(run_.steps(), run_.services().out, named("author"), group, author);
    if (!may && base::retryable(may.error().code)) co_return may.error();
    bool const runs_group = may && *may != authority::none;
    co_return runs_group ? message_of_runner : std::string_view();
}

base::awaitable<void> moderator::say_to_group(
    address group, std::string text, std::chrono::milliseconds goes_after
) {
    message_content content;
    content.text = std::move(text);
    auto const delivered =
        co_await say_to_people(group, "notice", std::move(content), place_of_notice);
    if (goes_after == goes_after.zero()) co_return;
    bool const was_noticed = co_await was_passed("noticed");
    if (was_noticed || !delivered.first) co_return;
    for (auto& row : remove_later(group, *delivered.first, goes_after))
        run_.steps().add(std::move(row));
}

} // namespace postrider::agent::flow
