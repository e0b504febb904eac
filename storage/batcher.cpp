#include "storage/batcher.hpp"

#include "base/fault.hpp"
#include "base/log.hpp"
#include "storage/batch.hpp"
#include "storage/pg/mailbox.hpp"
#include "storage/pg/session.hpp"
#include "storage/pg/waiter.hpp"

#include <boost/asio/post.hpp>

#include <atomic>
#include <thread>

namespace postrider::storage {

namespace {

using namespace std::chrono_literals;

constexpr int batch_tries = 5;

// After a held lock was met, batches wait for locks no longer than this, so that finding the unit
// that meets it costs the others little; a unit that stands alone waits longer. Where many units
// meet locks, those after the first few wait even less: their waits add up for the others, and their
// callers try again. $1 is the wait.
constexpr auto hurried_for = 2s;
constexpr int hurried_wait = 25;
constexpr int hurried_wait_alone = 100;
constexpr int locks_until_brief = 8;
constexpr int brief_wait = 2;
constexpr int brief_wait_alone = 5;
constexpr statement hurry{
    "batch_hurry",
    "select set_config('lock_timeout', $1, true), set_config('statement_timeout', '5s', true)"};

// Another session holds a row for longer than is normal (SQLSTATE lock_not_available).
bool met_held_lock(base::error const& error) {
    return error.reason == "55P03";
}

struct ticket : pg::waiter::slot, pg::mailbox<ticket>::place {
    std::shared_ptr<unit> work;
    base::result<void> outcome;
    bool defective = false;
};

using tickets = std::span<std::shared_ptr<ticket> const>;

base::error defect() {
    return {base::errc::internal, "a defect in a batch; the log has more"};
}

void settle(tickets batch, base::result<void> const& outcome) {
    for (auto const& ticket : batch) {
        ticket->outcome = outcome;
        if (outcome && ticket->defective) ticket->outcome = defect();
    }
}

struct totals {
    std::atomic<std::uint64_t> commits{0};
    std::atomic<std::uint64_t> units{0};
    std::atomic<std::uint64_t> split{0};
};

// Runs batches on one connection and decides what becomes of each unit.
class committer {
public:
    committer(database_options database, batcher_options const& options, totals& counts)
        : options_(options),
          counts_(counts),
          session_(std::move(database), pg::purpose::batches) {}

    void close() { session_.close(); }

    // Before the first units come, which then need not wait for it. Where it fails they try again.
    void connect() {
        try {
            (void)session_.get();
        } catch (std::exception const& e) {
            base::log::debug(
                "batcher.not_connected", {{"batcher", options_.name}, {"error", e.what()}}
            );
        }
    }

    // Every ticket has its outcome when this returns.
    void run(tickets batch) {
        begun_ = base::system_clock().steady();
        while (!batch.empty()) {
            auto const together = std::max<std::size_t>(1, units_before_apart(batch));
            run_together(batch.first(together));
            batch = batch.subspan(together);
        }
        begun_ = base::steady_time{};
    }

    // So long the units under way have been; from any thread.
    base::duration busy_for() const {
        auto const since = begun_.load();
        if (since == base::steady_time{}) return base::duration{0};
        return base::system_clock().steady() - since;
    }

private:
    static std::size_t units_before_apart(tickets batch) {
        auto const apart =
            std::ranges::find_if(batch, [](auto const& t) { return t->work->apart(); });
        return static_cast<std::size_t>(apart - batch.begin());
    }

    void run_together(tickets batch) {
        try {
            settle(batch, with_retries(batch));
        } catch (std::exception const& e) {
            if (batch.size() > 1) return in_halves(batch);
            base::log::error("batch.defect", {{"batcher", options_.name}, {"error", e.what()}});
            settle(batch, defect());
        }
    }

    // One unit cannot be committed: the others must not notice.
    void in_halves(tickets batch) {
        counts_.split.fetch_add(1, std::memory_order_relaxed);
        auto const middle = batch.size() / 2;
        run_together(batch.first(middle));
        run_together(batch.subspan(middle));
    }

    base::result<void> with_retries(tickets batch) {
        bool renew = false, in_stages = false;
        for (int attempt = 1;; ++attempt) {
            try {
                if (renew) session_.get().renew_plans();
                once(batch);
                return {};
            } catch (pg::stale_plan const& f) {
                if (std::exchange(renew, true)) return f.error;
            } catch (pg::failure const& f) {
                // Each of its units takes its stages the next time.
                if (f.error == base::errc::stale && !std::exchange(in_stages, true)) continue;
                if (is_of_locks(f.error)) note_lock();
                if (is_of_one_unit(f.error) && batch.size() > 1) throw;
                if (!may_pass(f.error) || attempt == batch_tries) return certain(f.error);
                pg::pause_before_retry(attempt + 1);
            } catch (base::fault::injected const& f) {
                return base::error(base::errc::unavailable, f.what());
            }
        }
    }

    static bool is_of_locks(base::error const& error) {
        return error == base::errc::conflict || error == base::errc::timeout;
    }

    // A single unit is to blame, and the others may commit without it.
    static bool is_of_one_unit(base::error const& error) {
        return error == base::errc::poison || error == base::errc::not_found || is_of_locks(error);
    }

    // At once: a unit that waited for a held lock has waited long enough.
    static bool may_pass(base::error const& error) {
        return error == base::errc::conflict && !met_held_lock(error);
    }

    // A statement that Postgres has cut off was rolled back; errc::timeout would leave that open.
    static base::error certain(base::error error) {
        if (error == base::errc::timeout) error.code = base::errc::unavailable;
        return error;
    }

