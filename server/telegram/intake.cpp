#include "server/telegram/intake.hpp"

#include "base/log.hpp"
#include "server/telegram/delivery.hpp"
#include "server/telegram/lane_cache.hpp"

namespace postrider::telegram {

namespace {

using base::errc;

// A reserved slot; gives it back unless the job was started in it.
class reservation {
public:
    explicit reservation(turn_slots& slots) : slots_(slots), node_(slots.try_reserve()) {}
    ~reservation() {
        if (node_) slots_.release();
    }
    reservation(reservation const&) = delete;
    reservation& operator=(reservation const&) = delete;

    std::optional<node_id> node() const noexcept { return node_; }

    void start(queue::enqueued const& made, queue::job job) {
        node_.reset();
        slots_.start(made, std::move(job));
    }

private:
    turn_slots& slots_;
    std::optional<node_id> node_;
};

// Bytes of an update are kept for the owner to look at; more than this would be a burden.
constexpr std::size_t raw_limit = 4u << 20;

std::string_view name_of(disposition const& what) {
    if (std::holds_alternative<to_job>(what)) return "job";
    return std::holds_alternative<to_edit>(what) ? "event" : "ignored";
}

class batched_intake final : public intake {
public:
    batched_intake(
        storage::batcher& writes,
        turn_slots& slots,
        chat_moves& moves,
        message_flows const& flows,
        base::clock& clock,
        base::random_source& random,
        intake_options options
    )
        : writes_(writes),
          slots_(slots),
          moves_(moves),
          flows_(flows),
          clock_(clock),
          random_(random),
          options_(options),
          lanes_(options.lanes_known) {}

    base::awaitable<base::result<accepted>> accept(bot_settings const& bot, std::string body)
        override {
        if (saturated()) co_return base::error(errc::overloaded, "too many updates wait");
        auto const until = clock_.steady() + options_.deadline;
        auto parsed = parse_update(body);
        if (std::holds_alternative<not_an_update>(parsed)) co_return no_update();
        if (auto* unusable = std::get_if<unusable_update>(&parsed))
            co_return co_await reject(bot.id, *unusable, std::move(body), until);
        auto const id = std::get<update>(parsed).id;
        auto what = decide(std::get<update>(parsed), bot);
        auto done = co_await store(bot, id, std::move(what), until);
        if (done || done.error() != errc::poison) co_return done;
        unusable_update poison{id, done.error()};
        co_return co_await reject(bot.id, std::move(poison), std::move(body), until);
    }

    base::awaitable<base::result<accepted>> accept_cut(
        bot_settings const& bot, std::string beginning
    ) override {
        if (saturated()) co_return base::error(errc::overloaded, "too many updates wait");
        auto const until = clock_.steady() + options_.deadline;
        auto parsed = parse_cut_update(beginning);
        auto* unusable = std::get_if<unusable_update>(&parsed);
        if (!unusable) co_return no_update();
        co_return co_await reject(bot.id, *unusable, std::nullopt, until);
    }

private:
    static base::error no_update() { return {errc::invalid, "not an update"}; }

    bool saturated() const {
        auto const counts = writes_.counts();
        return counts.waiting > options_.most_waiting || counts.oldest > options_.oldest_waiting;
    }

    base::duration left(base::steady_time until) const {
        return std::max<base::duration>(until - clock_.steady(), base::duration{1});
    }

    base::awaitable<base::result<accepted>> store(
        bot_settings const& bot, update_id id, disposition what, base::steady_time until
    ) {
        if (std::holds_alternative<to_job>(what))
            co_return co_await store_job(bot, id, std::get<to_job>(std::move(what)), until);
        if (auto* edit = std::get_if<to_edit>(&what)) {
            auto const chosen = flows_.choose(bot, edit->heard, edit->text);
            if (chosen && !chosen->lane_key.empty()) edit->lane_key = chosen->lane_key;
        }
        auto unit = std::make_shared<delivery>(bot.id, id, what);
        auto committed = co_await writes_.commit(unit, left(until));
        if (!committed) co_return committed.error();
        if (auto* nothing = std::get_if<to_nothing>(&what); nothing && nothing->moved)
            moves_.note(bot.id, nothing->moved->from, nothing->moved->to);
        co_return accepted{unit->is_new(), name_of(what)};
    }

