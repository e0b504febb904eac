#include "storage/batch.hpp"
#include "storage/one_stage.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

namespace postrider::storage::batch_test {
namespace {

using testing::ElementsAre;

constexpr statement first{"first", "", 1};
constexpr statement second{"second", "", 2};
constexpr statement also_second{"other", "", 2};
constexpr statement ranged{"ranged", "", 3, rows_and_range};

// Answers every statement as the test says, and remembers what it was asked.
class fake_connection final : public pg::connection {
public:
    std::vector<std::string> asked;
    std::map<std::string_view, rows> answers;

    rows query(statement const& statement, std::vector<param> const& params) override {
        asked.push_back(std::string(statement.name) + " " + *params.at(0).text());
        return answers[statement.name];
    }
    std::vector<rows> query_all(std::span<pg::request const> requests, pg::commit_mode mode)
        override {
        std::vector<rows> found;
        for (auto const& request : requests) {
            found.push_back(query(*request.statement, {request.json}));
            if (request.statement->takes == rows_and_range)
                asked.back() += fmt::format(" {}-{}", request.least, request.greatest);
        }
        if (mode == pg::commit_mode::together) asked.push_back("together");
        return found;
    }
    void begin() override {}
    void commit() override { asked.push_back("commit"); }
    void rollback() noexcept override {}
    void script(std::string_view) override {}
    void renew_plans() override {}
    bool can_query_alone() const noexcept override { return true; }
    bool open() const noexcept override { return true; }
    bool quiet() const noexcept override { return true; }
    int server_version() const noexcept override { return 15; }
    void break_off() noexcept override {}
};

// Asks for the given stages, and remembers what came back.
class scripted final : public unit {
public:
    explicit scripted(std::vector<std::vector<write>> stages, bool lone = false)
        : stages_(std::move(stages)),
          lone_(lone) {}

    std::vector<write> stage(int number, std::vector<rows> const& found) override {
        returned.push_back(found);
        auto const n = static_cast<std::size_t>(number);
        return n < stages_.size() ? stages_[n] : std::vector<write>{};
    }
    bool is_last(int) const override { return lone_; }

    std::vector<std::vector<rows>> returned;

private:
    std::vector<std::vector<write>> stages_;
    bool lone_;
};

// Asks for the first statement in its only stage, and for the second one in its stage 0.
class fitting final : public one_stage_unit {
public:
    explicit fitting(bool fits = true) : fits_(fits) {}

    bool fits_one_stage() const override { return fits_; }
    std::vector<write> only_stage() override { return {{&first, ""}}; }
    std::vector<write> stage(int number, std::vector<rows> const& found) override {
        if (number == 0) return {{&second, ""}};
        returned = found;
        return {};
    }

