// What code has to know of a failure it reads from its code, its reason and its time. Each of these
// says the same in other words, or other things in the old words.
#include "agent/expression/calculation.hpp"
#include "agent/flow/approvals/request.hpp"
#include "agent/flow/budgets.hpp"
#include "agent/flow/chat/history.hpp"
#include "agent/flow/parts/offered_tools.hpp"
#include "agent/flow/run/failure_text.hpp"
#include "agent/flow/run/model_failure.hpp"
#include "agent/flow/run/untrusted_results.hpp"
#include "agent/flow/validate/graph.hpp"
#include "agent/models/asked_pause.hpp"
#include "agent/tools/call_refusal.hpp"
#include "base/json/error_data.hpp"
#include "storage/stores/budgets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::reworded_test {
namespace {

using namespace std::chrono_literals;
using base::errc;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr auto other_words = "Quite other words.";

// As a later run has it: read back from the record, here with other words.
base::error recorded_in_other_words(base::error const& failure) {
    base::error read(failure.code, other_words);
    base::add_data(read, base::data_of(failure));
    return read;
}

// The same words, and nothing that code reads.
base::error words_of(base::error const& failure) {
    return {failure.code, failure.detail};
}

base::error empty_budget() {
    storage::empty_budget empty;
    empty.scope = "user";
    empty.spent = true;
    empty.opens = "2026-11-24T00:00:00Z";
    return refusal(empty);
}

TEST(reworded, an_empty_budget_is_one_all_the_same) {
    auto const failure = recorded_in_other_words(empty_budget());

    EXPECT_TRUE(is_empty_budget(failure));
    EXPECT_THAT(failure_text(failure, "en"), HasSubstr(other_words));
    EXPECT_THAT(failure_text(failure, "de"), HasSubstr("das Budget für heute ist aufgebraucht"));
    EXPECT_THAT(failure_text(failure, "de"), Not(HasSubstr(other_words))) << "they are English";
    EXPECT_FALSE(is_empty_budget(words_of(empty_budget()))) << "a provider may say the same";
}

TEST(reworded, a_pause_that_a_provider_asks_for_is_told_all_the_same) {
    base::error failure(errc::rate_limited, "HTTP 429");
    note_pause(failure, 10min, *base::from_iso8601("2026-11-23T15:50:00Z"));

    EXPECT_THAT(failure_text(recorded_in_other_words(failure), "en"), EndsWith("after 16:00 UTC."));
    EXPECT_THAT(failure_text(words_of(failure), "en"), EndsWith("ask again later."));
}

TEST(reworded, a_step_that_a_gate_or_its_time_ended_is_known_all_the_same) {
    base::error gate(errc::unavailable, "breaker provider:p is open");
    gate.until = std::chrono::sys_seconds{std::chrono::seconds{1795228800}};
    auto const closed = flow::not_asked(gate);
    base::error const cut(errc::timeout, "took longer than 5s", base::cut_off);
    base::error const said(errc::overloaded, "HTTP 529");

    for (auto const& end : {closed, cut}) {
        EXPECT_TRUE(flow::ended_without_answer(recorded_in_other_words(end)));
        EXPECT_FALSE(flow::ended_without_answer(words_of(end)));
    }
    auto const explained = flow::explain_end(said, recorded_in_other_words(closed));
    EXPECT_EQ(explained.until, gate.until);
    EXPECT_EQ(explained.detail, "HTTP 529; then not asked again: Quite other words.");
}

TEST(reworded, what_we_say_of_a_call_is_ours_all_the_same) {
    flow::offered_tools const tools;
    tool_call const call{"c1", "files_read", boost::json::object{}, {}};
    auto sent = [&](std::string text, std::string_view reason) {
        std::vector<chat_message> messages{
            {.role = role::assistant, .calls = {call}},
            result_of(call, std::move(text), true, reason)};
        flow::mark_results(messages, tools);
        return messages.back().content;
    };
    using enum verdict;
    for (auto const v : {rejected, expired, withdrawn}) {
        EXPECT_EQ(sent(other_words, refusal_reason(v)), other_words);
        EXPECT_EQ(verdict_of(refusal_reason(v)), v);
        auto const text = approvals::refusal_text(v, 10min);
        EXPECT_NE(sent(text, {}), text);
        EXPECT_NE(sent(text, base::cut_off), text) << "a server's failure has reasons, too";
    }
    for (auto const reason : {call_refusal::limit, call_refusal::unfit, call_refusal::in_doubt})
        EXPECT_EQ(sent(other_words, reason), other_words);
}

// A message of an earlier turn.
TEST(reworded, the_reason_of_a_result_stands_in_the_history) {
    tool_call const call{"c1", "files_read", boost::json::object{}, {}};
    auto const refused = result_of(call, other_words, true, "approval_rejected");

    auto const read = message_from(row_from(refused));

    EXPECT_TRUE(read.is_error);
    EXPECT_EQ(read.error_reason, "approval_rejected");
}

TEST(reworded, a_division_by_zero_is_one_by_its_reason) {
    EXPECT_EQ(calculate("1/0").error().reason, "division_by_zero");
    EXPECT_EQ(calculate("1/").error().reason, "");
}

} // namespace
} // namespace postrider::agent::reworded_test
