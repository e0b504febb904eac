// The audit on the command line.
#include "tests/integration/server/cli/database_commands.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli::audit_test {
namespace {

using testing::HasSubstr;

class audit_commands : public tests::database_commands {
protected:
    void make_rows() {
        database.execute("insert into postrider.lane (lane_key) values ('a')");
        run_with({"lanes", "pause", "a"});
        run_with({"lanes", "resume", "a"});
        run_with({"pause"});
    }
};

// covers: X.15
TEST_F(audit_commands, verify_counts_chains_and_names_the_first_broken_link) {
    make_rows();

    auto const whole = run_with({"audit", "verify"});
    database.execute("update postrider.audit set detail = '{}' where lane_id = 1 and number = 2");
    auto const changed = run_with({"audit", "verify"});
    auto const json = boost::json::parse(run_with({"audit", "verify", "--json"}).out);

    EXPECT_EQ(whole.code, 0);
    EXPECT_THAT(whole.out, testing::StartsWith("All holds: chains 2, links 3.\n"));
    EXPECT_THAT(whole.out, HasSubstr("by SHA-256"));
    EXPECT_EQ(changed.code, 1);
    EXPECT_THAT(changed.err, HasSubstr("the chain of lane 1 is broken at its link 2"));
    EXPECT_EQ(json.at("broken").at("number").as_int64(), 2);
}

// Whoever may write the tables, and knows how links are made, makes a chain anew.
constexpr auto forged = R"sql(
update postrider.audit set actor = 'nobody' where lane_id = 1 and number = 2;
update postrider.audit a set hash = postrider.audit_link(
    (select b.hash from postrider.audit b where b.lane_id = 1 and b.number = 1),
    postrider.audit_line(a.lane_id, a.number, a.job_id, a.nonce, a.created_at, a.kind, a.actor, a.subject, a.detail, a.content_hash))
where a.lane_id = 1 and a.number = 2)sql";

// covers: X.15
TEST_F(audit_commands, links_made_with_a_key_cannot_be_made_without_it) {
    base::environment const key{{"POSTRIDER_AUDIT_KEY", std::string(32, 'k')}};
    database.execute("insert into postrider.lane (lane_key) values ('a')");
    run_with({"lanes", "pause", "a"}, key);
    run_with({"lanes", "resume", "a"}, key);

    auto const whole = run_with({"audit", "verify", "--json"}, key);
    auto const without = run_with({"audit", "verify"});
    database.execute(forged);
    auto const changed = run_with({"audit", "verify"}, key);

    EXPECT_EQ(whole.code, 0) << whole.err;
    EXPECT_EQ(boost::json::parse(whole.out).at("keyed"), 2);
    EXPECT_EQ(without.code, 1);
    EXPECT_THAT(without.err, HasSubstr("has a key that is not configured here"));
    EXPECT_EQ(changed.code, 1);
    EXPECT_THAT(changed.err, HasSubstr("it was written without the key"));
}

// RFC 4231, test case 2, in the form of a link.
TEST_F(audit_commands, a_links_key_makes_it_an_hmac) {
    std::string pads;
    for (int const pad : {0x36, 0x5c})
        for (int i = 0; i < 64; ++i) pads += fmt::format("{:02x}", (i < 4 ? "Jefe"[i] : 0) ^ pad);

    EXPECT_EQ(
        database.value(
            "select encode(postrider.audit_link(null, 'what do ya want for nothing?', decode('" +
            pads + "', 'hex')), 'hex')"
        ),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    );
}

// covers: X.15
TEST_F(audit_commands, verify_names_one_broken_link_of_each_chain) {
    make_rows();
    database.execute("update postrider.audit set actor = 'nobody'");
    database.execute("insert into postrider.lane (lane_key) values ('b')");
    run_with({"lanes", "pause", "b"});

    auto const changed = run_with({"audit", "verify"});
    auto const json = boost::json::parse(run_with({"audit", "verify", "--json"}).out);

    EXPECT_EQ(changed.code, 1);
    EXPECT_THAT(changed.err, HasSubstr("the chain of lane 0 is broken at its link 1:"));
    EXPECT_THAT(changed.err, HasSubstr("the chain of lane 1 is broken at its link 1:"));
    EXPECT_THAT(changed.err, testing::Not(HasSubstr("at its link 2")));
    EXPECT_THAT(changed.err, HasSubstr("2 of 3 chains are broken; 1 links hold"));
    EXPECT_EQ(json.at("broken_chains"), 2);
    EXPECT_EQ(json.at("breaks").as_array().size(), 2u);
    EXPECT_EQ(json.at("links"), 1);
}

// covers: X.15
TEST_F(audit_commands, verify_says_that_the_end_of_a_chain_is_gone) {
    make_rows();
    database.execute("insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, "
                     "kind, run_no, "
                     "started_at, finished_at, input) "
                     "values (41, 1, 9, 1, 'completed', 'turn', 1, now(), now(), '{}'); "
                     "insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, "
                     "outcome, result) "
                     "values (41, 0, now(), now(), 1, 'ask/model', 'done', '1')");

    auto const cut = run_with({"audit", "verify"});
    auto const json = boost::json::parse(run_with({"audit", "verify", "--json"}).out);

    EXPECT_EQ(cut.code, 1);
    EXPECT_THAT(
        cut.err,
        HasSubstr("the end of the chain of lane 1 is gone: job 41 has a result of ask/model, and 0")
    );
    EXPECT_EQ(json.at("cut"), 1);
    EXPECT_EQ(json.at("cuts").at(0).at("step"), "ask/model");
    EXPECT_EQ(json.at("broken_chains"), 0);
}

