// Does what administrators say about messages of their group. Rows of ours, the audit and the intents of acts are one
// commit; only the words of administrators count (agent/moderation/administrator.hpp).
#include "agent/describe/bounds.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/moderator.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/moderation/administrator.hpp"
#include "agent/moderation/album.hpp"
#include "agent/moderation/command_answers.hpp"
#include "agent/moderation/offence.hpp"
#include "agent/moderation/spoken_word.hpp"
#include "agent/moderation/subject.hpp"
#include "agent/spam/store/reports.hpp"
#include "agent/spam/store/rows.hpp"
#include "base/json/json.hpp"
#include "storage/stores/group_archive.hpp"

#include <iterator>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr base::retry_policy album_tries{
    .limit = 3, .delay = std::chrono::seconds{1}, .timeout = 2 * bounds::longest_read};

struct command_settings {
    std::optional<chat_id> admin_chat;
    int reports = 0;
    int warnings = 1;
    std::chrono::seconds window{};
    bool cleans_up = false;
};

command_settings command_settings_from(json::object const& parameters) {
    json::value const values(parameters);
    base::json_reader const fields{values};
    command_settings settings;
    if (fields["admin_chat"]) settings.admin_chat = chat_id{fields["admin_chat"].int64()};
    settings.reports = static_cast<int>(fields["reports"].int64());
    settings.warnings = static_cast<int>(fields["warnings"].int64());
    settings.window = moderation_window(fields["warnings_within"].string());
    settings.cleans_up = fields["clean_up"].boolean_or(false);
    return settings;
}

// Of an item: nothing = it is passed on, or as a message of the admin chat goes nowhere.
struct command_result {
    std::optional<json::object> command = {};
    bool is_passed_on = false;
};
constexpr bool passed_on = true;

// In the group; nobody needs the answer to a command for long.
constexpr std::chrono::minutes answer_stays{1};

class commanding {
public:
    commanding(node_run& run, std::size_t number, command_settings settings)
        : run_(run),
          moderator_(run, number),
          item_(*run.input()[number].json),
          settings_(std::move(settings)) {}

    base::awaitable<base::result<command_result>> carry_out_word() {
        base::json_reader const root{item_};
        auto const place = address_from(root);
        bool const is_in_admin_chat = settings_.admin_chat && place.chat == *settings_.admin_chat;
        if (is_in_admin_chat) co_return co_await read_forward(place);
        auto const word = read_spoken_word(item_);
        if (!word) co_return command_result{{}, passed_on};
        if (word->command == spoken_command::report) co_return co_await report(*word);
        auto const may = co_await may_moderate(word->group, word->by);
        if (!may) co_return may.error();
        if (!*may) co_return command_result{{}, passed_on};
        by_ = "user:" + base::to_string(word->by);
        command_ = word->said_in;
        auto subject = co_await find(*word);
        if (!subject) co_return subject.error();
        co_return co_await obey(word->command, std::move(*subject), place);
    }

private:
    base::awaitable<base::result<bool>> may_moderate(address group, user_id user) {
        auto const& is_owner = run_.services().is_owner;
        if (is_owner && is_owner(group.bot, user)) co_return true;
        auto const asked = co_await ask_authority(
            run_.steps(), run_.services().out, moderator_.named("authority"), group, user
        );
        if (!asked) co_return asked.error();
        co_return *asked == authority::moderator;
    }

    base::awaitable<base::result<spam::stored_catch>> find(spoken_word word) {
        auto subject = co_await find_subject(
            run_.services().reads,
            word.group.bot,
            word.group.chat,
            word.about.message,
            bounds::longest_read
        );
        if (!subject) co_return subject.error();
        if (*subject) co_return std::move(**subject);
        storage::spoken_message spoken{.chat = word.group.chat, .message = word.about.message};
        spoken.user = word.about.user;
        spoken.name = word.about.name;
        spoken.text = word.about.text;
        auto unheard = as_subject(word.group.bot, spoken);
        unheard.is_own = word.about.is_own;
        co_return unheard;
    }

    // Whose words were forwarded to the admin chat; whoever forwards must moderate the group that they are from.
    base::awaitable<base::result<command_result>> read_forward(address place) {
        auto const forwarding = group_message_from(item_);
        if (!forwarding.forward || forwarding.sender.chat) co_return command_result{};
        storage::forwarded_copy copy{
            .bot = place.bot, .but_for = place.chat, .text = forwarding.text};
        if (forwarding.forward->kind == "user" && forwarding.forward->id)
            copy.user = user_id{*forwarding.forward->id};
        copy.name = forwarding.forward->name;
        auto const original =
            co_await storage::find_forwarded(run_.services().reads, copy, bounds::longest_read);
        if (!original) co_return original.error();
        if (!*original) co_return command_result{};
        address const group{place.bot, (*original)->chat};
        auto const may = co_await may_moderate(group, forwarding.sender.user);
        if (!may) co_return may.error();
        if (!*may) co_return command_result{};
        by_ = "user:" + base::to_string(forwarding.sender.user);
        auto subject = co_await find_subject(
            run_.services().reads, group.bot, group.chat, (*original)->message, bounds::longest_read
        );
        if (!subject) co_return subject.error();
        if (!*subject) co_return command_result{};
        co_return co_await obey(spoken_command::spam, std::move(**subject), place);
    }

