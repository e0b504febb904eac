#include "server/telegram/intake.hpp"

#include "agent/speech/press_note.hpp"
#include "base/log.hpp"
#include "server/telegram/business.hpp"
#include "server/telegram/business_accounts.hpp"
#include "server/telegram/delivery.hpp"
#include "server/telegram/failing_updates.hpp"
#include "server/telegram/passed_parts.hpp"
#include "server/telegram/press_rate.hpp"
#include "server/telegram/press_start.hpp"
#include "server/telegram/turn_start.hpp"

namespace postrider::telegram {

namespace {

namespace flow = agent::flow;
using base::errc;

// Bytes of an update are kept for the owner to look at; more than this would be a burden.
constexpr std::size_t raw_limit = 4u << 20;

base::error no_update() {
    return {errc::invalid, "not an update"};
}

class batched_intake final : public intake {
public:
    batched_intake(
        flow::execution_intake& executions,
        chat_moves& moves,
        message_flows const& flows,
        press_answers& presses,
        base::clock& clock,
        base::random_source& random,
        base::duration deadline,
        draft_stopper stop,
        business_accounts* accounts
    )
        : executions_(executions),
          moves_(moves),
          flows_(flows),
          presses_(presses),
          clock_(clock),
          random_(random),
          deadline_(deadline),
          stop_(std::move(stop)),
          accounts_(accounts) {}

    base::awaitable<base::result<accepted>> accept(bot_settings const& bot, std::string body)
        override {
        if (executions_.saturated()) co_return overloaded();
        auto const until = clock_.steady() + deadline_;
        auto parsed = parse_update(body);
        if (std::holds_alternative<not_an_update>(parsed)) co_return no_update();
        if (auto* unusable = std::get_if<unusable_update>(&parsed))
            co_return co_await reject(bot.id, *unusable, std::move(body), until);
        auto const& content = std::get<update>(parsed);
        auto const id = content.id;
        note_new_runners(bot.id, content);
        auto stored = co_await store(bot, content, until);
        if (stored) failing_.stored();
        if (stored || !at_fault(bot.id, id, stored.error())) co_return stored;
        unusable_update unstorable{id, stored.error()};
        auto rejected = co_await reject(bot.id, std::move(unstorable), std::move(body), until);
        if (rejected) failing_.forget(bot.id, id);
        co_return rejected;
    }

    base::awaitable<base::result<accepted>> accept_cut(
        bot_settings const& bot, std::string beginning
    ) override {
        if (executions_.saturated()) co_return overloaded();
        auto const until = clock_.steady() + deadline_;
        auto parsed = parse_cut_update(beginning);
        auto* unusable = std::get_if<unusable_update>(&parsed);
        if (!unusable) co_return no_update();
        co_return co_await reject(bot.id, *unusable, std::nullopt, until);
    }

private:
    // Members who come and go run nothing.
    void note_new_runners(bot_id bot, update const& content) {
        auto const* change = std::get_if<member_change>(&content.content);
        if (!change || change->where.is_private) return;
        bool const is_of_runner =
            change->is_own || agent::runs_chat(change->before) || agent::runs_chat(change->now);
        if (is_of_runner) presses_.note_new_runners({bot, change->where.id});
    }

    static base::error overloaded() { return {errc::overloaded, "too many updates wait"}; }

    // Whether the update cannot be stored because of itself.
    bool at_fault(bot_id bot, update_id update, base::error const& failure) {
        if (failure == errc::internal) return failing_.failed(bot, update);
        return failure == errc::poison;
    }

    base::awaitable<base::result<accepted>> store(
        bot_settings const& bot, update const& content, base::steady_time until
    ) {
        if (!content.business.empty()) co_return co_await store_business(bot, content, until);
        auto incident = flows_.watched_events(bot).empty() ? std::nullopt : watched(content, bot);
        if (incident)
            if (auto const chosen = flows_.choose_watching(bot, *incident))
                co_return co_await store_watched(
                    bot, content.id, std::move(*incident), *chosen, until
                );
        co_return co_await store(bot, content.id, decide(content, bot), until);
    }

