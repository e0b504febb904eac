// The node that judges the messages of a group: who is checked, and what a judgement writes.
// covers: S4.02, S4.03, X.09
#include "agent/flow/catalog.hpp"
#include "agent/flow/validate/validate.hpp"
#include "agent/spam/replay.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"
#include "tests/unit/agent/flow/guard_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::spam_check_node_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(spam_check, passes_each_item_on_with_its_verdict) {
    guard_world w;
    auto const outcome = w.check_all(
        {group_item(advertisement), group_item(greeting, {{"message", 51}, {"extra", 3}})}
    );

    auto const& items = outcome.output.at("items").as_array();
    ASSERT_EQ(items.size(), 2U) << outcome.error.detail;
    auto const& clean = items.at(0).as_object(); // in the order of the outputs' names
    EXPECT_EQ(clean.at("extra"), 3);
    EXPECT_FALSE(is_spam(clean.at("verdict").as_object()));
    EXPECT_EQ(reason_of(clean.at("verdict").as_object()).substr(0, 8), "Not spam");
    auto const& caught = items.at(1).at("verdict").as_object();
    EXPECT_TRUE(is_spam(caught));
    EXPECT_THAT(reason_of(caught), StartsWith("Spam: "));
    EXPECT_EQ(caught.at("threshold"), 100);
    EXPECT_GE(caught.at("points").to_number<double>(), 100);
    EXPECT_TRUE(caught.at("checks").at(0).as_object().contains("reason"));
    EXPECT_FALSE(caught.contains("is_spam"));
}

TEST(spam_check, counts_a_message_that_passed_with_its_verdict) {
    guard_world w;
    w.check(group_item(greeting));

    EXPECT_THAT(
        w.written(),
        ElementsAre(
            "spam.add_members", "spam.count_messages", "spam.record_verdict", "spam.remember"
        )
    );
    EXPECT_EQ(w.written_by("spam.count_messages").at("is_spam"), false);
    EXPECT_EQ(w.written_by("spam.count_messages").at("enough"), 3);
    EXPECT_EQ(w.written_by("spam.record_verdict").at("counts"), true);
    EXPECT_EQ(w.written_by("spam.record_verdict").at("content"), json::value(greeting));
    EXPECT_EQ(w.written_by("spam.remember").at("message_id"), 50);
}

TEST(spam_check, lets_spam_count_for_nothing) {
    guard_world w;
    w.check(group_item(advertisement));

    EXPECT_EQ(w.written_by("spam.count_messages").at("is_spam"), true);
    EXPECT_EQ(w.written_by("spam.record_verdict").at("counts"), false);
}

// Below the length gate nothing is known, and nothing is held for the author.
TEST(spam_check, counts_no_short_message) {
    for (auto const* text : {"", "ok", "👍👍👍"}) {
        guard_world w;
        w.check(group_item(text));
        EXPECT_THAT(w.written(), ElementsAre("spam.record_verdict", "spam.remember")) << text;
    }
    guard_world w(json::object{{"rules", {{"length.least", 2}}}});
    w.check(group_item("ok"));
    EXPECT_THAT(w.written(), Contains("spam.count_messages"));
}

TEST(spam_check, counts_no_edit) {
    guard_world w;
    w.check(group_item(greeting, {{"event", "edit"}}));

    EXPECT_THAT(w.written(), Not(Contains("spam.count_messages")));
    EXPECT_THAT(w.written(), Contains("spam.record_verdict"));
}

TEST(spam_check, takes_parts_that_came_together_as_one_album) {
    guard_world w;
    json::object const part{{"album", "13"}, {"media", "photo"}};
    auto const of_album = [&](std::string_view text, int number) {
        auto item = group_item(text, part);
        item["message"] = number;
        return item;
    };
    auto const outcome = w.check_all(
        {of_album("", 50),
         of_album(advertisement, 51),
         of_album("", 52),
         group_item(greeting, {{"message", 53}, {"album", "14"}})}
    );

    std::vector<std::int64_t> clean;
    for (auto const& item : outcome.output.at("items").as_array())
        if (!is_spam(item.at("verdict").as_object()))
            clean.push_back(item.at("message").as_int64());
    EXPECT_THAT(clean, ElementsAre(53)) << outcome.error.detail;
    std::vector<std::int64_t> spam;
    for (auto const& item : w.passed_on.at("Check").at("spam"))
        spam.push_back(item.json.get().at("message").as_int64());
    EXPECT_THAT(spam, ElementsAre(51, 50, 52)) << "the catch has the caption";
}