    std::vector<rows> returned;

private:
    bool fits_;
};

batch batch_of(std::vector<unit*> const& units) {
    return batch(units);
}

row line(std::initializer_list<std::string> values) {
    return row({values.begin(), values.end()});
}

std::string numbered(std::string_view text, std::size_t number) {
    std::string array;
    append_numbered(array, text, number);
    return array;
}

TEST(batch, numbers_rows) {
    EXPECT_EQ(numbered("", 3), R"([{"i":3})");
    EXPECT_EQ(numbered("{}", 3), R"([{"i":3})");
    EXPECT_EQ(numbered(R"({"a":1})", 3), R"([{"a":1,"i":3})");
}

TEST(batch, refuses_rows_that_are_not_objects) {
    EXPECT_THROW(numbered("[1]", 0), database_error);
    EXPECT_THROW(numbered("1", 0), database_error);
}

TEST(batch, asks_each_statement_once_in_their_order) {
    scripted a({{{&second, R"({"a":1})"}, {&first, ""}}});
    scripted b({{{&second, R"({"b":2})"}, {&also_second, ""}}});
    fake_connection db;

    batch_of({&a, &b}).run_each(db);

    EXPECT_THAT(
        db.asked,
        ElementsAre(
            R"(first [{"i":0}])", R"(other [{"i":1}])", R"(second [{"a":1,"i":0},{"b":2,"i":1}])"
        )
    );
}

TEST(batch, passes_the_least_range_that_holds_all_that_its_rows_are_about) {
    scripted a({{{&ranged, "", job_range::only(job_id{7})}}});
    scripted b(
        {{{&ranged, "", job_range::only(job_id{3})}, {&ranged, "", job_range::only(job_id{5})}}}
    );
    fake_connection db;
    batch_of({&a, &b}).run_each(db);
    EXPECT_EQ(db.asked.back(), R"(ranged [{"i":0},{"i":1},{"i":1}] 3-7)");

    scripted open({{{&ranged, "", job_range::since(job_id{5})}}});
    batch_of({&a, &open}).run_each(db);
    EXPECT_EQ(db.asked.back(), R"(ranged [{"i":0},{"i":1}] 5-9223372036854775807)");

    scripted without({{{&ranged, ""}}});
    batch_of({&a, &without}).run_each(db);
    EXPECT_EQ(db.asked.back(), R"(ranged [{"i":0},{"i":1}] 0-9223372036854775807)");
}

TEST(batch, gives_each_unit_its_own_rows) {
    scripted a({{{&first, ""}}});
    scripted b({{{&second, ""}, {&first, ""}}});
    fake_connection db;
    db.answers["first"] = {line({"1", "for b"}), line({"0", "for a"})};

    batch_of({&a, &b}).run_each(db);

    ASSERT_EQ(a.returned.size(), 2u);
    ASSERT_EQ(a.returned[1].size(), 1u);
    EXPECT_EQ(a.returned[1][0].at(0).text(1), "for a");
    ASSERT_EQ(b.returned[1].size(), 2u);
    EXPECT_TRUE(b.returned[1][0].empty());
    EXPECT_EQ(b.returned[1][1].at(0).text(1), "for b");
}

TEST(batch, gives_all_rows_of_a_repeated_statement_to_its_first_write) {
    scripted a({{{&second, ""}, {&first, R"({"n":1})"}, {&first, R"({"n":2})"}}});
    fake_connection db;
    db.answers["first"] = {line({"0", "x"}), line({"0", "y"})};

    batch_of({&a}).run_each(db);

    EXPECT_EQ(a.returned[1][1].size(), 2u);
    EXPECT_TRUE(a.returned[1][2].empty());
}

TEST(batch, goes_on_with_the_units_that_ask_for_more) {
    scripted a({{{&first, ""}}});
    scripted b({{{&first, ""}}, {{&second, ""}}});
    fake_connection db;

    batch_of({&a, &b}).run_each(db);

    EXPECT_THAT(db.asked, ElementsAre(R"(first [{"i":0},{"i":1}])", R"(second [{"i":1}])"));
    EXPECT_EQ(a.returned.size(), 2u);
    EXPECT_EQ(b.returned.size(), 3u);
}

TEST(batch, refuses_a_row_for_a_unit_that_did_not_ask) {
    scripted a({{{&first, ""}}});
    fake_connection db;
    db.answers["first"] = {line({"1"})};
    auto work = batch_of({&a});

    EXPECT_THROW(work.commit(db, [] {}), database_error);
}

TEST(batch, commits_with_the_last_statements_where_all_units_promise_no_more) {
    scripted a({{{&first, ""}}}, true);
    scripted b({{{&second, ""}}}, true);
    fake_connection db;
    int told = 0;

    batch_of({&a, &b}).commit(db, [&] { told += db.asked.empty() ? 1 : 10; });

    EXPECT_THAT(db.asked, ElementsAre(R"(first [{"i":0}])", R"(second [{"i":1}])", "together"));
    EXPECT_EQ(told, 1) << "once, before the round trip";
    EXPECT_EQ(a.returned.size(), 2u);
}

TEST(batch, commits_by_itself_after_a_unit_that_might_have_gone_on) {
    scripted a({{{&first, ""}}}, true);
    scripted undecided({{{&first, ""}}}, false);
    fake_connection db;
    int told = 0;

    batch_of({&a, &undecided}).commit(db, [&] { told += static_cast<int>(db.asked.size()); });

    EXPECT_THAT(db.asked, ElementsAre(R"(first [{"i":0},{"i":1}])", "commit"));
    EXPECT_EQ(told, 1);
}

TEST(batch, of_units_that_fit_into_one_stage_is_one_round_trip) {
    fitting a;
    fitting b;
    fake_connection db;
    db.answers["first"] = {line({"1", "for b"})};

    batch_of({&a, &b}).commit(db, [] {});

    EXPECT_THAT(db.asked, ElementsAre(R"(first [{"i":0},{"i":1}])", "together"));
    ASSERT_EQ(b.returned.size(), 1u);
    EXPECT_EQ(b.returned[0].at(0).text(1), "for b");
    EXPECT_TRUE(a.returned.at(0).empty());
}

// What a unit of one stage locks must not be locked in a second pass by a neighbour's later stage.
TEST(batch, takes_the_stages_of_all_units_where_one_needs_them) {
    fitting a;
    fitting needs_stages{false};
    fake_connection db;
    batch_of({&a, &needs_stages}).commit(db, [] {});
    EXPECT_THAT(db.asked, ElementsAre(R"(second [{"i":0},{"i":1}])", "commit"));

    fake_connection other_db;
    scripted of_several_stages({{{&first, ""}}});
    batch_of({&a, &of_several_stages}).commit(other_db, [] {});
    EXPECT_THAT(other_db.asked, ElementsAre(R"(first [{"i":1}])", R"(second [{"i":0}])", "commit"));
}

// Nothing is undone after the commit, so nothing is thrown: the batcher would run it again.
TEST(batch, fails_a_unit_alone_that_breaks_its_promise) {
    scripted liar({{{&first, ""}}, {{&second, ""}}}, true);
    scripted other({{{&first, ""}}}, true);
    fake_connection db;
    auto work = batch_of({&liar, &other});

    work.commit(db, [] {});

    EXPECT_THAT(db.asked, ElementsAre(R"(first [{"i":0},{"i":1}])", "together"));
    EXPECT_TRUE(work.defective(0));
    EXPECT_FALSE(work.defective(1));
}

} // namespace
} // namespace postrider::storage::batch_test