    // The number of the chat is committed before: it is in the rows of all that follows.
    base::awaitable<base::result<accepted>> store_business(
        bot_settings const& bot, update const& content, base::steady_time until
    ) {
        auto look = std::make_shared<business_look>(bot.id, content);
        if (!bot.business.empty()) {
            auto looked = co_await executions_.commit(look, until);
            bool const asks = looked && !look->chat() && accounts_;
            if (asks) looked = co_await look_after_asking(bot, content.business, look, until);
            if (!looked) co_return looked.error();
        }
        auto decided = decide_in_business(content, bot, look->chat());
        co_return co_await store(bot, content.id, std::move(decided), until);
    }

    // The connection is kept before: what it locks is not to be held while the chat gets its number.
    base::awaitable<base::result<void>> look_after_asking(
        bot_settings const& bot,
        std::string connection,
        std::shared_ptr<business_look> look,
        base::steady_time until
    ) {
        auto answer = co_await accounts_->find(bot, std::move(connection));
        if (!answer) co_return answer.error();
        if (!*answer) co_return base::result<void>{};
        auto unit = std::make_shared<kept_connection>(std::move(**answer));
        auto const kept = co_await executions_.commit(unit, until);
        if (!kept) co_return kept.error();
        co_return co_await executions_.commit(look, until);
    }

    // What a flow sees that watches the group: nobody is answered for it.
    base::awaitable<base::result<accepted>> store_watched(
        bot_settings const& bot,
        update_id id,
        watched_update incident,
        chosen_flow chosen,
        base::steady_time until
    ) {
        auto const& job = incident.job;
        bool const is_message = incident.event == agent::group_event::message;
        auto start = start_of(job, chosen, bot.allowlist.owners.contains(job.heard.user), random_);
        if (!incident.may_command) start.command.reset();
        if (!is_message) {
            start.job.kind = flow::flow_kind;
            start.message.reset();
        }
        storage::inbox_row inbox;
        inbox.bot = bot.id;
        inbox.update = id;
        inbox.disposition = "job";
        inbox.heard_from = job.heard.from.chat;
        auto make = [inbox = std::move(inbox), effect = std::move(incident.effect)](
                        auto shared, std::optional<lane_id> known_lane
                    ) {
            return std::make_shared<watched_delivery>(inbox, effect, std::move(shared), known_lane);
        };
        auto committed = co_await executions_.begin(std::move(start), std::move(make), until);
        if (!committed) co_return committed.error();
        co_return accepted{(*committed)->job().has_value(), "job"};
    }

    base::awaitable<base::result<accepted>> store(
        bot_settings const& bot, update_id id, disposition decided, base::steady_time until
    ) {
        if (auto* job = std::get_if<to_job>(&decided)) {
            if (job->only_joins)
                co_return co_await store_part(
                    inbox_row_of(bot.id, id, decided), *job, no_text_rule, until
                );
            auto const chosen = flows_.choose(bot, job->heard, {job->text, job->command});
            if (chosen) {
                auto inbox = inbox_row_of(bot.id, id, decided);
                if (!chosen->starts || job->is_said_for_us)
                    co_return co_await store_unanswered(std::move(inbox), *job, *chosen, until);
                passed_parts_.bring(*job, clock_.steady());
                bool const is_owner = bot.allowlist.owners.contains(job->heard.user);
                auto start = start_of(*job, *chosen, is_owner, random_);
                message_rate limit{.most = bot.messages_per_minute, .message = job->heard};
                auto stored = co_await store_turn(
                    std::move(inbox), std::move(limit), part_of(*job), std::move(start), until
                );
                if (stored) passed_parts_.forget_album(*job);
                co_return stored;
            }
            if (!job->heard.addressed && !job->album.empty())
                co_return co_await store_part(
                    inbox_row_of(bot.id, id, decided), *job, not_addressed_rule, until
                );
            auto const rule = job->heard.addressed ? "no_flow" : not_addressed_rule;
            decided = to_nothing{std::string(rule), {}, {}};
        }
        if (auto* press = std::get_if<to_press>(&decided))
            co_return co_await store_press(inbox_row_of(bot.id, id, decided), *press, until);
        if (auto* press = std::get_if<to_catch_press>(&decided))
            co_return co_await take_catch_press(inbox_row_of(bot.id, id, decided), *press, until);
        auto unit = std::make_shared<delivery>(bot.id, id, decided);
        auto committed = co_await executions_.commit(unit, until);
        if (!committed) co_return committed.error();
        auto* nothing = std::get_if<to_nothing>(&decided);
        if (nothing && nothing->moved)
            moves_.note(bot.id, nothing->moved->from, nothing->moved->to);
        auto* stopped = std::get_if<to_stop>(&decided);
        if (stopped && unit->is_new() && stop_) stop_(stopped->at, stopped->draft);
        co_return accepted{unit->is_new(), nothing ? "ignored" : "event"};
    }

