#include "agent/moderation/press_job.hpp"

#include "agent/moderation/administrator.hpp"
#include "agent/moderation/album.hpp"
#include "agent/moderation/deed.hpp"
#include "agent/moderation/subject.hpp"
#include "agent/talk/refusal_words.hpp"
#include "base/json/json.hpp"

#include <fmt/format.h>

namespace postrider::agent {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr base::duration subject_deadline = 10s;
// Even, as of all that models read (flow/run/message_place.hpp).
constexpr std::int64_t reasons_position = 2;

constexpr base::retry_policy press_tries{
    .limit = 3, .delay = 1s, .timeout = acting_timeout, .total = 3 * acting_timeout};

struct made_press {
    catch_press choice;
    agent::press press;
    address at;
    bool is_owner = false;
};

base::result<made_press> press_in(json::value const& input) {
    base::json_reader const fields{input};
    auto const choice = read_catch_button(fields["data"].string());
    auto pressed = press_from(input);
    if (!pressed) return pressed.error();
    if (!choice) return base::error(base::errc::invalid, "this button is of no catch");
    return made_press{
        *choice, std::move(*pressed), address_from(fields), fields["is_owner"].boolean_or(false)};
}

base::awaitable<queue::step_value> give_note(
    messenger& out, address at, std::string press, std::string note
) {
    auto const answered = co_await out.answer_press(at, std::move(press), note, !note.empty());
    if (!answered) co_return answered.error();
    co_return json::value(nullptr);
}

base::awaitable<queue::step_value> put_decision(
    messenger& out, address at, telegram_message_id message, message_content content
) {
    auto const edited = co_await out.edit(at, message, std::move(content));
    if (!edited) co_return edited.error();
    co_return json::value(nullptr);
}

// Of one job. What is read of the database stands in no record: it has the words of people.
class press_run {
public:
    press_run(
        queue::workflow steps,
        messenger& out,
        storage::batcher& reads,
        base::random_source& random,
        made_press pressed
    )
        : steps_(std::move(steps)),
          out_(out),
          reads_(reads),
          random_(random),
          pressed_(std::move(pressed)),
          group_{pressed_.at.bot, pressed_.choice.key.chat} {}

    base::awaitable<queue::outcome> carry_out_choice() {
        leave_to_a_node_serving(out_, pressed_.at);
        auto may = authority::moderator;
        if (!pressed_.is_owner) {
            auto const asked =
                co_await ask_authority(steps_, out_, "authority", group_, pressed_.press.user);
            if (!asked) co_return co_await end_in(asked.error());
            may = *asked;
        }
        auto const choice = pressed_.choice.choice;
        bool const moderates = choice == catch_choice::not_spam || choice == catch_choice::ban;
        if (may == authority::none || (moderates && may != authority::moderator))
            co_return co_await end_with(std::string(not_an_administrator), "refused");
        auto const subject = co_await look();
        if (!subject) co_return co_await end_with("This message is not known any more.", "unknown");
        if (choice == catch_choice::reasons) co_return co_await explain(subject->caught);
        co_return co_await decide(*subject);
    }

private:
    std::string by_word_of() const { return "user:" + base::to_string(pressed_.press.user); }
    std::string presser() const {
        return pressed_.press.name.empty() ? by_word_of() : pressed_.press.name;
    }

    // A node whose database is away leaves it to a later run.
    base::awaitable<std::optional<spam::stored_catch>> look() {
        auto subject =
            co_await find_subject(reads_, pressed_.at.bot, pressed_.choice.key, subject_deadline);
        if (!subject) throw queue::not_here{"the catch could not be read"};
        if (*subject && !steps_.is_read_only())
            (*subject)->caught.group_title = co_await out_.get_title(group_);
        co_return std::move(*subject);
    }

    base::awaitable<queue::outcome> decide(spam::stored_catch const& subject) {
        bool const is_decided = co_await was_decided_before(subject);
        if (is_decided) co_return co_await end_with("It was no spam already.", "repeated");
        auto const& caught = subject.caught;
        std::vector<telegram_message_id> messages;
        if (pressed_.choice.choice == catch_choice::ban) messages = co_await messages_of(caught);
        auto work = deed_for(caught, std::move(messages));
        auto const acts = work.acts;
        auto const results =
            co_await agent::carry_out(steps_, out_, reads_, group_, std::move(work));
        auto const failure = failure_of(results);
        auto const words = words_for_choice(outcome_of(acts, results));
        auto content = decided_notice(caught, words);
        auto edit = [&] {
            return put_decision(out_, pressed_.at, pressed_.press.message, content);
        };
        (void)co_await steps_.try_step("shown", press_tries, edit);
        auto outcome = co_await end_with("", "done");
        if (failure) outcome.degraded = degradation_of(degraded_by::node_failed, *failure);
        co_return outcome;
    }

    // As it was when the job began: its own work does not count.
    base::awaitable<bool> was_decided_before(spam::stored_catch const& subject) {
        bool const is_undone =
            pressed_.choice.choice == catch_choice::not_spam && subject.undone_by.has_value();
        auto const recorded = co_await steps_.record_value("undone", json::value(is_undone));
        co_return recorded&&* recorded == json::value(true);
    }

