#include "agent/flow/nodes/moderator.hpp"

#include "agent/flow/chat/message_target.hpp"
#include "agent/flow/nodes/acting_step.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/moderation/removal.hpp"
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
    auto const delivered =
        co_await say_to_people(place, "tell", catch_notice(caught, outcome), place_of_telling);
    bool const was_told = co_await was_passed("told");
    if (!was_told && delivered.last)
        run_.steps().add(spam::told_row(caught.key, chat, *delivered.last));
}

base::awaitable<void> moderator::ask_admins(chat_id chat, message_content content) {
    auto const& heard = run_.started_by().heard;
    if (!heard) co_return;
    address const place{heard->from.bot, chat};
    // A later run would find other messages to judge.
    boost::json::value const text(content.text);
    auto const settled = co_await run_.steps().record_value(named("question"), text);
    if (settled) content.text = settled->as_string();
    (void)co_await say_to_people(place, "ask", std::move(content), place_of_question);
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