TEST(spam_check, knows_that_another_part_of_an_album_was_caught) {
    guard_world w;
    w.is_album_caught = true;
    auto const verdict = w.check(group_item("", {{"album", "13"}, {"media", "photo"}}));

    EXPECT_TRUE(is_spam(verdict));
    EXPECT_THAT(reason_of(verdict), HasSubstr("another part of its album"));
    w.approved_by = "messages";
    EXPECT_TRUE(is_spam(w.check(group_item("", {{"album", "13"}, {"media", "photo"}}))))
        << "whoever wrote it";
}

TEST(spam_check, writes_once_whatever_dies) {
    for (int commit = 1;; ++commit) {
        guard_world w;
        flow::execution_input input;
        input.flow = "guard";
        input.version = 1;
        input.pinned = {
            {"In", json::array{group_item(greeting), group_item(greeting, {{"message", 51}})}}};
        w.job.input = to_json(input);
        bool const died = w.run_and_die(commit);
        auto const outcome = w.run(input);

        EXPECT_EQ(outcome.state, queue::job_state::completed) << commit;
        EXPECT_EQ(std::ranges::count(w.written(), "spam.count_messages"), 2) << commit;
        EXPECT_EQ(std::ranges::count(w.written(), "spam.remember"), 2) << commit;
        if (!died) break;
        ASSERT_LT(commit, 10);
    }
}

// An agent is asked about the clean one while something is done about the other: what it reads leaves out spam by its verdict.
TEST(spam_check, has_its_verdicts_committed_before_clean_messages_go_on_beside_spam) {
    auto const commits = [](json::array items) {
        guard_world w;
        w.check_all(std::move(items));
        return std::ranges::count(w.log, "commit");
    };
    auto const other = group_item(greeting, {{"message", 51}});
    auto const of_clean = commits({group_item(greeting), other});

    EXPECT_EQ(commits({other, group_item(advertisement)}), of_clean + 1);
    EXPECT_EQ(commits({group_item(advertisement)}), commits({other}));
}

TEST(spam_check, judges_and_stores_nothing_in_a_silent_execution) {
    guard_world w;
    auto const outcome = w.check_all({group_item(advertisement)}, true);

    EXPECT_TRUE(is_spam(outcome.output.at("items").at(0).at("verdict").as_object()));
    EXPECT_THAT(w.written(), IsEmpty());
}

TEST(spam_check, lets_an_approved_member_write_what_they_like) {
    guard_world w;
    w.approved_by = "messages";
    EXPECT_FALSE(is_spam(w.check(group_item(advertisement))));
    EXPECT_THAT(w.written(), ElementsAre("spam.remember")) << "no verdict of every message";
}

// covers: S4.07
TEST(spam_check, judges_an_approved_members_edit_as_a_strangers) {
    guard_world w;
    w.approved_by = "messages";
    EXPECT_TRUE(is_spam(w.check(group_item(advertisement, {{"event", "edit"}}))));
    EXPECT_EQ(w.written_by("spam.count_messages").at("is_spam"), true) << "a stranger again";

    guard_world lenient(json::object{{"check_edits", false}});
    lenient.approved_by = "messages";
    EXPECT_FALSE(is_spam(lenient.check(group_item(advertisement, {{"event", "edit"}}))));
    lenient.approved_by.reset();
    lenient.record = {};
    EXPECT_TRUE(is_spam(lenient.check(group_item(advertisement, {{"event", "edit"}}))))
        << "a new member's edit is always checked";
}