    base::awaitable<base::result<accepted>> store_job(
        bot_settings const& bot, update_id id, to_job job, base::steady_time until
    ) {
        auto const chosen = flows_.choose(bot, job.heard, job.text);
        if (!chosen) {
            to_nothing const ignored{"no_flow", {}, {}};
            co_return co_await store(bot, id, ignored, until);
        }
        agent::flow::execution_input input;
        input.flow = chosen->flow;
        input.version = chosen->version;
        input.trigger = chosen->trigger;
        input.agent = job.agent;
        input.heard = job.heard;
        bool const own_lane = !chosen->lane_key.empty();
        if (own_lane) job.lane_key = chosen->lane_key;
        if (chosen->manner) job.manner = *chosen->manner;
        reservation slot(slots_);
        queue::new_job wanted{
            {}, std::string(agent::flow::turn_kind), agent::flow::to_json(input), slot.node()};
        wanted.deadline = chosen->deadline;
        for (int trial = 1;; ++trial) {
            auto lane = co_await lane_of(job, own_lane, until);
            if (!lane) co_return lane.error();
            wanted.lane = *lane;
            auto unit = std::make_shared<delivery>(bot.id, id, job);
            unit->start_with(wanted, message_of(job));
            auto committed = co_await writes_.commit(unit, left(until));
            // On a timeout the batcher may still work with the unit: it is not looked at.
            bool const defect = !committed && committed.error() == errc::internal;
            if (defect && unit->lane_was_gone() && trial == 1) {
                lanes_.drop(job.lane_key);
                continue;
            }
            if (!committed) co_return committed.error();
            if (unit->made() && unit->made()->leased)
                slot.start(*unit->made(), queue::leased_job(wanted, *unit->made()));
            else if (unit->made() && queue::needs_claim(*unit->made()))
                slots_.job_waits();
            if (unit->made() && unit->made()->interrupts) slots_.turn_interrupted();
            co_return accepted{unit->is_new(), "job"};
        }
    }

    // A flow's own lane is not the chat's: messages of several may wait in it.
    base::awaitable<base::result<lane_id>> lane_of(
        to_job const& job, bool of_the_flow, base::steady_time until
    ) {
        if (auto known = lanes_.find(job.lane_key, job.manner)) co_return *known;
        auto const& to = job.heard.from;
        std::optional<chat_id> chat = to.chat;
        if (of_the_flow) chat.reset();
        auto wish = std::make_shared<lane_wish>(to.bot, chat, job.lane_key, job.manner);
        auto committed = co_await writes_.commit(wish, left(until));
        if (!committed) co_return committed.error();
        lanes_.put(job.lane_key, wish->lane(), job.manner);
        co_return wish->lane();
    }

    storage::message_row message_of(to_job const& job) {
        storage::message_row row;
        row.id = base::nanoid(random_);
        row.role = "user";
        row.content = job.text;
        row.telegram_message = job.heard.message;
        return row;
    }

    base::awaitable<base::result<accepted>> reject(
        bot_id bot, unusable_update what, std::optional<std::string> raw, base::steady_time until
    ) {
        base::log::warn(
            "telegram.update_rejected",
            {{"bot", bot}, {"update", what.id}, {"reason", what.why.code}}
        );
        storage::inbox_row row;
        row.bot = bot;
        row.update = what.id;
        row.disposition = "rejected";
        row.reason = std::string(base::to_string(what.why.code));
        if (raw && raw->size() <= raw_limit) row.raw = std::move(raw);
        auto unit = std::make_shared<delivery>(std::move(row));
        auto committed = co_await writes_.commit(unit, left(until));
        if (!committed) co_return committed.error();
        co_return accepted{unit->is_new(), "rejected"};
    }

    storage::batcher& writes_;
    turn_slots& slots_;
    chat_moves& moves_;
    message_flows const& flows_;
    base::clock& clock_;
    base::random_source& random_;
    intake_options options_;
    lane_cache lanes_;
};

} // namespace

std::unique_ptr<intake> make_intake(
    storage::batcher& writes,
    turn_slots& slots,
    chat_moves& moves,
    message_flows const& flows,
    base::clock& clock,
    base::random_source& random,
    intake_options options
) {
    return std::make_unique<batched_intake>(writes, slots, moves, flows, clock, random, options);
}

} // namespace postrider::telegram
