#pragma once
// Two adapters of the intake: the engine's slots as it sees them, and a Telegram intake that counts
// what passes through it.
#include "queue/node/engine.hpp"
#include "server/telegram/intake.hpp"
#include "storage/notices.hpp"

#include <map>

namespace postrider::server {

// The engine's slots as the intake sees them. The engine must outlive it.
class engine_slots final : public agent::flow::execution_slots {
public:
    // others: null when this node tells nobody.
    engine_slots(queue::engine& engine, storage::notices* others)
        : engine_(engine),
          others_(others) {}

    std::optional<node_id> try_reserve() override { return engine_.try_reserve(); }
    void start(queue::enqueued const& enqueued, queue::job job) override {
        engine_.start_leased(std::move(job), enqueued);
    }
    void release() override { engine_.release(); }
    void job_waits() override {
        engine_.wake();
        if (others_) others_->send("wake");
    }
    void turn_interrupted() override {
        engine_.beat_now();
        if (others_) others_->send("asked");
    }

private:
    queue::engine& engine_;
    storage::notices* others_;
};

// Counts updates by disposition; one that was seen before is a "duplicate", each time that one could
// not be stored is "unstored", and what is no update is "malformed".
class counting_intake final : public telegram::intake {
public:
    explicit counting_intake(telegram::intake& inner) : inner_(inner) {}

    base::awaitable<base::result<telegram::accepted>> accept(
        telegram::bot_settings const& bot, std::string body
    ) override;
    base::awaitable<base::result<telegram::accepted>> accept_cut(
        telegram::bot_settings const& bot, std::string beginning
    ) override;

    std::map<std::string, std::uint64_t> const& counts() const noexcept { return counts_; }

private:
    void count(base::result<telegram::accepted> const& outcome);

    telegram::intake& inner_;
    std::map<std::string, std::uint64_t> counts_;
};

} // namespace postrider::server