// covers: X.15
TEST_F(audit_commands, verify_says_that_the_end_of_the_chain_of_no_lane_is_gone) {
    run_with({"pause"});
    run_with({"resume"});
    run_with({"pause"});
    auto const whole = run_with({"audit", "verify"});
    database.execute("delete from postrider.audit where lane_id = 0 and number > 1");

    auto const cut = run_with({"audit", "verify"});
    run_with({"resume"});
    auto const later = run_with({"audit", "verify"});

    EXPECT_EQ(whole.code, 0) << whole.err;
    EXPECT_EQ(cut.code, 1);
    EXPECT_THAT(
        cut.err,
        HasSubstr(
            "the end of the chain of lane 0 is gone or was changed: its note says 3 rows, and 1"
        )
    );
    EXPECT_EQ(later.code, 1) << "a later row does not hide it";
    EXPECT_THAT(later.err, HasSubstr("what stood between 1 and it is gone"));
}

// covers: X.15
TEST_F(audit_commands, verify_says_that_the_note_of_the_end_is_gone) {
    run_with({"pause"});
    database.execute("delete from postrider.audit; delete from postrider.audit_end");
    run_with({"resume"});

    EXPECT_EQ(run_with({"audit", "verify"}).code, 1);
}

// covers: X.15
TEST_F(audit_commands, verify_says_that_the_note_of_the_end_was_emptied) {
    run_with({"pause"});
    run_with({"resume"});
    database.execute("delete from postrider.audit where lane_id = 0 and number = 2;"
                     "update postrider.audit_end set number = 0, hash = null, "
                     "seal = postrider.audit_seal(0, null)");

    EXPECT_EQ(run_with({"audit", "verify"}).code, 1);
}

// covers: X.15
TEST_F(audit_commands, an_end_that_was_sealed_with_a_key_cannot_be_set_back_without_it) {
    base::environment const key{{"POSTRIDER_AUDIT_KEY", std::string(32, 'k')}};
    run_with({"pause"}, key);
    run_with({"resume"}, key);
    auto const whole = run_with({"audit", "verify"}, key);
    database.execute("delete from postrider.audit where lane_id = 0 and number = 2");
    database.execute("update postrider.audit_end e set number = 1, hash = a.hash, "
                     "seal = postrider.audit_seal(1, a.hash) from postrider.audit a "
                     "where a.lane_id = 0 and a.number = 1");

    auto const set_back = run_with({"audit", "verify"}, key);

    EXPECT_EQ(whole.code, 0) << whole.err;
    EXPECT_EQ(set_back.code, 1);
    EXPECT_THAT(set_back.err, HasSubstr("the end of the chain of lane 0 is gone or was changed"));
}

// covers: X.20
TEST_F(audit_commands, list_says_on_whose_word_a_command_acted) {
    make_rows();

    auto const listed = run_with({"audit", "list", "--kind", "lane_pause"});
    auto const page = boost::json::parse(run_with({"audit", "list", "--limit", "1", "--json"}).out);
    auto const next =
        run_with({"audit", "list", "--json", "--cursor", std::string(page.at("next").as_string())});

    EXPECT_THAT(listed.out, HasSubstr("lane_pause"));
    EXPECT_THAT(listed.out, HasSubstr("cli:"));
    EXPECT_EQ(page.at("entries").at(0).at("kind").as_string(), "pause");
    EXPECT_EQ(boost::json::parse(next.out).at("entries").as_array().size(), 2u);
}

TEST_F(audit_commands, list_says_what_was_probably_meant) {
    make_rows();

    EXPECT_THAT(
        run_with({"audit", "list", "--kind", "lane_pase"}).err,
        HasSubstr("Nothing of that is in the audit; did you mean lane_pause?")
    );
    auto const page = boost::json::parse(run_with({"audit", "list", "--json"}).out);
    std::string const actor(page.at("entries").at(0).at("actor").as_string());
    EXPECT_THAT(
        run_with({"audit", "list", "--actor", actor + "x"}).err,
        HasSubstr("did you mean " + actor + "?")
    );
}

TEST_F(audit_commands, export_writes_a_line_for_each_row) {
    make_rows();

    auto const exported = run_with({"audit", "export"});

    std::istringstream lines(exported.out);
    std::vector<std::string> kinds;
    for (std::string line; std::getline(lines, line);)
        kinds.emplace_back(boost::json::parse(line).at("kind").as_string());
    EXPECT_THAT(kinds, testing::ElementsAre("pause", "audit_export", "lane_pause", "lane_resume"))
        << "itself, too";
}

TEST_F(audit_commands, a_place_that_is_none_is_a_wrong_use) {
    EXPECT_EQ(run_with({"audit", "list", "--cursor", "7"}).code, 2);
}

} // namespace
} // namespace postrider::cli::audit_test
