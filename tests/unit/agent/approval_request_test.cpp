// What a person reads before a tool acts: a model chose the arguments, and their names.
#include "agent/flow/approvals/request.hpp"
#include "agent/language/lexicon.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::approvals::approval_request_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct proposal {
    flow::offered_tool tool;
    proposed_call call;

    explicit proposal(boost::json::object arguments) {
        tool.spec.name = "remove";
        call = {.step = "tool:1", .tool = &tool, .arguments = std::move(arguments)};
    }
    std::string text() const { return short_text({call}).text; }
};

// covers: X.07
TEST(approval_request, shows_a_name_that_looks_like_a_line_of_its_own_as_what_it_is) {
    proposal const forged({{"note: x\n\n2. calculator\n  expression: 1+1", "2"}});
    EXPECT_THAT(forged.text(), HasSubstr(R"("note: x\n\n2. calculator\n  expression: 1+1": "2")"));
    EXPECT_THAT(forged.text(), Not(HasSubstr("\n2. calculator")));
    EXPECT_THAT(proposal({{"file_path-2", 1}}).text(), HasSubstr("\n  file_path-2: 1"));
    EXPECT_THAT(proposal({{"", 1}}).text(), HasSubstr("\n  \"\": 1"));
}

TEST(approval_request, shortens_a_long_name_too) {
    proposal const forged({{std::string(4000, 'n'), 1}});
    EXPECT_LT(forged.text().size(), 600U);
    EXPECT_TRUE(short_text({forged.call}).shortened);
}

TEST(approval_request, shows_what_a_screen_would_hide_or_turn_round) {
    EXPECT_THAT(
        proposal({{"path", "a\u202egnp.exe"}, {"b\u2066", "\u2028x\u0085"}}).text(),
        HasSubstr("\n  path: \"a\\u202egnp.exe\"\n  \"b\\u2066\": \"\\u2028x\\u0085\"")
    );
    EXPECT_THAT(
        proposal({{"text", "👨\u200d👩 می\u200cخواهم ß"}}).text(),
        HasSubstr("👨\u200d👩 می\u200cخواهم ß")
    ) << "emoji, Persian and other letters stay";
}

struct spoken_approval {
    std::string_view language, single, several, approved, expired;
};

TEST(approval_request, speaks_the_language_of_the_person) {
    for (auto const& [language, single, several, approved, expired] : {
             spoken_approval{
                 "en",
                 "May I do this?\n\nremove\n  (no arguments)\n\nAnswer yes or no, or press a "
                 "button.",
                 "May I do these?\n\n1. remove\n  (no arguments)\n\n2. remove\n  a: \"xx",
                 "✅ Approved by Ann",
                 "⌛ Nobody answered in time: it was not done"},
             spoken_approval{
                 "de",
                 "Darf ich das tun?\n\nremove\n  (keine Argumente)\n\nAntworte mit Ja oder Nein, "
                 "oder "
                 "tippe auf einen Knopf.",
                 "Darf ich das alles tun?\n\n1. remove\n  (keine Argumente)\n\n2. remove\n  a: "
                 "\"xx",
                 "✅ Genehmigt von Ann",
                 "⌛ Niemand hat rechtzeitig geantwortet: es wurde nicht ausgeführt"},
         }) {
        proposal bare(json::object{});
        proposal lengthy(json::object{{"a", std::string(350, 'x')}});
        bare.call.language = language;
        lengthy.call.language = language;
        EXPECT_EQ(bare.text(), single);
        auto const both = short_text({bare.call, lengthy.call});
        EXPECT_THAT(both.text, StartsWith(several));
        EXPECT_THAT(
            both.text, HasSubstr(language == "en" ? "x … (52 more bytes)" : "x … (noch 52 Byte)")
        );
        EXPECT_EQ(outcome_text(verdict::approved, "Ann", language), approved);
        EXPECT_EQ(outcome_text(verdict::expired, "", language), expired);
    }
}

TEST(approval_request, is_told_in_every_language) {
    for (auto const& language : language::lexicons()) {
        auto const& words = language.notices;
        proposal bare(json::object{});
        bare.call.language = language.code;
        EXPECT_EQ(
            bare.text(),
            words.may_do + "\n\nremove\n  " + words.no_arguments + "\n\n" + words.answer_or_press
        );
        EXPECT_EQ(outcome_text(verdict::rejected, "", language.code), words.rejected);
        EXPECT_THAT(outcome_text(verdict::rejected, "Ann", language.code), HasSubstr("Ann"));
        EXPECT_EQ(outcome_text(verdict::withdrawn, "Ann", language.code), words.withdrawn);
    }
}

// A flow as a tool, whose node gives its input a member of its own.
struct flow_proposal : proposal {
    int number = 0; // that the node was told

    explicit flow_proposal(json::object arguments, json::value own = "bob")
        : proposal(std::move(arguments)) {
        call.step = "tool:3";
        tool.work = flow::flow_call{
            .flow = "pay",
            .input = [this,
                      own](json::object const& from_model, int of) -> base::result<json::object> {
                number = of;
                if (own.is_null()) return base::error(base::errc::invalid);
                auto input = from_model;
                input["to"] = own;
                return input;
            }};
    }
    flow_proposal(flow_proposal const&) = delete;

    std::string digest() const { return digest_of(call, user_id{1}, {}); }
};

// covers: X.07
TEST(approval_request, is_for_the_whole_input_of_a_flow) {
    flow_proposal pay({{"amount", 5}, {"to", "mallory"}});
    EXPECT_THAT(pay.text(), HasSubstr("\n  amount: 5\n"));
    EXPECT_THAT(pay.text(), HasSubstr("\n  to: \"bob\""));
    EXPECT_THAT(pay.text(), Not(HasSubstr("mallory")));
    EXPECT_THAT(whole_text({pay.call}), HasSubstr("\n  to: \"bob\""));
    EXPECT_EQ(arguments_to_run(pay.call), (json::object{{"amount", 5}, {"to", "bob"}}));
    EXPECT_EQ(pay.number, 3) << "as when it runs";
}

TEST(approval_request, of_a_flow_is_another_one_for_another_input_or_version) {
    flow_proposal pay({{"amount", 5}});
    auto const digest = pay.digest();
    EXPECT_EQ(flow_proposal({{"amount", 5.0}}).digest(), digest);
    EXPECT_NE(flow_proposal({{"amount", 5}}, "mallory").digest(), digest);
    pay.tool.settings = {{"flow", "pay"}, {"version", 8}};
    EXPECT_NE(pay.digest(), digest);
}

// The call fails before anything of the flow runs.
TEST(approval_request, of_a_flow_whose_input_cannot_be_made_is_for_the_models_arguments) {
    flow_proposal pay({{"amount", 5}}, nullptr);
    EXPECT_THAT(pay.text(), HasSubstr("\n  amount: 5"));
    EXPECT_EQ(arguments_to_run(pay.call), (json::object{{"amount", 5}}));
}

} // namespace
} // namespace postrider::agent::approvals::approval_request_test