    base::awaitable<base::result<accepted>> store_unanswered(
        storage::inbox_row inbox,
        to_job const& job,
        chosen_flow const& chosen,
        base::steady_time until
    ) {
        inbox.disposition = "event";
        std::optional<storage::album_message> part;
        if (!job.is_said_for_us) part = joining_part(job);
        auto unit = std::make_shared<unanswered_delivery>(
            std::move(inbox), lane_of(job, chosen), message_of(job, random_), std::move(part)
        );
        auto committed = co_await executions_.commit(unit, until);
        if (!committed) co_return committed.error();
        bool const is_passed = !job.is_said_for_us && !job.album.empty() && !unit->has_joined();
        if (is_passed) passed_parts_.note(job, clock_.steady());
        co_return accepted{unit->is_new(), "event"};
    }

    base::awaitable<base::result<accepted>> store_part(
        storage::inbox_row inbox, to_job const& job, std::string_view rule, base::steady_time until
    ) {
        inbox.disposition = "event";
        auto unit =
            std::make_shared<part_delivery>(std::move(inbox), joining_part(job).value(), rule);
        auto committed = co_await executions_.commit(unit, until);
        if (!committed) co_return committed.error();
        if (!unit->has_joined()) passed_parts_.note(job, clock_.steady());
        co_return accepted{unit->is_new(), unit->has_joined() ? "event" : "ignored"};
    }

    base::awaitable<base::result<accepted>> store_press(
        storage::inbox_row inbox, to_press const& press, base::steady_time until
    ) {
        storage::press_row row;
        row.question = press.question;
        row.place = agent::place_of(press.at);
        row.user = press.press.user;
        row.is_owner = press.is_owner;
        row.closes = press.closes;
        row.payload = agent::to_json(press.press, press.at);
        auto unit = std::make_shared<press_delivery>(std::move(inbox), std::move(row));
        auto committed = co_await executions_.commit(unit, until);
        if (!committed) co_return committed.error();
        // Of one that was seen before nobody knows whether it was answered: without a note.
        auto const note = unit->is_new()
                              ? agent::note_of(unit->outcome(), press.shown, press.usual_language)
                              : "";
        presses_.answer(press.at, press.query, note);
        co_return accepted{unit->is_new(), "event"};
    }

    // Anybody may press, also what was never a button: only who runs the group makes a job.
    base::awaitable<base::result<accepted>> take_catch_press(
        storage::inbox_row inbox, to_catch_press const& press, base::steady_time until
    ) {
        if (!press_rate_.takes(inbox.bot, press.press.user, clock_.steady()))
            co_return co_await decline_press(inbox, press, too_many_presses, until);
        agent::address const group{press.at.bot, press.choice.key.chat};
        bool may_decide = press.is_owner;
        if (!may_decide) may_decide = co_await presses_.may_decide(group, press.press.user);
        if (!may_decide) co_return co_await decline_press(inbox, press, not_administrator, until);
        co_return co_await store_catch_press(std::move(inbox), press, until);
    }