    // As in look().
    base::awaitable<std::vector<telegram_message_id>> messages_of(spam::caught_message caught) {
        auto messages =
            co_await gather_album(steps_, reads_, std::move(caught), "album", press_tries);
        if (!messages) throw queue::not_here{"the album could not be read"};
        co_return std::move(*messages);
    }

    deed deed_for(spam::caught_message const& caught, std::vector<telegram_message_id> messages)
        const {
        switch (pressed_.choice.choice) {
        case catch_choice::not_spam:
            return pardon(caught, by_word_of());
        case catch_choice::ban:
            return condemn(caught, std::move(messages), by_word_of());
        case catch_choice::learn_spam:
            return learn(caught, spam::lesson_kind::spam, by_word_of());
        case catch_choice::learn_ham:
            return learn(caught, spam::lesson_kind::ham, by_word_of());
        default:
            return {.name = "left"};
        }
    }

    // What Telegram refused did not happen.
    std::string words_for_choice(catch_outcome const& outcome) const {
        switch (pressed_.choice.choice) {
        case catch_choice::not_spam:
            return outcome.act_error
                       ? fmt::format(
                             "Not spam, says {}, and the filter has learned it. ⚠️ The author "
                             "was "
                             "not let in again: {}",
                             presser(),
                             refusal_in_words(*outcome.act_error)
                         )
                       : fmt::format(
                             "Not spam: {} let the author in again, and the filter has learned it",
                             presser()
                         );
        case catch_choice::ban:
            return words_for_ban(outcome);
        case catch_choice::learn_spam:
            return fmt::format("{} taught the filter that this is spam", presser());
        case catch_choice::learn_ham:
            return fmt::format("{} taught the filter that this is not spam", presser());
        default:
            return fmt::format("{} left the filter as it is", presser());
        }
    }

    std::string words_for_ban(catch_outcome const& outcome) const {
        bool const is_withheld = !outcome.act_error && !outcome.is_acted_on;
        if (is_withheld)
            return fmt::format(
                "{} wanted to ban the author, who was let in again before Telegram did it",
                presser()
            );
        auto words = outcome.act_error ? fmt::format(
                                             "{} wanted to ban the author. ⚠️ Not banned: {}",
                                             presser(),
                                             refusal_in_words(*outcome.act_error)
                                         )
                                       : fmt::format("{} banned the author", presser());
        if (outcome.delete_error)
            words +=
                fmt::format(". ⚠️ Not deleted: {}", refusal_in_words(*outcome.delete_error));
        return words;
    }

    // The press's note is too short for all checks.
    base::awaitable<queue::outcome> explain(spam::caught_message const& caught) {
        speech said;
        said.name = "reasons";
        said.to = pressed_.at;
        said.content.text = reasons_of(caught);
        said.answers = pressed_.press.message;
        said.row = row_at(reasons_position);
        said.row->for_people = true;
        said.row->detail = json::object{{"interim", true}};
        said.lane_key = own_lane_key(out_.current(pressed_.at));
        auto const delivered = co_await say(steps_, {out_, random_}, std::move(said));
        auto outcome = co_await end_with("", "explained");
        if (delivered.state != "sent") outcome.degraded = degradation_of(delivered);
        co_return outcome;
    }

    // Whoever pressed waits for it: a note that comes too late does no harm.
    base::awaitable<queue::outcome> end_with(std::string note, std::string_view result) {
        auto give = [&] { return give_note(out_, pressed_.at, pressed_.press.id, note); };
        (void)co_await steps_.try_step("noted", press_tries, give);
        co_return queue::outcome::completed({{"result", result}});
    }

    base::awaitable<queue::outcome> end_in(base::error failure) {
        (void)co_await end_with("That did not work. Please try again.", "failed");
        co_return queue::outcome::failed(std::move(failure));
    }

    queue::workflow steps_;
    messenger& out_;
    storage::batcher& reads_;
    base::random_source& random_;
    made_press pressed_;
    address group_;
};

base::awaitable<queue::outcome> run_press(
    queue::workflow& steps, messenger& out, storage::batcher& reads, base::random_source& random
) {
    auto pressed = press_in(steps.job().input);
    if (!pressed) co_return queue::outcome::failed(pressed.error());
    press_run run(steps, out, reads, random, std::move(*pressed));
    co_return co_await run.carry_out_choice();
}

} // namespace

json::object catch_press_input(
    catch_press const& choice, press const& press, address const& at, bool is_owner
) {
    auto input = to_json(press, at);
    input["data"] = catch_button_data(choice.choice, choice.key);
    input["is_owner"] = is_owner;
    return input;
}

std::string lane_of_moderation(address const& group) {
    return "moderation:" + own_lane_key(group);
}

queue::job_kind make_catch_presses(
    messenger& out, storage::batcher& reads, base::random_source& random
) {
    auto run = [&out, &reads, &random](queue::workflow& steps) {
        return run_press(steps, out, reads, random);
    };
    return {.name = std::string(catch_press_kind), .run = run};
}

} // namespace postrider::agent
