// What a turn leaves in the audit, on the real engine and a real Postgres.
#include "base/fault.hpp"
#include "tests/integration/agent/approvals_world.hpp"

namespace postrider::tests::audit_test {
namespace {

class audited_turn : public approvals {
protected:
    ~audited_turn() override { base::fault::arm("").value(); }

    std::string audit(std::string const& of_each) {
        return w.value(
            "select string_agg(" + of_each +
            ", ', ' order by number) from postrider.audit "
            "where lane_id = " +
            base::to_string(lane_)
        );
    }
    std::string broken() {
        return w.value("select coalesce(problem, 'none') from postrider.audit_verify()");
    }
};

// covers: S1.04 X.15
TEST_F(audited_turn, has_a_row_of_each_model_call_tool_call_and_word_of_a_person) {
    ask();
    press("approve", requester());
    until_over(1);

    EXPECT_EQ(
        audit("concat_ws(' ', kind, detail ->> 'outcome', detail ->> 'after')"),
        "model_call answered, approval waiting, approval approved, tool_call done, model_call "
        "answered"
    );
    auto const person = "user:" + base::to_string(requester());
    EXPECT_EQ(
        w.value("select string_agg(distinct actor, ' ') from postrider.audit where lane_id > 0"),
        person
    );
    EXPECT_EQ(broken(), "none");
    EXPECT_EQ(w.value("select count(*) from postrider.audit_content"), "0");
    EXPECT_EQ(w.value("select count(*) from postrider.audit a where a::text like '%a.txt%'"), "0")
        << "no words of people";
}

// covers: S1.04
TEST_F(audited_turn, has_a_refusal_of_what_a_person_rejected) {
    ask();
    press("reject", requester());
    until_over(1);

    EXPECT_EQ(
        audit("concat_ws(' ', kind, detail ->> 'after', detail ->> 'reason')"),
        "model_call, approval waiting, approval rejected, refusal rejected, model_call"
    );
}

TEST_F(audited_turn, says_who_withdrew_a_question_with_other_words) {
    ask();
    say("What is the weather like?");
    until_over(2);

    EXPECT_EQ(
        w.value("select actor || ' ' || (detail ->> 'before') || ' ' || (detail ->> 'after') "
                "from postrider.audit where kind = 'approval' order by number desc limit 1"),
        "postrider waiting withdrawn"
    );
}

// covers: S1.04
TEST_F(audited_turn, keeps_what_was_asked_beside_the_chain_where_it_shall) {
    services_->audit_in_full = true;
    ask();
    press("approve", requester());
    until_over(1);

    EXPECT_EQ(
        w.value("select count(*) from postrider.audit a join postrider.audit_content c "
                "using (lane_id, number) "
                "where a.content_hash = sha256(convert_to(c.content, 'UTF8'))"),
        "3"
    );
    EXPECT_EQ(
        w.value("select count(*) from postrider.audit_content where content like '%a.txt%'"), "3"
    );
    EXPECT_EQ(broken(), "none");
}

// covers: X.15
TEST_F(audited_turn, has_an_end_that_is_missed_once_it_was_cut_off) {
    auto const cut = [this] {
        return w.value("select coalesce(string_agg(concat_ws(' ', c ->> 'step', c ->> 'results', c "
                       "->> 'rows'), "
                       "', '), 'none') from postrider.audit_tails() t, json_array_elements(t.cut) c"
        );
    };
    auto const cut_off = [this](int rows) {
        w.execute(
            "delete from postrider.audit a where a.lane_id = " + base::to_string(lane_) +
            " and a.number > (select max(number) from postrider.audit b where b.lane_id = "
            "a.lane_id) - " +
            std::to_string(rows)
        );
    };
    ask();
    press("approve", requester());
    until_over(1);

    EXPECT_EQ(cut(), "none");
    cut_off(1);
    EXPECT_EQ(broken(), "none") << "the chain alone does not tell";
    EXPECT_EQ(cut(), "ask/model 2 1");
    cut_off(4);
    EXPECT_EQ(cut(), "ask/model 2 0, ask/tool:1 1 0");
}

// covers: X.15
TEST_F(audited_turn, has_a_refusal_that_is_missed_once_it_was_cut_off) {
    ask();
    press("reject", requester());
    until_over(1);
    auto const cut = [this] { return w.value("select cut from postrider.audit_tails()"); };
    EXPECT_EQ(cut(), "[]");

    w.execute("delete from postrider.audit where kind = 'refusal' or number > "
              "(select number from postrider.audit where kind = 'refusal') and lane_id > 0");

    EXPECT_EQ(broken(), "none") << "the chain alone does not tell";
    EXPECT_THAT(cut(), testing::HasSubstr(R"("step" : "ask/tool:1", "results" : 1, "rows" : 0)"));
}

TEST_F(audited_turn, of_a_job_that_is_run_again_or_forked_misses_nothing) {
    ask();
    press("approve", requester());
    until_over(1);
    w.execute("select postrider.job_fork(job_id, 'ask/tool:1') from postrider.job");
    w.execute("insert into postrider.lane (lane_key) values ('of nobody')");

    EXPECT_EQ(
        w.value("select lanes || ' ' || cut from postrider.audit_tails()"),
        w.value("select count(*) || ' []' from postrider.lane")
    );
    EXPECT_EQ(w.value("select lanes || ' ' || last_lane from postrider.audit_tails(-1, 1)"), "1 1");
}

// covers: X.15
TEST_F(audited_turn, has_nothing_twice_when_a_commit_is_sent_again) {
    base::fault::arm("checkpoint.after_commit:error").value();
    ask();
    press("approve", requester());
    until_over(1);

    EXPECT_EQ(audit("kind"), "model_call, approval, approval, tool_call, model_call");
    EXPECT_EQ(broken(), "none");
}

} // namespace
} // namespace postrider::tests::audit_test