TEST(spam_check, looks_for_repetitions_of_approved_members) {
    guard_world duplicates;
    duplicates.approved_by = "messages";
    duplicates.recent = {{7, std::string(greeting)}, {7, std::string(greeting)}};
    EXPECT_THAT(reason_of(duplicates.check(group_item(greeting))), HasSubstr("3 times"));
    EXPECT_THAT(duplicates.written(), Contains("spam.record_verdict")) << "a catch is kept";

    std::string const campaign = "we are meeting at the usual place tonight";
    guard_world copies;
    copies.approved_by = "messages";
    copies.recent = {{8, campaign}, {9, campaign}};
    EXPECT_THAT(reason_of(copies.check(group_item(campaign))), HasSubstr("3 people"));

    guard_world flood;
    flood.approved_by = "messages";
    for (int count = 0; count < 9; ++count) flood.recent.emplace_back(7, std::to_string(count));
    EXPECT_THAT(reason_of(flood.check(group_item("9"))), HasSubstr("short messages"));
}

TEST(spam_check, never_catches_those_who_run_the_group) {
    guard_world administrators;
    administrators.chat.administrators = {administrator(7)};
    auto const verdict = administrators.check(group_item(advertisement));
    EXPECT_FALSE(is_spam(verdict));
    EXPECT_EQ(reason_of(verdict), "Not checked: an administrator wrote it");
    EXPECT_TRUE(verdict.at("checks").as_array().empty());
    EXPECT_THAT(administrators.written(), IsEmpty());

    guard_world owner;
    auto item = group_item(advertisement, of_sender({{"kind", "member"}, {"user", 99}}));
    EXPECT_EQ(reason_of(owner.check(item)), "Not checked: an owner of the bot wrote it");

    guard_world anonymous;
    item = group_item(
        advertisement,
        of_sender({{"kind", "anonymous_admin"}, {"user", 1087968824}, {"chat", -100}})
    );
    EXPECT_EQ(reason_of(anonymous.check(item)), "Not checked: an administrator wrote it");
    EXPECT_EQ(anonymous.looks, 0);
}

TEST(spam_check, never_catches_those_whom_a_person_trusts) {
    guard_world w;
    w.approved_by = "user:1";
    w.recent = {{7, std::string(greeting)}, {7, std::string(greeting)}};
    EXPECT_EQ(reason_of(w.check(group_item(greeting))), "Not checked: its author is trusted");
    EXPECT_THAT(w.written(), IsEmpty());
}

TEST(spam_check, knows_the_linked_channel_from_any_other) {
    guard_world linked;
    auto item = group_item(
        advertisement, of_sender({{"kind", "linked_channel"}, {"user", 777000}, {"chat", -8}})
    );
    EXPECT_EQ(reason_of(linked.check(item)), "Not checked: it is of the linked channel");
    guard_world comment; // of its owner, in its name
    comment.chat.administrators = {administrator(-8)};
    item = group_item(
        advertisement, of_sender({{"kind", "channel"}, {"user", 136817688}, {"chat", -8}})
    );
    EXPECT_EQ(reason_of(comment.check(item)), "Not checked: it is of the linked channel");

    guard_world other;
    other.chat.administrators = {administrator(136817688)}; // the stand-in is nobody
    item = group_item(
        advertisement, of_sender({{"kind", "channel"}, {"user", 136817688}, {"chat", -8}})
    );
    EXPECT_TRUE(is_spam(other.check(item)));
    EXPECT_EQ(other.written_by("spam.record_verdict").at("user_id"), -8);
}

// Telegram lists no bots among the administrators.
TEST(spam_check, asks_what_another_bot_is) {
    auto const item = group_item(advertisement, of_sender({{"kind", "bot"}, {"user", 12}}));
    guard_world w;
    w.chat.members[user_id{12}].standing = agent::member_standing::administrator;
    EXPECT_FALSE(is_spam(w.check(item)));

    guard_world stranger;
    EXPECT_TRUE(is_spam(stranger.check(item))) << "it is not there any more";
}