    // `place`: where somebody waits for an answer.
    base::awaitable<base::result<command_result>> obey(
        spoken_command command, spam::stored_catch subject, address place
    ) {
        auto const protection = co_await moderator_.protection_of(subject);
        if (!protection) co_return protection.error();
        if (!protection->empty())
            co_return co_await decline(command, subject.caught.key.message, place, *protection);
        auto words = co_await find_words(
            run_.steps(),
            run_.services().reads,
            subject.caught,
            moderator_.named("caption"),
            run_.retry(album_tries)
        );
        if (!words) co_return words.error();
        subject.caught.text = std::move(*words);
        switch (command) {
        case spoken_command::spam:
            co_return co_await punish(command, std::move(subject), true);
        case spoken_command::ham:
            co_return co_await absolve(std::move(subject));
        case spoken_command::warn:
            co_return co_await admonish(std::move(subject));
        default:
            co_return co_await punish(command, std::move(subject), false);
        }
    }

    base::awaitable<command_result> decline(
        spoken_command command,
        telegram_message_id message,
        address place,
        std::string_view sentence
    ) {
        co_await moderator_.say_to_group(place, std::string(sentence), answer_stays);
        json::object summary{
            {"word", name_of(command)}, {"message", base::raw(message)}, {"declined", sentence}};
        co_return command_result{std::move(summary), false};
    }

    base::awaitable<base::result<std::vector<telegram_message_id>>> messages_of(
        spam::caught_message caught
    ) {
        return gather_album(
            run_.steps(),
            run_.services().reads,
            std::move(caught),
            moderator_.named("album"),
            run_.retry(album_tries)
        );
    }

    base::awaitable<base::result<command_result>> punish(
        spoken_command command, spam::stored_catch subject, bool teaches
    ) {
        auto& caught = subject.caught;
        auto messages = co_await messages_of(caught);
        if (!messages) co_return messages.error();
        auto work = condemn(caught, std::move(*messages), by_);
        caught.action = spam::catch_action::ban;
        caught.caught_by = by_;
        if (teaches && !settings_.admin_chat)
            add(work, learn(caught, spam::lesson_kind::spam, by_));
        auto const acts = work.acts;
        auto const results = co_await do_deed(caught, std::move(work));
        auto outcome = outcome_of(acts, results);
        if (settings_.cleans_up && outcome.is_acted_on) {
            auto const cleaned = co_await moderator_.clean_up(caught);
            outcome.cleaned = cleaned.count;
            outcome.clean_error = cleaned.failure;
        }
        co_await tell(subject, outcome);
        if (command == spoken_command::warn) co_await warn_in_group(caught, outcome.is_acted_on);
        if (teaches) co_await ask_to_learn(caught, spam::lesson_kind::spam);
        co_return ended(command, subject, failure_of(results));
    }

    base::awaitable<base::result<command_result>> absolve(spam::stored_catch subject) {
        auto const& caught = subject.caught;
        bool const undoes = co_await settle("undoes", subject.is_stored && !subject.undone_by);
        deed work{.name = "absolve"};
        if (undoes)
            work = pardon(caught, by_);
        else
            work.rows = {
                spam::approve_row({caught.key.chat, caught.key.author, by_}),
                spam::settled_reports_row(caught.key.chat, caught.key.message)};
        if (!undoes && !settings_.admin_chat) add(work, learn(caught, spam::lesson_kind::ham, by_));
        auto const results = co_await do_deed(caught, std::move(work));
        if (!undoes) co_await ask_to_learn(caught, spam::lesson_kind::ham);
        co_return ended(spoken_command::ham, subject, failure_of(results));
    }

    base::awaitable<base::result<command_result>> admonish(spam::stored_catch subject) {
        auto& caught = subject.caught;
        auto const record = co_await spam::look_for_catch(
            run_.services().reads,
            caught.key,
            caught.album,
            settings_.window,
            true, // it acts
            bounds::longest_read
        );
        if (!record) co_return record.error();
        int const now_struck = record->strikes + (record->is_caught ? 0 : 1);
        caught.strikes = co_await settle_number("strikes", now_struck);
        if (caught.strikes >= settings_.warnings)
            co_return co_await punish(spoken_command::warn, std::move(subject), false);
        auto messages = co_await messages_of(caught);
        if (!messages) co_return messages.error();
        auto work = warn(caught, std::move(*messages), by_);
        auto const acts = work.acts;
        auto const results = co_await do_deed(caught, std::move(work));
        caught.action = spam::catch_action::remove;
        caught.caught_by = by_;
        auto const outcome = outcome_of(acts, results);
        co_await tell(subject, outcome);
        co_await warn_in_group(caught, false);
        co_return ended(spoken_command::warn, subject, outcome.delete_error);
    }

    base::awaitable<void> warn_in_group(spam::caught_message const& caught, bool is_banned) {
        address const group{caught.bot, caught.key.chat};
        auto text = warning_text(caught.name, caught.strikes, settings_.warnings, is_banned);
        co_await moderator_.say_to_group(group, std::move(text));
    }