    void note_lock() {
        locks_met_ = hurried() ? locks_met_ + 1 : 1;
        // Brief waits end, so that they prove themselves: an ordinary wait may be longer than they are.
        if (locks_met_ <= locks_until_brief)
            hurried_until_ = base::system_clock().steady() + hurried_for;
    }

    bool hurried() const { return base::system_clock().steady() < hurried_until_; }

    int lock_wait(bool alone) const {
        if (locks_met_ < locks_until_brief) return alone ? hurried_wait_alone : hurried_wait;
        return alone ? brief_wait_alone : brief_wait;
    }

    void once(tickets requests) {
        std::vector<unit*> units;
        units.reserve(requests.size());
        for (auto const& ticket : requests) units.push_back(ticket->work.get());
        batch work{units};
        auto& db = session_.get();
        if (options_.read_only && db.can_query_alone())
            run_each(db, work);
        else
            run_in_transaction(db, work, requests.size());
        counts_.commits.fetch_add(1, std::memory_order_relaxed);
        counts_.units.fetch_add(requests.size(), std::memory_order_relaxed);
        for (std::size_t n = 0; n < requests.size(); ++n)
            requests[n]->defective = work.defective(n);
    }

    // Postgres commits with each statement.
    void run_each(pg::connection& db, batch& work) {
        reach(options_.fault_before);
        work.run_each(db);
        reach_after();
    }

    void run_in_transaction(pg::connection& db, batch& work, std::size_t units) {
        try {
            db.begin();
            if (hurried()) db.query(hurry, {std::to_string(lock_wait(units == 1))});
            work.commit(db, [this] { reach(options_.fault_before); });
        } catch (...) {
            db.rollback();
            throw;
        }
        reach_after();
    }

    static void reach(std::string const& point) {
        if (!point.empty()) base::fault::point(point);
    }

    void reach_after() {
        try {
            reach(options_.fault_after);
        } catch (base::fault::injected const& f) {
            throw pg::failure({base::errc::ambiguous, f.what()});
        }
    }

    batcher_options const& options_;
    totals& counts_;
    pg::session session_;
    std::atomic<base::steady_time> begun_{base::steady_time{}}; // of no units: the epoch
    base::steady_time hurried_until_{};
    int locks_met_ = 0; // one soon after the other
};

class group_commit_batcher final : public batcher {
public:
    group_commit_batcher(
        base::asio::any_io_executor executor, database_options database, batcher_options options
    )
        : executor_(std::move(executor)),
          options_(std::move(options)) {
        if (!options_.name.empty()) database.application += "-" + options_.name;
        for (int i = 0; i < options_.connections; ++i)
            committers_.push_back(std::make_unique<committer>(database, options_, totals_));
        for (auto& each : committers_) threads_.emplace_back([this, &on = *each] { work_off(on); });
    }

    ~group_commit_batcher() override { close(); }

    base::awaitable<base::result<void>> commit(std::shared_ptr<unit> work, base::duration deadline)
        override {
        auto entry = std::make_shared<ticket>();
        entry->work = std::move(work);
        pg::waiter waiter{executor_, entry};
        if (!waiting_.put(entry)) co_return closed();
        withdrawal guard{waiting_, entry};
        if (!co_await waiter.wait(deadline))
            co_return base::error(
                base::errc::timeout,
                "no commit by " + options_.name + " within " + base::to_text(deadline)
            );
        if (options_.note_outcome) options_.note_outcome(entry->outcome);
        co_return entry->outcome;
    }

    batcher_counts counts() const override {
        auto const waiting = waiting_.counts();
        base::duration under_way{0};
        for (auto const& each : committers_) under_way = std::max(under_way, each->busy_for());
        return {
            totals_.commits,
            totals_.units,
            totals_.split,
            waiting.waiting,
            waiting.oldest,
            under_way};
    }

    void close() override {
        auto left = waiting_.close();
        settle(left, closed());
        if (!left.empty()) wake_up(std::move(left));
        for (auto& committer : committers_) committer->close();
        for (auto& thread : threads_) thread.join();
        threads_.clear();
    }

private:
    // Takes a unit out of the queue when its coroutine no longer waits for it.
    struct withdrawal {
        pg::mailbox<ticket>& from;
        std::shared_ptr<ticket> const& entry;
        ~withdrawal() { from.withdraw(entry); }
    };

    static base::error closed() { return {base::errc::unavailable, "the batcher is closed"}; }

    void work_off(committer& on) {
        on.connect();
        while (true) {
            auto batch = waiting_.take(options_.largest_batch);
            if (batch.empty()) return;
            on.run(batch);
            wake_up(std::move(batch));
        }
    }

    // One post for the whole batch: the loop's thread is the scarce one.
    void wake_up(std::vector<std::shared_ptr<ticket>> all) {
        base::asio::post(executor_, [all = std::move(all)] {
            for (auto const& ticket : all) ticket->wake_up();
        });
    }

    base::asio::any_io_executor executor_;
    batcher_options options_;
    totals totals_;
    pg::mailbox<ticket> waiting_;
    std::vector<std::unique_ptr<committer>> committers_;
    std::vector<std::thread> threads_;
};

} // namespace

std::unique_ptr<batcher> make_batcher(
    boost::asio::any_io_executor executor, database_options database, batcher_options options
) {
    return std::make_unique<group_commit_batcher>(
        std::move(executor), std::move(database), std::move(options)
    );
}

} // namespace postrider::storage
