#pragma once
// One look at the database for all who watch on this node. A watcher waits at its place with a query:
// what it wants to know next. A round reads each distinct query once, all of them together, and gives
// what was found to every place that has the query. A thousand watchers of one thing therefore cost
// the database what one costs, and the reader decides how many statements a round takes.
//
// A place takes part while it waits, so a watcher that is slow to write holds nobody up and is owed
// one finding at most. A round that failed is repeated, after 1 s, 2 s, 4 s and then each 5 s, while
// its watchers wait on; a query that the database refuses fails alone. There is no task of its own: the
// watcher whose time has come reads for all, and when it is cancelled or at its limit, the one that
// can read for longest is woken to go on, so that watchers with little time left seldom cut off round after
// round.
// On the loop's thread; outlives whoever waits in it.
#include "base/waker.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace postrider::server {

// A look that failed so may find more the next time.
inline bool may_pass(base::error const& failure) noexcept {
    return base::retryable(failure.code) || failure == base::errc::conflict ||
           failure == base::errc::ambiguous;
}
// Before the next round, after so many that failed.
base::duration pause_after_failures(int failures) noexcept;

// A query is a value that can be ordered.
template<class Query, class Found>
class shared_looks {
public:
    using answer = base::result<std::shared_ptr<Found const>>;
    // What was found of each query, in their order.
    using reader =
        std::function<base::awaitable<base::result<std::vector<Found>>>(std::vector<Query>)>;

    // Where one watcher waits.
    class place {
    public:
        // Woken when there is an answer, and by whoever else has news for the watcher.
        explicit place(std::shared_ptr<base::waker> wakes) : wakes_(std::move(wakes)) {}

        // What was found, once. A failure that may pass is only told of a first look.
        std::optional<answer> take() { return std::exchange(answer_, std::nullopt); }
        // A round that has this place's query has begun.
        bool is_read() const noexcept { return is_read_; }

    private:
        friend shared_looks;
        bool waits() const noexcept { return query_ && !is_read_; }

        std::shared_ptr<base::waker> wakes_;
        std::optional<Query> query_;
        base::steady_time earliest_;
        base::steady_time latest_;
        base::steady_time limit_ = base::steady_time::max();
        bool is_first_ = false;
        bool is_read_ = false;
        std::optional<answer> answer_;
    };

    struct counts {
        std::uint64_t rounds = 0;
        std::uint64_t queries = 0; // distinct ones, of all rounds
        std::uint64_t answers = 0;
    };

    shared_looks(base::clock const& clock, reader read) : clock_(clock), read_(std::move(read)) {}

    // Takes part until the place is destroyed.
    void join(std::shared_ptr<place> const& watcher) {
        std::erase_if(places_, [](auto const& entry) { return entry.expired(); });
        places_.push_back(watcher);
    }

    // It takes part in a round from the earliest time on, and one begins at the latest time. While a
    // round reads its query, and until what it found is taken, that query stands.
    void expect(place& watcher, Query query, base::steady_time earliest, base::steady_time latest) {
        if (watcher.is_read_ || watcher.answer_) return;
        watcher.query_ = std::move(query);
        watcher.earliest_ = watcher.is_first_ ? earliest : std::max(earliest, retry_at_);
        watcher.latest_ = watcher.is_first_ ? latest : std::max(latest, retry_at_);
    }

    // Returns when there is an answer, when the waker was woken, or at the limit. Reads, where the
    // place's time has come and nobody else does.
    base::awaitable<void> wait(place& watcher, base::duration limit = base::duration::max()) {
        if (watcher.answer_) co_return;
        auto const now = clock_.steady();
        auto const longest = base::steady_time::max() - now;
        watcher.limit_ = now + std::min<base::steady_time::duration>(limit, longest);
        auto const left = watcher.latest_ - now;
        if (left > base::duration::zero()) {
            co_await watcher.wakes_->wait_for(std::min<base::duration>(left, limit));
        } else if (is_reading_) {
            co_await watcher.wakes_->wait_for(std::min<base::duration>(others_read, limit));
        } else if (limit == base::duration::max()) {
            co_await read_round(watcher);
        } else {
            co_await base::with_timeout(read_round(watcher), limit);
        }
    }

    // Its first look, which is read at once.
    base::awaitable<answer> look(place& watcher, Query query) {
        auto const now = clock_.steady();
        watcher.is_first_ = true;
        expect(watcher, std::move(query), now, now);
        while (!watcher.answer_) co_await wait(watcher);
        watcher.is_first_ = false;
        auto taken = watcher.take();
        co_return std::move(*taken);
    }

