// Acts on what spam.check found: deletes, restricts, bans, tells the admin chat. The catch and the intents of its actions
// are one commit, so a message is a strike once, and no action is lost or done without a row.
#include "agent/describe/bounds.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/acting_step.hpp"
#include "agent/flow/nodes/moderator.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/moderation/album.hpp"
#include "agent/moderation/offence.hpp"
#include "agent/spam/store/rows.hpp"
#include "agent/talk/degradation.hpp"
#include "base/clock.hpp"
#include "base/json/json.hpp"
#include "storage/stores/group_archive.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using spam::catch_action;

constexpr base::retry_policy catch_look_tries{
    .limit = 3, .delay = std::chrono::seconds{1}, .timeout = 2 * bounds::longest_read};

struct catch_settings {
    catch_action action = catch_action::dry_run;
    std::optional<std::chrono::seconds> restrict_for;
    int strikes = 1;
    std::chrono::seconds window{};
    std::string notice;
    std::chrono::seconds notice_for{};
    std::optional<chat_id> admin_chat;
    bool cleans_up = false;
};

catch_settings catch_settings_from(json::object const& parameters) {
    json::value const values(parameters);
    base::json_reader const fields{values};
    catch_settings settings;
    settings.action =
        spam::catch_action_named(fields["action"].string()).value_or(catch_action::dry_run);
    if (fields["restrict_for"])
        settings.restrict_for = moderation_window(fields["restrict_for"].string());
    settings.strikes = static_cast<int>(fields["strikes"].int64());
    settings.window = moderation_window(fields["strikes_within"].string());
    settings.notice = fields["notice"].string_or("");
    settings.notice_for = moderation_window(fields["notice_for"].string());
    if (fields["admin_chat"]) settings.admin_chat = chat_id{fields["admin_chat"].int64()};
    settings.cleans_up = fields["clean_up"].boolean_or(false);
    return settings;
}

base::awaitable<queue::step_value> look_up_catch(
    node_run& run, spam::caught_message const& caught, std::chrono::seconds window, bool acts
) {
    auto const record = co_await spam::look_for_catch(
        run.services().reads, caught.key, caught.album, window, acts, bounds::longest_read
    );
    if (!record) co_return record.error();
    co_return json::object{
        {"strikes", record->strikes},
        {"caught", record->is_caught},
        {"album", record->is_of_album},
        {"told", record->is_told},
        {"banned", record->is_banned}};
}

// One item on its way: from the look at what is known to what the admin chat hears.
class catching {
public:
    catching(node_run& run, std::size_t number, offence item, catch_settings settings)
        : run_(run),
          moderator_(run, number),
          item_(std::move(item)),
          settings_(std::move(settings)) {}

    base::awaitable<base::result<json::object>> carry_out() {
        auto const looked = co_await look();
        if (!looked) co_return looked.error();
        auto const gathered = co_await gather();
        if (!gathered) co_return gathered.error();
        co_await act();
        bool const is_banned = is_ban() && outcome_.is_acted_on;
        if (is_banned && settings_.cleans_up) co_await clean();
        if (!is_repeated_ && !was_banned_ && !settings_.notice.empty())
            co_await moderator_.say_to_group(item_.group, settings_.notice, settings_.notice_for);
        if (!is_told_ && settings_.admin_chat)
            co_await moderator_.tell_admins(*settings_.admin_chat, item_.caught, outcome_);
        if (auto const& failure = failure_of_acts())
            run_.degrade(degradation_of(degraded_by::node_failed, *failure));
        co_return result();
    }

private:
    base::awaitable<base::result<void>> look() {
        auto const name = moderator_.named("look");
        (void)is_recorded(run_, name);
        auto work = [&] { return look_up_catch(run_, item_.caught, settings_.window, !is_dry()); };
        auto const known_catch =
            co_await run_.steps().try_step(name, run_.retry(catch_look_tries), work);
        if (!known_catch) co_return known_catch.error();
        base::json_reader const record{*known_catch};
        bool const is_caught = record["caught"].boolean_or(false);
        bool const is_of_album = record["album"].boolean_or(false);
        was_banned_ = record["banned"].boolean_or(false);
        is_told_ = is_of_album || was_banned_ || record["told"].boolean_or(false);
        is_repeated_ = is_caught || is_of_album;
        decide(static_cast<int>(record["strikes"].int64_or(0)));
        co_return base::result<void>{};
    }

    // An album goes as a whole. In a dry run nothing does.
    base::awaitable<base::result<void>> gather() {
        auto caught = item_.caught;
        if (caught.action == catch_action::dry_run) caught.album.clear();
        auto messages = co_await gather_album(
            run_.steps(),
            run_.services().reads,
            std::move(caught),
            moderator_.named("album"),
            run_.retry(catch_look_tries)
        );
        if (!messages) co_return messages.error();
        messages_ = std::move(*messages);
        co_return base::result<void>{};
    }

