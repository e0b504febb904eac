// Rounds that have more to read than one of them may.
#include "server/api/execution_looks.hpp"
#include "tests/integration/server/api/api_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::execution_rounds_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// Whose every query takes two seconds.
class slow_transaction final : public storage::transaction {
public:
    slow_transaction(storage::transaction& of, base::manual_clock& clock)
        : of_(of),
          clock_(clock) {}

    storage::rows query(
        storage::statement const& statement, std::vector<storage::param> const& params
    ) override {
        clock_.advance(2s);
        return of_.query(statement, params);
    }
    void script(std::string_view sql) override { of_.script(sql); }

private:
    storage::transaction& of_;
    base::manual_clock& clock_;
};

class slow_database final : public storage::database {
public:
    slow_database(storage::database& of, base::manual_clock& clock) : of_(of), clock_(clock) {}

    base::awaitable<base::result<void>> run(
        std::string_view name,
        std::function<void(storage::transaction&)> work,
        base::duration deadline
    ) override {
        std::function<void(storage::transaction&)> slow =
            [work = std::move(work), &clock = clock_](storage::transaction& tx) {
                slow_transaction through(tx, clock);
                work(through);
            };
        return of_.run(name, std::move(slow), deadline);
    }
    base::awaitable<base::result<storage::rows>> query(
        storage::statement statement, std::vector<storage::param> params, base::duration deadline
    ) override {
        return of_.query(statement, std::move(params), deadline);
    }
    storage::database_options const& options() const override { return of_.options(); }
    void close() override {}

private:
    storage::database& of_;
    base::manual_clock& clock_;
};

class execution_rounds : public testing::Test {
protected:
    execution_rounds() {
        database_.execute(scene);
        database_.execute(executions);
        for (int const job : {51, 52, 53}) {
            auto by = std::make_shared<api::execution_rounds::place>(
                std::make_shared<base::waker>(io_.executor())
            );
            looks_.rounds().join(by);
            places_.push_back(by);
            watched_.push_back(looks_.watch(job_id{job}));
        }
    }
    ~execution_rounds() override { connections_->close(); }

    // The jobs that a round for all of them read.
    std::vector<std::int64_t> read_in_a_round() {
        std::vector<std::shared_ptr<api::execution_reading const>> before;
        for (std::size_t at = 0; at < places_.size(); ++at) {
            before.push_back(watched_[at]->reading);
            auto const now = clock_.steady();
            looks_.rounds().expect(*places_[at], watched_[at]->job, now, now);
        }
        io_.run(looks_.rounds().wait(*places_.front()));
        std::vector<std::int64_t> read;
        for (std::size_t at = 0; at < places_.size(); ++at) {
            auto const found = places_[at]->take();
            EXPECT_TRUE(found && *found && (**found)->outcome);
            if (watched_[at]->reading != before[at]) read.push_back(base::raw(watched_[at]->job));
        }
        return read;
    }
    void change_all() { database_.execute("update postrider.job set run_no = run_no + 1"); }

    test_database database_;
    loop io_;
    base::manual_clock clock_;
    executions_scene scene_{io_.executor(), database_.options(), clock_};
    std::unique_ptr<storage::database> connections_ =
        storage::open_database(io_.executor(), database_.options());
    slow_database slow_{*connections_, clock_};
    api::execution_looks looks_{slow_, scene_.services()};
    std::vector<std::shared_ptr<api::execution_rounds::place>> places_;
    std::vector<std::shared_ptr<api::watched_execution>> watched_;
};

TEST_F(execution_rounds, that_are_cut_leave_nobody_out) {
    EXPECT_THAT(read_in_a_round(), ElementsAre(51, 52, 53)) << "a first look is whole";

    for (int const job : {51, 52, 53, 51}) {
        change_all();
        EXPECT_THAT(read_in_a_round(), ElementsAre(job)) << "the next one begins where it ended";
    }
}

TEST_F(execution_rounds, that_were_cut_are_made_up_for) {
    read_in_a_round();
    change_all();

    EXPECT_THAT(read_in_a_round(), ElementsAre(51));
    EXPECT_THAT(read_in_a_round(), ElementsAre(52));
    EXPECT_THAT(read_in_a_round(), ElementsAre(53));
    EXPECT_THAT(read_in_a_round(), ElementsAre()) << "nothing has changed";
}

} // namespace
} // namespace postrider::tests::execution_rounds_test
