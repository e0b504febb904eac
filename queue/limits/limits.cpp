#include "queue/limits/limits.hpp"

#include "base/log.hpp"
#include "base/outage.hpp"
#include "queue/limits/bucket_asks.hpp"
#include "queue/limits/gate_report.hpp"
#include "queue/store/statements.hpp"
#include "storage/query.hpp"
#include "storage/reachability.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
namespace json = boost::json;

constexpr auto limits_deadline = 5s;
constexpr auto last_words = 2s;
constexpr auto while_database_is_away = 1s;
constexpr auto locks_are_gone_after = 5s;
// A job that waits for the end of a trial looks again after this; a success wakes it sooner.
constexpr auto longest_look = 15s;
// The same where a breaker stays open until somebody says that the resource works.
constexpr auto until_it_works = 10min;
// Jobs of one transaction, once a breaker closes.
constexpr int woken_at_once = 200;

enum class breaker { closed, open, half_open };

struct gate {
    double rate = 0; // 0 = unlimited
    double burst = 1;
    queue::breaker state = breaker::closed;
    std::optional<base::steady_time> until; // of open and half_open; none = until it works
    int failures = 0;
    std::string reason;
    std::uint64_t openings = 0;
    std::optional<job_id> tried_by; // the trial is a use of this process

    int tokens = 0; // in hand
    base::steady_time tokens_until;
};

class node_limiter final : public limiter {
public:
    node_limiter(
        boost::asio::any_io_executor executor,
        storage::batcher& quick,
        base::clock& clock,
        limiter_options options
    )
        : quick_(quick),
          clock_(clock),
          options_(options),
          asks_(executor, quick, clock),
          tasks_(executor),
          written_(std::move(executor)) {}

    base::awaitable<base::result<void>> start(std::vector<rate_limit> rates) override {
        for (auto const& rate : rates) {
            json::object row{{"name", rate.resource}, {"rate", nullptr}, {"burst", nullptr}};
            if (rate.per_second > 0) {
                row["rate"] = rate.per_second;
                row["burst"] = std::max(1.0, rate.burst);
            }
            auto defined =
                co_await query_apart(quick_, sql::define_bucket, std::move(row), limits_deadline);
            if (!defined) co_return defined.error();
        }
        json::object const all;
        auto read = co_await query_apart(quick_, sql::read_gates, all, limits_deadline);
        if (!read) co_return read.error();
        note_all(*read);
        co_return base::result<void>{};
    }

    void follow(poll& reads) override {
        reads.add(sql::read_gates, {}, [this](storage::rows const& gates) { note_all(gates); });
    }

    base::awaitable<void> stop() override {
        auto const until = clock_.steady() + last_words;
        while (busy_ && clock_.steady() < until)
            co_await written_.wait_for(until - clock_.steady());
        tasks_.cancel();
        co_await tasks_.join();
    }

    bool open(std::string_view resource) const override {
        auto gate = gates_.find(resource);
        return gate == gates_.end() || !shut(gate->second);
    }

    base::awaitable<admission> take(
        std::string resource, bool token, std::optional<milliseconds> patience, gate_use use
    ) override {
        auto entry = gates_.find(resource);
        if (entry == gates_.end()) co_return admission{};
        auto& gate = entry->second; // gates are never removed
        if (gate.state != breaker::closed) {
            auto barred = co_await ask_breaker(resource, gate, use);
            if (!barred.go()) co_return barred;
        }
        if (!token || gate.rate <= 0) co_return admission{};
        if (take_in_hand(gate)) co_return admission{};
        co_return co_await ask_bucket(resource, gate, patience);
    }

    void report(std::string_view resource, base::result<void> const& outcome) override {
        if (outcome || (!outcome.error().retry_after && !base::retryable(outcome.error().code))) {
            auto gate = gates_.find(resource);
            bool const well = gate == gates_.end() ||
                              (gate->second.state == breaker::closed && gate->second.failures == 0);
            if (!well || reports_.contains(resource)) tell(resource, {"ok", 0, {}, {}});
            return;
        }
        auto const& failure = outcome.error();
        std::string const reason(base::to_string(failure.code));
        if (!failure.retry_after) return tell(resource, {"failure", 1, {}, reason});
        close(resource, clock_.steady() + *failure.retry_after, reason);
        tell(resource, {"closed_for", 1, failure.retry_after, reason});
    }

    void accepted(std::string_view resource, job_id job) override {
        if (tries(resource, job)) tell(resource, {"accepted", 0, {}, {}});
    }

    void give_up(std::string_view resource, job_id job) override {
        if (!tries(resource, job)) return;
        gates_.find(resource)->second.tried_by.reset();
        tell(resource, {"given_up", 0, {}, {}});
    }

    void stop_using(std::string_view resource, std::string reason) override {
        close(resource, std::nullopt, reason);
        tell(resource, {"stopped", 1, {}, std::move(reason)});
    }