    bool is_dry() const {
        return settings_.action == catch_action::dry_run || !item_.may_be_touched;
    }

    void decide(int strikes_before) {
        auto& caught = item_.caught;
        caught.action = is_dry() ? catch_action::dry_run : settings_.action;
        if (is_dry()) return;
        is_strike_ = !is_repeated_;
        caught.strikes = strikes_before + (is_strike_ ? 1 : 0);
        if (caught.strikes < settings_.strikes) caught.action = catch_action::remove;
    }

    // What was on its way when its author was banned is only deleted: of a wave one ban and one message remain.
    bool is_ban() const {
        if (was_banned_) return false;
        auto const action = item_.caught.action;
        return action == catch_action::ban ||
               (action == catch_action::restrict && item_.caught.sender_chat);
    }

    std::vector<planned_act> plan() const {
        std::vector<planned_act> acts;
        auto const& caught = item_.caught;
        if (caught.action == catch_action::dry_run) return acts;
        if (!messages_.empty()) acts.push_back({"delete", remove_messages{messages_}});
        if (is_ban())
            acts.push_back({"act", ban_of(caught)});
        else if (caught.action == catch_action::restrict && !was_banned_)
            acts.push_back({"act", restriction()});
        return acts;
    }

    // Counted from when it is done.
    moderation restriction() const {
        restrict_member act{item_.caught.key.author, false, {}};
        if (settings_.restrict_for)
            act.until =
                run_.services().clock.now() +
                std::chrono::duration_cast<base::sys_time::duration>(*settings_.restrict_for);
        return act;
    }

    // The catch and the intents of its acts are one commit.
    base::awaitable<void> act() {
        deed work{.name = "caught", .acts = plan(), .caught = item_.caught.key};
        work.rows.push_back(spam::catch_row(item_.caught, is_strike_));
        if (!work.acts.empty() && !messages_.empty())
            work.rows.push_back(storage::mark_removed(item_.group.bot, item_.group.chat, messages_)
            );
        auto const& key = item_.caught.key;
        // Only what Telegram has done.
        if (is_ban())
            work.rows_when_done.push_back(
                spam::ban_row({key.chat, key.author, item_.caught.caught_by})
            );
        auto const acts = work.acts;
        auto const results = co_await moderator_.carry_out(item_.group, std::move(work));
        outcome_ = outcome_of(acts, results);
    }

    base::awaitable<void> clean() {
        auto const cleaned = co_await moderator_.clean_up(item_.caught);
        outcome_.cleaned = cleaned.count;
        outcome_.clean_error = cleaned.failure;
    }

    std::optional<base::error> const& failure_of_acts() const {
        if (outcome_.delete_error) return outcome_.delete_error;
        return outcome_.act_error ? outcome_.act_error : outcome_.clean_error;
    }

    json::object result() const {
        json::object summary{
            {"action", spam::name_of(item_.caught.action)},
            {"strikes", item_.caught.strikes},
            {"deleted", outcome_.is_deleted},
            {"acted", outcome_.is_acted_on},
            {"cleaned", outcome_.cleaned}};
        if (auto const& failure = failure_of_acts()) summary["error"] = to_string(*failure);
        return summary;
    }

    node_run& run_;
    moderator moderator_;
    offence item_;
    catch_settings settings_;
    std::vector<telegram_message_id> messages_ = {}; // that go: of an album all parts
    bool is_told_ = false;
    bool is_repeated_ = false;
    bool was_banned_ = false; // a moment ago
    bool is_strike_ = false;
    catch_outcome outcome_;
};

base::awaitable<base::result<json::object>> act_on_item(node_run& run, std::size_t number) {
    auto const parameters = co_await run.parameters(number);
    if (!parameters) co_return parameters.error();
    auto item = read_offence(*run.input()[number].json);
    if (!item)
        co_return base::error(
            base::errc::invalid, "the item is no event of a group that has an author"
        );
    if (run.started_by().silent) {
        run.steps().skip_unasked();
        co_return json::object{{"action", "withheld"}};
    }
    catching work(run, number, std::move(*item), catch_settings_from(*parameters));
    co_return co_await work.carry_out();
}

base::awaitable<base::result<outputs>> act_on_spam(node_run& run) {
    items results;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto done = co_await act_on_item(run, i);
        if (!done) co_return done.error();
        auto const* members = run.input()[i].json.if_object();
        auto output_item = members ? *members : json::object{};
        output_item["catch"] = std::move(*done);
        results.push_back({std::move(output_item)});
    }
    outputs output;
    output.emplace("main", std::move(results));
    co_return output;
}

} // namespace

behaviour spam_act_behaviour() {
    return durable{act_on_spam};
}

} // namespace postrider::agent::flow
