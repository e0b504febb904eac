#pragma once
// A database with a table to write into, a loop, and units that do what a test says.
#include "storage/batcher.hpp"
#include "tests/support/busy_unit.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

namespace postrider::tests {

using namespace std::chrono_literals;

// One row of public.note; returns (i, id).
inline constexpr storage::statement insert_note{
    "test.insert_note",
    "insert into public.note (i, text) "
    "select r.i, r.text from json_to_recordset($1::json) as r(i int, text text) returning i, id",
    1};

// Asks for the given stages and keeps what each returned.
class scripted_unit : public storage::unit {
public:
    explicit scripted_unit(std::vector<std::vector<storage::write>> stages, bool lone = false)
        : stages_(std::move(stages)),
          lone_(lone) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& found)
        override {
        returned.resize(static_cast<std::size_t>(number));
        if (number > 0) returned.back() = found;
        if (number == 0) ++started;
        auto const n = static_cast<std::size_t>(number);
        return n < stages_.size() ? stages_[n] : std::vector<storage::write>{};
    }
    bool is_last(int) const override { return lone_; }

    std::vector<std::vector<storage::rows>> returned; // by stage
    int started = 0;

private:
    std::vector<std::vector<storage::write>> stages_;
    bool lone_;
};

inline std::string note_row(std::string_view text) {
    return R"({"text":")" + std::string(text) + R"("})";
}

inline std::shared_ptr<scripted_unit> note(std::string_view text, bool lone = false) {
    return std::make_shared<scripted_unit>(
        std::vector<std::vector<storage::write>>{{{&insert_note, note_row(text)}}}, lone
    );
}

class batcher_world : public testing::Test {
protected:
    batcher_world() {
        where.execute(
            "create table public.note (id bigint generated always as identity primary key, "
            "i int, text text check (text <> 'poison'))"
        );
        options.name = "test";
    }

    storage::batcher& batcher() {
        if (!batcher_) {
            auto database = where.options();
            if (!url.empty()) database.url = url;
            batcher_ = storage::make_batcher(loop.executor(), database, options);
        }
        return *batcher_;
    }

    using outcome = base::result<void>;

    outcome commit(std::shared_ptr<storage::unit> unit, base::duration limit = 5s) {
        return loop.run(batcher().commit(std::move(unit), limit));
    }

    // All at once, behind a unit that keeps the connection busy, so that they wait together.
    std::vector<outcome> commit_together(std::vector<std::shared_ptr<storage::unit>> const& units) {
        std::vector<outcome> outcomes(units.size(), base::error(base::errc::internal, "not ended"));
        base::task_group tasks{loop.executor()};
        auto const busy = keep_busy(tasks);
        for (std::size_t n = 0; n < units.size(); ++n)
            tasks.spawn("commit", commit_into(batcher(), units[n], &outcomes[n]));
        until([&] { return batcher().counts().waiting == units.size(); });
        busy->open();
        loop.run(tasks.join(), 20s);
        return outcomes;
    }

    // Returns once the connection is busy.
    std::shared_ptr<busy_unit> keep_busy(base::task_group& tasks) {
        auto busy = std::make_shared<busy_unit>();
        tasks.spawn("busy", commit_into(batcher(), busy, nullptr));
        until([&] { return busy->begun.load(); });
        return busy;
    }

    void until(std::function<bool()> condition) { loop.run(poll(std::move(condition)), 10s); }

    static base::awaitable<void> commit_into(
        storage::batcher& on, std::shared_ptr<storage::unit> unit, outcome* result
    ) {
        auto committed = co_await on.commit(std::move(unit), 10s);
        if (result) *result = std::move(committed);
    }

    std::string notes() const { return where.value("select count(*) from public.note"); }

    test_database where{test_database::content::empty};
    tests::loop loop;
    storage::batcher_options options;
    std::string url;

private:
    static base::awaitable<void> poll(std::function<bool()> condition) {
        while (!condition()) co_await base::sleep_for(1ms);
    }

    std::unique_ptr<storage::batcher> batcher_;
};

} // namespace postrider::tests
