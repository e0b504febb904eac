#pragma once
// The engine in memory, for testing job functions: steps, commits, effects and the record that
// outlives a run, with the contract of queue/workflow.hpp but neither time nor database. A delay
// before a retry takes no time and never parks.
#include "queue/run/workflow_environment.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/post.hpp>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace postrider::tests {

// What a job's runs leave behind.
struct fake_record {
    std::map<std::string, queue::step_value> steps;
    std::map<std::string, queue::effect_intent> effects;
    std::vector<storage::write> writes;
    queue::usage paid; // by the recorded steps
};

class fake_workflow final : public queue::workflow_environment {
public:
    fake_workflow(queue::job job, fake_record& record) : job_(std::move(job)), record_(record) {}

    struct died {};
    int dies_at_commit = 0; // throws `died` in place of the n-th commit; the outcome's counts too
    // What is held stands all the same where the process dies: a commit of the job's release, or of
    // another branch, has taken it.
    bool held_stands = false;
    int stale_commits = 0; // so many commits that are made unless_edited are refused
    int cut_off_at = 0;    // the n-th try of a step finds no time left; 0 = each has enough
    std::function<void()> committed = {}; // called behind every commit
    std::vector<std::string> log;         // "step model", "commit", "effect reply", …, in order

    queue::job const& job() const override { return job_; }

    bool side_by_side = false; // branches take turns, step by step; else one follows the other

    base::awaitable<void> parallel(std::vector<queue::branch> branches) override {
        if (side_by_side) {
            co_await in_turns(std::move(branches));
            co_return;
        }
        for (auto& branch : branches) co_await branch();
    }

    base::awaitable<queue::step_value> try_step(
        std::string name, base::retry_policy policy, queue::step_function work
    ) override {
        co_return co_await attempts("step ", next_key(name), policy, std::move(work));
    }

    base::awaitable<queue::step_value> record_value(std::string name, queue::step_value value)
        override {
        auto const key = next_key(name);
        if (auto known = record_.steps.find(key); known != record_.steps.end())
            co_return known->second;
        log.push_back("value " + key);
        held_.insert_or_assign(key, value);
        co_return value;
    }

    base::awaitable<base::result<void>> commit(queue::commit_with more) override {
        if (more.unless_edited && stale_commits > 0) {
            --stale_commits;
            log.push_back("stale");
            held_.clear();
            held_writes_.clear();
            co_return base::error(base::errc::stale);
        }
        write(std::move(more));
        co_return base::result<void>{};
    }

    base::awaitable<void> commit_held() override {
        if (!held_.empty()) write({});
        co_return;
    }

    base::awaitable<queue::step_value> perform(
        std::string key, base::retry_policy policy, queue::step_function work
    ) override {
        auto const intent = record_.effects.find(key);
        if (intent == record_.effects.end()) throw std::logic_error("no intent for " + key);
        bool const begun_before = intent->second.at_once && !own_effects_.contains(key);
        auto const effect_class = intent->second.effect_class;
        bool const may_repeat = effect_class != queue::effect_class::at_most_once &&
                                effect_class != queue::effect_class::ask;
        if (begun_before && !may_repeat && !record_.steps.contains(key)) {
            queue::step_value const doubt = base::error(base::errc::ambiguous);
            held_.insert_or_assign(key, doubt);
            co_return doubt;
        }
        co_return co_await attempts("effect ", key, policy, std::move(work));
    }

    base::awaitable<void> sleep(std::string name, queue::sleep_time) override {
        log.push_back("sleep " + next_key(name));
        co_return;
    }

    // Events that are there when they are waited for; the others never come.
    std::map<std::string, boost::json::value> events;

    base::awaitable<queue::step_value> wait_for_event(std::string name, queue::awaited_event event)
        override {
        log.push_back("wait " + next_key(name));
        if (auto sent = events.find(event.type); sent != events.end()) co_return sent->second;
        co_return base::error(base::errc::timeout);
    }

    std::vector<std::string> admitted;                             // resources, in order
    std::map<std::string, base::error, std::less<>> closed;        // resources that let nobody pass
    std::map<std::string, std::chrono::milliseconds> longest_uses; // as they were asked for