    // Members whom the group knows; a report of anybody else is a message like any other.
    base::awaitable<base::result<command_result>> report(spoken_word word) {
        if (settings_.reports == 0) co_return command_result{{}, passed_on};
        spam::spam_report const made_report{word.group.chat, word.about.message, word.by};
        auto const state = co_await spam::read_report_state(
            run_.services().reads, made_report, bounds::longest_read
        );
        if (!state) co_return state.error();
        bool const counts = co_await settle("reports", state->may_report);
        if (!counts) co_return command_result{{}, passed_on};
        int const count = co_await settle_number("count", state->others + 1);
        bool const is_enough = count >= settings_.reports;
        command_ = word.said_in;
        auto subject = co_await find(word);
        if (!subject) co_return subject.error();
        auto const protection = co_await moderator_.protection_of(*subject);
        if (!protection) co_return protection.error();
        if (!protection->empty())
            co_return co_await decline(word.command, word.about.message, word.group, *protection);
        auto& caught = subject->caught;
        deed work{.name = "report", .rows = {spam::report_row(made_report)}};
        if (is_enough) {
            caught.caught_by = spam::caught_by_reports;
            work.rows.push_back(spam::catch_row(caught, false));
        }
        (void)co_await do_deed(caught, std::move(work));
        if (is_enough) co_await tell(*subject, catch_outcome());
        auto const answer = report_answer(count, settings_.reports);
        co_await moderator_.say_to_group(word.group, answer, answer_stays);
        co_return ended(spoken_command::report, *subject, {});
    }

    // The command itself goes, too: nobody else needs to read it.
    base::awaitable<std::vector<queue::step_value>> do_deed(
        spam::caught_message const& caught, deed work
    ) {
        if (command_ != telegram_message_id{}) {
            work.rows.push_back(storage::mark_removed(caught.bot, caught.key.chat, {command_}));
            work.acts.insert(work.acts.begin(), {"command-delete", remove_messages{{command_}}});
        }
        auto results =
            co_await moderator_.carry_out({caught.bot, caught.key.chat}, std::move(work));
        // That the command stands there still matters to nobody.
        if (command_ != telegram_message_id{}) results.erase(results.begin());
        co_return results;
    }

    static void add(deed& work, deed more) {
        std::ranges::move(more.rows, std::back_inserter(work.rows));
    }

    base::awaitable<void> tell(spam::stored_catch const& subject, catch_outcome outcome) {
        bool const is_told =
            co_await settle("was-told", subject.admin_message != telegram_message_id{});
        if (settings_.admin_chat && !is_told)
            co_await moderator_.tell_admins(*settings_.admin_chat, subject.caught, outcome);
    }

    base::awaitable<void> ask_to_learn(spam::caught_message const& caught, spam::lesson_kind kind) {
        if (settings_.admin_chat && !caught.text.empty())
            co_await moderator_.ask_to_learn(*settings_.admin_chat, caught, kind);
    }

    // What is decided once, whatever the database says in a later run.
    base::awaitable<bool> settle(std::string_view point, bool value) {
        auto const settled =
            co_await run_.steps().record_value(moderator_.named(point), json::value(value));
        co_return settled&&* settled == json::value(true);
    }
    base::awaitable<int> settle_number(std::string_view point, int value) {
        auto const settled =
            co_await run_.steps().record_value(moderator_.named(point), json::value(value));
        co_return settled ? static_cast<int>(settled->as_int64()) : value;
    }

    command_result ended(
        spoken_command command,
        spam::stored_catch const& subject,
        std::optional<base::error> const& failure
    ) {
        json::object summary{
            {"word", name_of(command)}, {"message", base::raw(subject.caught.key.message)}};
        if (failure) {
            summary["error"] = to_string(*failure);
            run_.degrade(degradation_of(degraded_by::node_failed, *failure));
        }
        return {std::move(summary), false};
    }

    node_run& run_;
    moderator moderator_;
    json::value const& item_;
    command_settings settings_;
    std::string by_;                // on whose word
    telegram_message_id command_{}; // the message that is it; 0 = a forward
};

base::awaitable<base::result<outputs>> do_as_told(node_run& run) {
    items others;
    items commands;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto const parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto const& input_item = run.input()[i];
        if (run.started_by().silent) {
            others.push_back(input_item);
            continue;
        }
        commanding work(run, i, command_settings_from(*parameters));
        auto done = co_await work.carry_out_word();
        if (!done) co_return done.error();
        if (done->is_passed_on) others.push_back(input_item);
        if (!done->command) continue;
        auto const* members = input_item.json.if_object();
        auto output_item = members ? *members : json::object{};
        output_item["command"] = std::move(*done->command);
        commands.push_back({std::move(output_item)});
    }
    outputs output;
    if (!others.empty()) output.emplace("main", std::move(others));
    if (!commands.empty()) output.emplace("commands", std::move(commands));
    co_return output;
}

} // namespace

behaviour spam_command_behaviour() {
    return durable{do_as_told};
}

} // namespace postrider::agent::flow