    base::awaitable<base::result<accepted>> decline_press(
        storage::inbox_row const& inbox,
        to_catch_press const& press,
        declined_press reason,
        base::steady_time until
    ) {
        auto unit = std::make_shared<delivery>(inbox.bot, inbox.update, ignored_by(reason));
        auto committed = co_await executions_.commit(unit, until);
        if (!committed) co_return committed.error();
        presses_.answer(press.at, press.press.id, unit->is_new() ? reason.note : "");
        co_return accepted{unit->is_new(), "ignored"};
    }

    // The job answers whoever pressed: it knows what came of it.
    base::awaitable<base::result<accepted>> store_catch_press(
        storage::inbox_row inbox, to_catch_press const& press, base::steady_time until
    ) {
        auto make = [inbox = std::move(inbox), button = button_of(press, clock_.now())](
                        auto shared, std::optional<lane_id> known_lane
                    ) {
            return std::make_shared<catch_press_delivery>(
                inbox, button, std::move(shared), known_lane
            );
        };
        auto committed = co_await executions_.begin(start_of_press(press), std::move(make), until);
        if (!committed) co_return committed.error();
        auto const& delivered = dynamic_cast<catch_press_delivery const&>(**committed);
        if (!delivered.is_repeated()) co_return accepted{(*committed)->job().has_value(), "job"};
        presses_.answer(press.at, press.press.id, "");
        co_return accepted{true, "ignored"};
    }

    base::awaitable<base::result<accepted>> store_turn(
        storage::inbox_row inbox,
        message_rate limit,
        std::optional<album_part> part,
        flow::execution_start start,
        base::steady_time until
    ) {
        auto make = [inbox = std::move(inbox),
                     limit = std::move(limit),
                     part = std::move(part)](auto shared, std::optional<lane_id> known_lane) {
            return std::make_shared<turn_delivery>(
                inbox, limit, part, std::move(shared), known_lane
            );
        };
        auto committed = co_await executions_.begin(std::move(start), std::move(make), until);
        if (!committed) co_return committed.error();
        auto const& delivered = dynamic_cast<turn_delivery const&>(**committed);
        if (delivered.is_ignored()) co_return accepted{true, "ignored"};
        if (delivered.has_joined()) co_return accepted{true, "event"};
        co_return accepted{(*committed)->job().has_value(), "job"};
    }

    base::awaitable<base::result<accepted>> reject(
        bot_id bot,
        unusable_update unusable,
        std::optional<std::string> raw,
        base::steady_time until
    ) {
        base::log::warn(
            "telegram.update_rejected",
            {{"bot", bot}, {"update", unusable.id}, {"reason", unusable.cause.code}}
        );
        storage::inbox_row row;
        row.bot = bot;
        row.update = unusable.id;
        row.disposition = "rejected";
        row.reason = std::string(base::to_string(unusable.cause.code));
        if (raw && raw->size() <= raw_limit) row.raw = std::move(raw);
        auto unit = std::make_shared<delivery>(std::move(row));
        auto committed = co_await executions_.commit(unit, until);
        if (!committed) co_return committed.error();
        co_return accepted{unit->is_new(), "rejected"};
    }

    flow::execution_intake& executions_;
    chat_moves& moves_;
    message_flows const& flows_;
    press_answers& presses_;
    base::clock& clock_;
    base::random_source& random_;
    base::duration deadline_;
    draft_stopper stop_;
    business_accounts* accounts_;
    failing_updates failing_;
    press_rate press_rate_;
    passed_parts passed_parts_;
};

} // namespace

std::unique_ptr<intake> make_intake(
    flow::execution_intake& executions,
    chat_moves& moves,
    message_flows const& flows,
    press_answers& presses,
    base::clock& clock,
    base::random_source& random,
    base::duration deadline,
    draft_stopper stop,
    business_accounts* accounts
) {
    return std::make_unique<batched_intake>(
        executions, moves, flows, presses, clock, random, deadline, std::move(stop), accounts
    );
}

} // namespace postrider::telegram