    base::awaitable<base::result<void>> admit(
        std::string resource,
        std::optional<std::chrono::milliseconds>,
        std::optional<std::chrono::milliseconds> longest_use
    ) override {
        if (longest_use) longest_uses[resource] = *longest_use;
        if (resource.empty()) co_return base::result<void>{};
        if (auto shut = closed.find(resource); shut != closed.end()) co_return shut->second;
        admitted.push_back(std::move(resource));
        co_return base::result<void>{};
    }

    void on_rollback(std::string name, queue::step_function, base::retry_policy) override {
        log.push_back("undo " + name);
    }

    void spend(std::string const&, queue::usage const& used) override { paid_ += used; }

    bool recorded(std::string const& name) const override {
        auto seen = occurrences_.find(name);
        return record_.steps.contains(
            numbered(name, seen == occurrences_.end() ? 1 : seen->second + 1)
        );
    }

    bool planned(std::string const& key) const override { return record_.effects.contains(key); }

    void in_any_order(std::vector<std::string>) override {}
    void skip_unasked(std::string_view) override {}
    void give_up(std::string_view prefix) override {
        log.push_back("give up " + std::string(prefix));
    }
    void add(storage::write row) override { held_writes_.push_back(std::move(row)); }
    void start_over() override {
        log.push_back("start over");
        occurrences_.clear();
    }

    // The job's last commit.
    void finish(queue::outcome const& outcome) {
        queue::commit_with last;
        last.writes = outcome.writes;
        write(std::move(last));
    }

private:
    // What a branch throws is thrown once all have ended.
    base::awaitable<void> in_turns(std::vector<queue::branch> branches) {
        namespace asio = boost::asio;
        auto const executor = co_await asio::this_coro::executor;
        std::vector<decltype(asio::co_spawn(executor, queue::branch{}, asio::deferred))> running;
        for (auto& branch : branches)
            running.push_back(asio::co_spawn(executor, std::move(branch), asio::deferred));
        auto [order, thrown] =
            co_await asio::experimental::make_parallel_group(std::move(running))
                .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
        std::exception_ptr failure;
        for (auto const& each : thrown) {
            try {
                if (each) std::rethrow_exception(each);
            } catch (queue::suspended const&) {
                continue;
            } catch (...) {
                if (!failure) failure = each;
            }
        }
        if (failure) std::rethrow_exception(failure);
    }

    static std::string numbered(std::string const& name, int n) {
        return n == 1 ? name : name + "#" + std::to_string(n);
    }

    std::string next_key(std::string const& name) { return numbered(name, ++occurrences_[name]); }

    void write(queue::commit_with more) {
        bool const dies = ++commits_ == dies_at_commit;
        if (dies && !held_stands) throw died{};
        if (!dies) log.push_back("commit");
        for (auto& [key, value] : held_) record_.steps.insert_or_assign(key, std::move(value));
        held_.clear();
        auto& rows = record_.writes;
        rows.insert(rows.end(), held_writes_.begin(), held_writes_.end());
        held_writes_.clear();
        record_.paid += std::exchange(paid_, {});
        if (dies) {
            if (committed) committed();
            throw died{};
        }
        for (auto& intent : more.effects) {
            record_.effects[intent.key] = intent;
            own_effects_.insert(intent.key);
        }
        rows.insert(rows.end(), more.writes.begin(), more.writes.end());
        if (committed) committed();
    }

    base::awaitable<queue::step_value> attempts(
        std::string prefix, std::string key, base::retry_policy policy, queue::step_function work
    ) {
        if (auto known = record_.steps.find(key); known != record_.steps.end())
            co_return known->second;
        for (int attempt = 1;; ++attempt) {
            log.push_back(prefix + key);
            if (side_by_side)
                co_await boost::asio::post(
                    co_await boost::asio::this_coro::executor, boost::asio::use_awaitable
                );
            queue::step_value value =
                base::error(base::errc::timeout, "took longer than 1ms", base::cut_off);
            if (attempt != cut_off_at) value = co_await work();
            if (!value && base::retryable(value.error().code) && attempt <= policy.limit) continue;
            held_.insert_or_assign(key, value);
            co_return value;
        }
    }

    queue::job job_;
    fake_record& record_;
    std::map<std::string, int> occurrences_;
    std::map<std::string, queue::step_value> held_;
    std::set<std::string> own_effects_; // planned by this run
    std::vector<storage::write> held_writes_;
    queue::usage paid_;
    int commits_ = 0;
};

} // namespace postrider::tests
