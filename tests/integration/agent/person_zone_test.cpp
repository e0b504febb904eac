// The time zone that a person has told, and the tools that go by it.
#include "agent/tools/tool.hpp"
#include "storage/query.hpp"
#include "storage/stores/persons.hpp"
#include "tests/integration/queue/world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::person_zone_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using namespace std::chrono_literals;
namespace json = boost::json;

class person_zone : public engine_fixture {
protected:
    person_zone() {
        node_ = &w.start_node({});
        job_.lane = w.make_lane("1:7:0");
    }

    // Runs a call once and commits its rows, as its step does.
    base::result<std::string> run(std::string_view name, json::object arguments = {}) {
        json::object const settings;
        agent::tool_context context(
            {.requester = requester,
             .job = job_,
             .clock = clock_,
             .settings = settings,
             .key = std::to_string(++calls_) + "23456789abcdef0123456789",
             .web = nullptr,
             .reads = node_->quick.get()}
        );
        auto output = w.io.run(agent::find_tool(name)->run(context, std::move(arguments)));
        if (!output) return output.error();
        auto rows = context.take_rows();
        if (!rows.empty()) w.io.run(storage::query(*node_->intake, std::move(rows), 5s)).value();
        if (!output->text.empty()) return output->text;
        return json::serialize(output->value);
    }
    std::string said(std::string_view name, json::object arguments = {}) {
        auto const output = run(name, std::move(arguments));
        return output ? *output : "error: " + output.error().detail;
    }

    agent::requester requester{.bot = bot_id{1}, .chat = chat_id{7}, .user = user_id{5}};

private:
    node* node_ = nullptr;
    base::manual_clock clock_{base::sys_time{std::chrono::sys_days{2035y / 7 / 1} + 12h}};
    queue::job job_;
    int calls_ = 0;
};

// covers: X.03
TEST_F(person_zone, is_set_by_talking_and_reminders_go_by_it) {
    EXPECT_THAT(
        said("set_timezone", {{"timezone", "Berlin"}}),
        AllOf(HasSubstr("Europe/Berlin"), HasSubstr("2035-07-01T14:00:00+02:00"))
    );

    EXPECT_THAT(
        said("remind", {{"text", "call Ann"}, {"when", "tomorrow at 9"}}),
        HasSubstr("2035-07-02T09:00:00+02:00 (Europe/Berlin)")
    );
    EXPECT_THAT(
        said("schedule", {{"text", "stand up"}, {"when", "every weekday at 9"}}),
        HasSubstr("Europe/Berlin")
    );
    EXPECT_THAT(said("list_reminders"), HasSubstr("2035-07-02T09:00:00+02:00"));
    EXPECT_EQ(
        said("current_time"), "2035-07-01T14:00:00+02:00 (Europe/Berlin), 2035-07-01T12:00:00Z"
    );
}

TEST_F(person_zone, is_that_of_the_call_where_it_names_one_and_of_the_list_where_it_changed) {
    said("set_timezone", {{"timezone", "Berlin"}});
    EXPECT_THAT(
        said("remind", {{"text", "x"}, {"when", "tomorrow at 9"}, {"timezone", "Tokyo"}}),
        HasSubstr("Asia/Tokyo")
    );
    EXPECT_THAT(
        said("current_time", {{"timezone", "Tokyo"}}), StartsWith("2035-07-01T21:00:00+09:00")
    );

    said("set_timezone", {{"timezone", "UTC+1"}});
    EXPECT_THAT(said("list_reminders"), HasSubstr("2035-07-02T01:00:00+01:00"));
    EXPECT_EQ(w.value("select timezone from postrider.person"), "Etc/GMT-1");
}

TEST_F(person_zone, of_somebody_who_told_none_is_that_of_the_bot_or_utc) {
    said("set_timezone", {{"timezone", "Berlin"}});
    requester.user = user_id{6};
    EXPECT_EQ(said("current_time"), "2035-07-01T12:00:00Z");
    EXPECT_THAT(said("remind", {{"text", "x"}, {"when", "tomorrow at 9"}}), HasSubstr("(UTC)"));

    requester.timezone = "Asia/Tokyo";
    EXPECT_THAT(said("current_time"), StartsWith("2035-07-01T21:00:00+09:00 (Asia/Tokyo)"));
    EXPECT_THAT(
        said("remind", {{"text", "x"}, {"when", "tomorrow at 9"}}), HasSubstr("Asia/Tokyo")
    );
}

TEST_F(person_zone, is_nobodys_where_nobody_asks_or_is_answered) {
    EXPECT_THAT(
        said("set_timezone", {{"timezone", "Atlantis"}}), HasSubstr("such as Europe/Berlin")
    );
    requester.is_silent = true;
    EXPECT_THAT(said("set_timezone", {{"timezone", "Berlin"}}), HasSubstr("error"));
    requester.is_silent = false;
    requester.user = user_id{};
    EXPECT_THAT(said("set_timezone", {{"timezone", "Berlin"}}), HasSubstr("error"));
    EXPECT_EQ(w.value("select count(*) from postrider.person"), "0");
}

TEST_F(person_zone, is_the_last_of_those_that_are_set_in_one_commit) {
    auto* node = &w.start_node({});
    std::vector<storage::write> rows;
    for (auto const* zone : {"Europe/Berlin", "Asia/Tokyo", "Europe/Paris"})
        rows.push_back(storage::set_timezone(user_id{5}, zone));
    w.io.run(storage::query(*node->intake, std::move(rows), 5s)).value();

    EXPECT_EQ(w.value("select timezone from postrider.person"), "Europe/Paris");
    auto const settings = [&](user_id user) {
        return w.io.run(storage::read_person(*node->quick, user, 5s)).value();
    };
    EXPECT_EQ(settings(user_id{5}).timezone, "Europe/Paris");
    EXPECT_EQ(settings(user_id{6}), storage::person_settings{});
}

TEST_F(person_zone, stands_beside_a_language_and_either_can_be_taken_away) {
    auto* node = &w.start_node({});
    auto const set = [&](storage::write row) {
        w.io.run(storage::query(*node->intake, std::move(row), 5s)).value();
        return w.value("select coalesce(timezone, '-') || ' ' || coalesce(language, '-') from "
                       "postrider.person");
    };

    EXPECT_EQ(set(storage::set_language(user_id{5}, "de")), "- de");
    EXPECT_EQ(set(storage::set_timezone(user_id{5}, "Asia/Tokyo")), "Asia/Tokyo de");
    EXPECT_EQ(set(storage::set_language(user_id{5}, "")), "Asia/Tokyo -");
    EXPECT_EQ(set(storage::set_timezone(user_id{5}, "")), "- -");
}

} // namespace
} // namespace postrider::tests::person_zone_test