    counts const& counted() const noexcept { return counts_; }

private:
    // Then a place whose time has come looks whether others still read.
    static constexpr base::duration others_read = std::chrono::milliseconds{250};

    struct round {
        std::vector<Query> queries;
        std::vector<std::vector<std::shared_ptr<place>>> places; // by query
    };

    // Whatever ends a round, the next one can begin.
    struct reading {
        reading(shared_looks& of, place const& watcher) : looks(of), leader(watcher) {
            looks.is_reading_ = true;
        }
        reading(reading const&) = delete;
        reading& operator=(reading const&) = delete;
        ~reading() { looks.end_round(*this); }

        shared_looks& looks;
        place const& leader;
        round members;
    };

    void gather(round& next_round) {
        auto const now = clock_.steady();
        std::map<Query, std::size_t> place_of_query;
        for (auto const& entry : places_) {
            auto by = entry.lock();
            if (!by || !by->waits() || by->earliest_ > now) continue;
            auto const [of_query, is_new] =
                place_of_query.try_emplace(*by->query_, next_round.queries.size());
            if (is_new) {
                next_round.queries.push_back(*by->query_);
                next_round.places.emplace_back();
            }
            by->is_read_ = true;
            next_round.places[of_query->second].push_back(std::move(by));
        }
    }

    void end_round(reading& ended) {
        is_reading_ = false;
        for (auto const& places : ended.members.places)
            for (auto const& by : places) by->is_read_ = false;
        auto const now = clock_.steady();
        std::shared_ptr<place> next;
        for (auto const& entry : places_) {
            auto by = entry.lock();
            if (!by || by.get() == &ended.leader || !by->waits() || by->latest_ > now) continue;
            if (!next || by->limit_ > next->limit_) next = std::move(by);
        }
        if (next) next->wakes_->wake();
    }

    void give(std::vector<std::shared_ptr<place>> const& places, answer const& result) {
        for (auto const& by : places) {
            by->query_.reset();
            by->is_read_ = false;
            by->answer_ = result;
            by->wakes_->wake();
            ++counts_.answers;
        }
    }

    // Whoever is told of it goes; the others wait on.
    void fail(std::vector<std::shared_ptr<place>> const& places, base::error const& failure) {
        for (auto const& by : places) {
            if (by->is_first_ || !may_pass(failure)) {
                give({by}, failure);
            } else {
                by->earliest_ = by->latest_ = retry_at_;
            }
        }
    }

    base::awaitable<base::result<void>> read_round(place const& leader) {
        reading now(*this, leader);
        auto const& queries = now.members.queries;
        auto const& places = now.members.places;
        gather(now.members);
        if (queries.empty()) co_return base::result<void>{};
        auto const shared = co_await read(queries);
        if (shared || queries.size() == 1 || may_pass(shared.error())) {
            note(shared);
            for (std::size_t at = 0; at < queries.size(); ++at)
                if (shared)
                    give(places[at], (*shared)[at]);
                else
                    fail(places[at], shared.error());
            co_return base::result<void>{};
        }
        for (std::size_t at = 0; at < queries.size(); ++at) {
            std::vector<Query> const alone{queries[at]};
            auto const result = co_await read(alone);
            note(result);
            if (result)
                give(places[at], result->front());
            else
                fail(places[at], result.error());
        }
        co_return base::result<void>{};
    }

    using findings = std::vector<std::shared_ptr<Found const>>;

    base::awaitable<base::result<findings>> read(std::vector<Query> queries) {
        ++counts_.rounds;
        counts_.queries += queries.size();
        auto read = co_await read_(std::move(queries));
        if (!read) co_return read.error();
        findings results;
        for (auto& each : *read) results.push_back(std::make_shared<Found const>(std::move(each)));
        co_return results;
    }

    void note(base::result<findings> const& outcome) {
        failures_ = outcome || !may_pass(outcome.error()) ? 0 : failures_ + 1;
        retry_at_ = {};
        if (failures_ > 0) retry_at_ = clock_.steady() + pause_after_failures(failures_);
    }

    base::clock const& clock_;
    reader read_;
    std::vector<std::weak_ptr<place>> places_;
    bool is_reading_ = false;
    int failures_ = 0; // in a row
    base::steady_time retry_at_;
    counts counts_;
};

} // namespace postrider::server