    void works(std::string_view resource) override {
        auto gate = gates_.find(resource);
        if (gate == gates_.end()) return;
        if (gate->second.state == breaker::closed && !reports_.contains(resource)) return;
        set_state(resource, gate->second, breaker::closed);
        tell(resource, {"works", 0, {}, {}});
    }

    base::awaitable<base::result<std::optional<waiting_place>>> find_place(
        job_id job, std::string_view resource
    ) override {
        return queue::find_place(quick_, job, resource, limits_deadline);
    }

    std::vector<gate_status> gates() const override {
        std::vector<gate_status> all;
        for (auto const& [name, gate] : gates_) all.push_back({name, !shut(gate), gate.openings});
        return all;
    }

private:
    bool shut(gate const& gate) const {
        return gate.state != breaker::closed && (!gate.until || clock_.steady() < *gate.until);
    }

    bool tries(std::string_view resource, job_id job) const {
        auto gate = gates_.find(resource);
        return gate != gates_.end() && gate->second.tried_by == job;
    }

    void close(
        std::string_view resource, std::optional<base::steady_time> until, std::string const& reason
    ) {
        auto& gate = gates_[std::string(resource)];
        if (gate.state == breaker::open && !gate.until) return; // stopped: no time ends that
        if (gate.state == breaker::open && until) until = std::max(*until, *gate.until);
        gate.until = until;
        gate.reason = reason;
        set_state(resource, gate, breaker::open);
    }

    admission barred(std::string const& resource, gate const& gate) const {
        if (!gate.until)
            return {until_it_works, "breaker " + resource + " is open: " + gate.reason};
        auto const left = std::chrono::ceil<milliseconds>(*gate.until - clock_.steady());
        if (gate.state == breaker::half_open)
            return {
                std::min<milliseconds>(left, longest_look), "breaker " + resource + " is tried"};
        auto const end = std::chrono::ceil<std::chrono::seconds>(clock_.now() + left);
        auto reason = "breaker " + resource + " is open until " + base::to_iso8601(end);
        return {.wait = left, .reason = std::move(reason), .until = end};
    }

    // Go, when the breaker is closed after all or this use is the one that tries.
    base::awaitable<admission> ask_breaker(
        std::string const& resource, gate& gate, gate_use const& use
    ) {
        // Reports of other nodes are not known here yet, nor those of this node in the table.
        if (shut(gate) && (resource == writing_ || reports_.contains(resource)))
            co_return barred(resource, gate);
        json::object row{{"name", resource}, {"lasts_ms", use.longest.count()}};
        if (use.job != job_id{}) row["job"] = base::raw(use.job);
        std::function<bool()> const never = [] { return false; };
        auto asked = co_await asks_.ask(resource, sql::probe_bucket, std::move(row), never);
        if (!asked) co_return unanswered(resource, asked.error());
        auto const left = asked->front().optional_int64(2);
        if (left == 0) {
            gate.state = breaker::half_open; // for the others here, until the table is read again
            gate.until = clock_.steady() + longest_look;
            gate.tried_by = use.job;
            co_return admission{};
        }
        gate.until.reset();
        if (left) gate.until = clock_.steady() + milliseconds{*left};
        co_return barred(resource, gate);
    }

    bool take_in_hand(gate& gate) const {
        if (gate.tokens == 0 || clock_.steady() >= gate.tokens_until) return false;
        --gate.tokens;
        return true;
    }

    base::awaitable<admission> ask_bucket(
        std::string const& resource, gate& gate, std::optional<milliseconds> patience
    ) {
        auto const seconds = std::chrono::duration<double>(options_.slice).count();
        auto const most = std::clamp(gate.rate * seconds / 2, 1.0, std::max(1.0, gate.burst / 2));
        json::object row{{"name", resource}, {"most", std::llround(std::floor(most))}};
        if (patience) row["at_most"] = patience->count();
        // The caller before may have brought enough for this one.
        std::function<bool()> const has_token = [&] { return take_in_hand(gate); };
        auto answer = co_await asks_.ask(resource, sql::take_tokens, std::move(row), has_token);
        if (!answer) co_return unanswered(resource, answer.error());
        if (answer->empty()) co_return admission{};
        auto const count = static_cast<int>(answer->front().int64(2));
        if (count > 0) {
            // The rest of an older slice is given up.
            gate.tokens = count - 1;
            gate.tokens_until = clock_.steady() + options_.slice;
            co_return admission{};
        }
        milliseconds const wait{answer->front().int64(3)};
        co_return admission{wait, "bucket " + resource + " is empty", true};
    }

    static admission unanswered(std::string const& resource, base::error const& error) {
        if (error == base::errc::conflict)
            return {while_database_is_away, "bucket " + resource + " is locked"};
        return {while_database_is_away, "the database does not answer"};
    }