TEST(spam_check, lets_everything_pass_that_is_no_message_of_a_group) {
    guard_world w;
    for (auto const& item : std::vector<json::object>{
             {{"chat", 7}, {"user", 7}, {"text", advertisement}},
             {{"conversation", "x"}, {"text", advertisement}},
             group_item("", {{"event", "member"}, {"standing", "member"}}),
             group_item("", {{"event", "join_request"}}),
             group_item(advertisement, {{"service", "pinned_message"}})}) {
        w.record = {};
        EXPECT_THAT(reason_of(w.check(item)), StartsWith("Not checked: ")) << json::serialize(item);
        EXPECT_THAT(w.written(), IsEmpty());
    }
    EXPECT_EQ(w.looks, 0);
}

TEST(spam_check, asks_telegram_for_spam_alone) {
    guard_world w;
    w.chat.administrator_failures = {base::error(base::errc::unavailable)};
    EXPECT_FALSE(is_spam(w.check(group_item(greeting))));
    EXPECT_EQ(w.chat.looks_at_administrators, 0);
}

TEST(spam_check, waits_until_it_can_tell_an_administrator) {
    guard_world w;
    w.chat.administrators = {administrator(7)};
    w.chat.administrator_failures = {
        base::error(base::errc::unavailable), base::error(base::errc::rate_limited)};
    EXPECT_FALSE(is_spam(w.check(group_item(advertisement))));
    EXPECT_EQ(w.chat.looks_at_administrators, 3);

    guard_world barred;
    barred.chat.administrator_failures = {base::error(base::errc::refused)};
    EXPECT_TRUE(is_spam(barred.check(group_item(advertisement)))) << "it will never be told";
}

TEST(spam_check, changes_its_rules) {
    guard_world w(json::object{{"rules", {{"threshold", 1000}}}, {"messages_until_approved", 5}});
    auto const verdict = w.check(group_item(advertisement));
    EXPECT_FALSE(is_spam(verdict));
    EXPECT_EQ(verdict.at("threshold"), 1000);
    EXPECT_EQ(w.written_by("spam.count_messages").at("enough"), 5);
}

TEST(spam_check, is_refused_with_rules_that_cannot_be) {
    auto const codes_of = [](json::object parameters) {
        auto const document = read_flow(guarding(std::move(parameters)));
        return codes(flow::validate(document, flow::builtin_types()));
    };
    EXPECT_THAT(codes_of({{"rules", {{"links.weight", 50}}}}), IsEmpty());
    EXPECT_THAT(
        codes_of({{"rules", {{"link.weight", 50}}}}), Contains(StartsWith("invalid_parameter "))
    );
    EXPECT_THAT(
        codes_of({{"rules", {{"threshold", 0}}}}), Contains(StartsWith("invalid_parameter "))
    );
    EXPECT_THAT(
        codes_of({{"messages_until_approved", 0}}), Contains(StartsWith("invalid_parameter "))
    );
    EXPECT_THAT(codes_of({{"samples", "none"}}), Contains(StartsWith("invalid_parameter ")));
}

TEST(spam_check, approves_as_replays_of_rules_do) {
    auto const types = flow::builtin_types();
    auto const& parameters = types.find("spam.check")->parameters.at("properties");
    EXPECT_EQ(
        parameters.at("messages_until_approved").at("default"),
        agent::spam::usual_messages_until_approved
    );
}

TEST(spam_check, fails_with_an_item_that_is_no_event) {
    for (auto const& item : std::vector<json::object>{
             {},
             {{"chat", "x"}},
             group_item(greeting, {{"event", "dance"}}),
             group_item(greeting, {{"message", 0}})}) {
        guard_world w;
        auto const outcome = w.check_all({item});
        EXPECT_EQ(outcome.state, queue::job_state::failed) << json::serialize(item);
        EXPECT_EQ(outcome.error.code, base::errc::invalid);
        EXPECT_THAT(w.written(), IsEmpty());
    }
}

} // namespace
} // namespace postrider::tests::spam_check_node_test