    void tell(std::string_view resource, gate_report fresh) {
        auto pending = reports_.find(resource);
        if (pending == reports_.end())
            reports_.emplace(resource, std::move(fresh));
        else
            merge(pending->second, std::move(fresh));
        if (std::exchange(busy_, true)) return;
        tasks_.spawn("limits.report", write_reports());
    }

    base::awaitable<void> write_reports() {
        std::string last; // the others come before one that is locked
        while (!reports_.empty()) {
            auto next = reports_.upper_bound(last);
            auto report_entry = reports_.extract(next == reports_.end() ? reports_.begin() : next);
            writing_ = last = report_entry.key();
            auto row = row_for(writing_, report_entry.mapped());
            auto written =
                co_await query_apart(quick_, sql::report_bucket, std::move(row), limits_deadline);
            if (written && written->empty())
                written = base::error(base::errc::conflict, "it is locked");
            if (written) {
                if (auto const lasted = outage_.over(clock_.steady()))
                    base::log::info("limits.written", {{"after", *lasted}});
                auto const name = std::exchange(writing_, {});
                if (!reports_.contains(name)) note(written->front());
                continue;
            }
            if (outage_.failed(clock_.steady(), storage::tolerated(written.error())))
                base::log::warn(
                    "limits.not_written", {{"resource", writing_}, {"error", written.error()}}
                );
            if (auto newer = reports_.find(writing_); newer != reports_.end())
                merge(report_entry.mapped(), std::exchange(newer->second, {}));
            reports_[std::exchange(writing_, {})] = std::move(report_entry.mapped());
            co_await base::sleep_for(while_database_is_away);
        }
        busy_ = false;
        written_.notify();
    }

    void note_all(storage::rows const& gates) {
        for (auto const& row : gates) note(row);
    }

    // A row of read_gates or report_bucket. A report that this node has not written yet counts
    // more.
    void note(storage::row const& row) {
        if (row.null(1)) return;
        auto const& name = row.text(1);
        if (name == writing_ || reports_.contains(name)) return;
        auto& gate = gates_[name];
        gate.rate = row.null(2) ? 0 : std::stod(row.text(2));
        gate.burst = row.null(3) ? 1 : std::stod(row.text(3));
        auto const& state = row.text(4);
        gate.until.reset();
        if (auto left = row.optional_int64(5)) gate.until = clock_.steady() + milliseconds{*left};
        gate.failures = static_cast<int>(row.int64(6));
        gate.reason = row.optional_text(7).value_or("");
        bool const was_closed = gate.state == breaker::closed;
        set_state(
            name,
            gate,
            state == "open"        ? breaker::open
            : state == "half_open" ? breaker::half_open
                                   : breaker::closed
        );
        if (!was_closed && gate.state == breaker::closed)
            tasks_.spawn("limits.wake", wake_rest(name));
    }

    // Those that the report that closed the breaker has left: jobs beyond the first, and those that
    // a node parked while another one had closed it already. A lane that was locked is looked for
    // again.
    base::awaitable<void> wake_rest(std::string resource) {
        for (int looks = 0; looks < 2; ++looks) {
            json::object page{{"name", resource}, {"most", woken_at_once}};
            for (int woken = woken_at_once;; woken += woken_at_once) {
                auto done = co_await query_apart(quick_, sql::wake_bucket, page, limits_deadline);
                if (!done || done->empty() || done->front().null(1)) break;
                auto const& row = done->front();
                page["after"] = row.text(1);
                page["after_job"] = row.int64(2);
                page["at_first"] = row.int64(3);
                page["seen"] = woken;
            }
            co_await base::sleep_for(locks_are_gone_after);
        }
    }

    static void set_state(std::string_view resource, gate& gate, breaker state) {
        auto const former = std::exchange(gate.state, state);
        if (state == breaker::closed) gate.tried_by.reset();
        if (former == breaker::closed && state == breaker::open) ++gate.openings;
        if (former != breaker::open && state == breaker::open) {
            base::log::warn(
                "limits.breaker_open", {{"resource", resource}, {"reason", gate.reason}}
            );
        }
        if (former != breaker::closed && state == breaker::closed)
            base::log::info("limits.breaker_closed", {{"resource", resource}});
    }

    storage::batcher& quick_;
    base::clock& clock_;
    limiter_options options_;
    bucket_asks asks_;
    std::map<std::string, gate, std::less<>> gates_;
    std::map<std::string, gate_report, std::less<>> reports_; // not written yet
    std::string writing_;                                     // of whom a report is being written
    base::outage outage_;
    bool busy_ = false;
    base::task_group tasks_;
    base::signal written_;
};

} // namespace

std::unique_ptr<limiter> make_limiter(
    boost::asio::any_io_executor executor,
    storage::batcher& quick,
    base::clock& clock,
    limiter_options options
) {
    return std::make_unique<node_limiter>(std::move(executor), quick, clock, options);
}

} // namespace postrider::queue
