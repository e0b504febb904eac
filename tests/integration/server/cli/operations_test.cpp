#include "server/cli/run.hpp"
#include "tests/integration/server/cli/scene.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sstream>
#include <thread>

namespace postrider::cli::operations_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct outcome {
    int code;
    std::string out;
    std::string err;
};

// On the scene's two jobs: 42 is completed, 43 a dead letter.
class operating : public testing::Test {
protected:
    operating() { database.execute(tests::one_turn); }

    outcome run_with(std::vector<std::string> const& args) {
        std::ostringstream out, err;
        int const code = run(args, {{"DATABASE_URL", database.url()}}, out, err);
        return {code, out.str(), err.str()};
    }
    std::string state(int job) {
        return database.value(
            "select state from postrider.job where job_id = " + std::to_string(job)
        );
    }

    tests::test_database database;
};

// covers: E.12
TEST_F(operating, jobs_by_name_tells_each_and_fails_when_one_is_refused) {
    auto both = run_with({"jobs", "retry", "43", "42"});
    auto cancelled = run_with({"jobs", "cancel", "43"});
    auto json = boost::json::parse(run_with({"jobs", "pause", "43", "999", "--json"}).out);

    EXPECT_EQ(both.code, 1);
    EXPECT_EQ(both.out, "job 43: available\n");
    EXPECT_THAT(both.err, HasSubstr("job 42: refused (not_failed)"));
    EXPECT_EQ(cancelled.code, 0);
    EXPECT_EQ(cancelled.out, "job 43: cancelled\n");
    EXPECT_EQ(json.at("results").at(0).at("code").as_string(), "over");
    EXPECT_EQ(json.at("results").at(1).at("code").as_string(), "not_found");
}

TEST_F(operating, jobs_by_filter_wants_a_yes) {
    auto unsure = run_with({"jobs", "retry", "--state", "failed", "--kind", "turn"});
    auto before = state(43);
    auto sure = run_with({"jobs", "retry", "--state", "failed", "--kind", "turn", "--yes"});
    auto none = run_with({"jobs", "retry", "--kind", "other", "--yes", "--json"});

    EXPECT_EQ(unsure.code, 2);
    EXPECT_THAT(unsure.err, HasSubstr("1 jobs match; add --yes"));
    EXPECT_EQ(before, "failed");
    EXPECT_EQ(sure.code, 0);
    EXPECT_EQ(sure.out, "1 of 1 jobs: retry\n");
    EXPECT_EQ(state(43), "available");
    EXPECT_EQ(boost::json::parse(none.out).at("matched").as_int64(), 0);
}

TEST_F(operating, many_jobs_goes_on_behind_refusals_and_lists_them) {
    database.execute("insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, "
                     "state, error_class, finished_at) select n, 1, 9, n, 'turn', 'failed', "
                     "'timeout', postrider.now() from generate_series(1000, 1249) n");

    auto all = run_with(
        {"jobs", "retry", "--kind", "turn", "--state", "failed", "--state", "completed", "--yes"}
    );

    EXPECT_EQ(all.code, 1);
    EXPECT_EQ(all.out, "251 of 252 jobs: retry\n");
    EXPECT_THAT(all.err, HasSubstr("job 42: refused (not_failed)"));
    EXPECT_EQ(
        database.value("select count(*) from postrider.job where state = 'available'"), "251"
    );
}

TEST_F(operating, wrong_use_is_told_with_what_to_do) {
    auto nothing = run_with({"jobs", "cancel"});
    auto both = run_with({"jobs", "cancel", "42", "--kind", "turn"});
    auto when = run_with({"jobs", "list", "--after", "soon"});
    auto json = run_with({"jobs", "fork", "42", "--input", "{"});

    for (auto const& mistake : {nothing, both, when, json}) EXPECT_EQ(mistake.code, 2);
    EXPECT_THAT(nothing.err, HasSubstr("name jobs by id, or choose them"));
    EXPECT_THAT(both.err, HasSubstr("not both"));
    EXPECT_THAT(when.err, HasSubstr("\"soon\" is not a time; write \"2h ago\""));
    EXPECT_THAT(json.err, HasSubstr("--input is not JSON"));
}

TEST_F(operating, a_fork_tells_the_new_job) {
    auto forked = run_with({"jobs", "fork", "42", "--input", "{\"agent\": \"todo\"}", "--json"});
    auto const fork = boost::json::parse(forked.out).at("results").at(0).at("job_id").as_int64();
    auto shown = run_with({"jobs", "show", std::to_string(fork)});
    auto unknown = run_with({"jobs", "restart", "42", "--from-step", "modl"});
    database.execute("insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, "
                     "outcome) values (42, 2, postrider.now(), postrider.now(), 1, 'send', 'done')"
    );
    auto of_two = run_with({"jobs", "restart", "42", "--from-step", "modl"});

    EXPECT_EQ(forked.code, 0);
    EXPECT_THAT(shown.out, HasSubstr("fork of  42"));
    EXPECT_THAT(shown.out, HasSubstr("waits    no server runs"));
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.err, HasSubstr("its steps: model"));
    EXPECT_THAT(unknown.err, Not(HasSubstr("did you mean"))) << "there is no other";
    EXPECT_THAT(of_two.err, HasSubstr("its steps: model, send; did you mean model?"));
}

TEST_F(operating, lanes_bots_and_everything_are_paused_and_resumed) {
    database.execute("insert into postrider.bot (bot_id, name) overriding system value "
                     "values (1, 'main')");
    (void)run_with({"jobs", "retry", "43"});

    EXPECT_EQ(run_with({"lanes", "pause", "1:5:0"}).out, "1:5:0: paused\n");
    EXPECT_THAT(run_with({"lanes", "list"}).out, HasSubstr("1:5:0  main, chat 5  paused  1"));
    EXPECT_EQ(run_with({"lanes", "resume", "1:5:0"}).out, "1:5:0: active\n");
    EXPECT_EQ(run_with({"bot", "pause", "main"}).out, "bot:main: paused\n");
    EXPECT_THAT(run_with({"jobs", "show", "43"}).out, HasSubstr("its bot is paused"));
    EXPECT_EQ(run_with({"pause"}).out, "all: paused\n");
    EXPECT_THAT(run_with({"lanes", "list"}).err, HasSubstr("all is paused since"));
    EXPECT_EQ(run_with({"resume"}).out, "all: active\n");
    EXPECT_EQ(run_with({"bot", "resume", "main"}).out, "bot:main: active\n");
    auto unknown = run_with({"bot", "pause", "mian"});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.err, HasSubstr("known: main"));
    EXPECT_THAT(run_with({"lanes", "pause", "1:5:1"}).err, HasSubstr("did you mean 1:5:0?"));
    EXPECT_THAT(run_with({"lanes", "resume", "1:6:0"}).err, HasSubstr("did you mean 1:5:0?"));
    auto event = run_with({"lanes", "send-event", "1:5:0", "--type", "go", "--payload", "1"});
    EXPECT_EQ(event.code, 0);
    EXPECT_EQ(database.value("select payload from postrider.event"), "1");
}

// covers: E.14
TEST_F(operating, effects_in_doubt_are_listed_and_settled) {
    auto list = run_with({"effects", "list"});
    auto json = boost::json::parse(run_with({"effects", "list", "--json"}).out);
    auto settled = run_with({"effects", "done", "42", "reply"});
    auto empty = run_with({"effects", "list"});
    auto again = run_with({"effects", "resend", "42", "reply"});

    EXPECT_THAT(list.out, HasSubstr("42   reply   telegram.send"));
    EXPECT_EQ(json.at("effects").at(0).at("job_id").as_int64(), 42);
    EXPECT_EQ(settled.code, 0);
    EXPECT_THAT(empty.err, HasSubstr("No effect is in doubt"));
    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.err, HasSubstr("not_in_doubt"));
}

TEST_F(operating, degraded_jobs_are_listed_by_that_word_and_by_their_reason) {
    database.execute("update postrider.job set degraded = true, degraded_reason = 'undelivered', "
                     "error_class = 'refused', error = 'blocked' where job_id = 42");

    auto const degraded = run_with({"jobs", "list", "--state", "degraded"});
    auto const either = run_with({"jobs", "list", "--state", "degraded,failed"});

    EXPECT_EQ(degraded.code, 0) << degraded.err;
    EXPECT_THAT(degraded.out, HasSubstr("42   turn  degraded"));
    EXPECT_THAT(degraded.out, HasSubstr("undelivered: refused: blocked"));
    EXPECT_THAT(degraded.out, Not(HasSubstr("43   turn")));
    EXPECT_THAT(either.out, HasSubstr("43   turn  failed"));
    EXPECT_EQ(run_with({"jobs", "list", "--reason", "undelivered"}).out, degraded.out);
    EXPECT_EQ(run_with({"jobs", "list", "--reason", "late"}).out, "");
    EXPECT_EQ(run_with({"jobs", "list", "--reason", "happy"}).code, 2);
    EXPECT_THAT(run_with({"jobs", "show", "42"}).out, HasSubstr("  reason   undelivered\n"));
}

TEST_F(operating, names_that_are_not_known_are_suggested) {
    database.execute("insert into postrider.effect (job_id, key, kind, class, state) values "
                     "(42, 'tell/send', 'telegram.send', 'at_least_once', 'done')");
    database.execute("insert into postrider.wait (job_id, lane_id, until_at, key, type) values "
                     "(43, 1, postrider.now(), 'paid', 'paid');"
                     "update postrider.job set state = 'waiting', finished_at = null, "
                     "due_at = postrider.now() + interval '1 h', "
                     "error_class = null, error = null where job_id = 43");

    EXPECT_THAT(
        run_with({"effects", "done", "42", "tell/sent"}).err,
        HasSubstr("its effects: reply, tell/send; did you mean tell/send?")
    );
    EXPECT_THAT(
        run_with({"jobs", "send-event", "43", "--type", "payd"}).out,
        HasSubstr("kept until it waits for this; did you mean paid?")
    );
    EXPECT_THAT(
        run_with({"jobs", "list", "--lane", "1:5:1"}).err,
        HasSubstr("No job matches; did you mean 1:5:0?")
    );
    EXPECT_THAT(
        run_with({"jobs", "list", "--error", "timout"}).err, HasSubstr("did you mean timeout?")
    );
    EXPECT_THAT(
        run_with({"jobs", "list", "--kind", "reminde"}).err, HasSubstr("did you mean reminder?")
    );
    EXPECT_THAT(
        run_with({"executions", "list", "--error", "timout"}).err,
        HasSubstr("did you mean timeout?")
    );
}

TEST_F(operating, a_flagged_effect_that_failed_can_be_cleared) {
    database.execute("update postrider.effect set state = 'failed' where job_id = 42");

    auto const dropped = run_with({"effects", "drop", "42", "reply"});

    EXPECT_EQ(dropped.code, 0) << dropped.err;
    EXPECT_THAT(run_with({"effects", "list"}).err, HasSubstr("No effect is in doubt"));
    EXPECT_EQ(database.value("select state || flagged from postrider.effect"), "failedfalse");
}

// Jobs 51 and 52 have failed in version 1 of a flow that was repaired since.
class operating_on_flows : public operating {
protected:
    operating_on_flows() {
        database.execute(R"sql(
insert into postrider.flow (flow_id, name, draft) overriding system value values (901, 'support', '{}');
insert into postrider.flow_version (flow_id, version, document) values (901, 1, '{}'), (901, 2, '{}');
update postrider.flow set published_version = 2;
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, finished_at, error_class, input)
select n, 1, 9, 0, 'failed', 'turn', postrider.now(), 'invalid',
       '{"flow": "support", "version": 1, "bot": 1, "chat": 5}' from generate_series(51, 52) n)sql"
        );
    }

    std::string version(int job) {
        return database.value(
            "select input ->> 'version' from postrider.job where job_id = " + std::to_string(job)
        );
    }
};

TEST_F(operating_on_flows, jobs_go_on_in_a_repaired_version) {
    auto const retried = run_with({"jobs", "retry", "51", "--version", "current"});
    auto const restarted = run_with({"jobs", "restart", "52", "--version", "2"});
    auto const unknown = run_with({"jobs", "restart", "51", "--version", "7"});
    auto const no_flow = run_with({"jobs", "retry", "43", "--version", "current"});

    EXPECT_EQ(retried.code, 0) << retried.err;
    EXPECT_EQ(version(51), "2");
    EXPECT_EQ(state(51), "available");
    EXPECT_EQ(restarted.code, 0) << restarted.err;
    EXPECT_EQ(version(52), "2");
    EXPECT_EQ(unknown.code, 1);
    EXPECT_EQ(no_flow.code, 1);
    EXPECT_THAT(no_flow.err, HasSubstr("refused (no_version): it runs no flow"));
}

TEST_F(operating_on_flows, a_version_that_is_not_there_is_told_with_those_that_are) {
    auto const refused = run_with({"jobs", "retry", "51", "--version", "7"});

    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("the flow support has no version 7; its versions: 1, 2"));
    EXPECT_EQ(version(51) + state(51), "1failed");
}

TEST_F(operating_on_flows, all_failed_jobs_of_a_flow_are_retried) {
    auto const all =
        run_with({"jobs", "retry", "--flow", "support", "--version", "current", "--yes"});

    EXPECT_EQ(all.out, "2 of 2 jobs: retry\n") << all.err;
    EXPECT_EQ(version(51) + version(52), "22");
    EXPECT_EQ(state(43), "failed") << "it runs no flow";
    EXPECT_EQ(run_with({"jobs", "retry", "--kind", "turn", "--yes"}).out, "1 of 1 jobs: retry\n")
        << "of those that have failed";
}

TEST_F(operating_on_flows, a_fork_answers_nobody_unless_told_to) {
    auto const fork = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"jobs", "fork", "51"});
        EXPECT_EQ(run_with(more).code, 0);
        return database.value(
            "select coalesce(input ->> 'silent', 'no') || ' v' || (input ->> "
            "'version') from postrider.job where forked_from = 51 order by job_id desc limit 1"
        );
    };

    EXPECT_EQ(fork({}), "true v1");
    EXPECT_EQ(fork({"--answer"}), "no v1");
    EXPECT_EQ(fork({"--version", "current"}), "true v2");
}

TEST_F(operating, a_long_list_goes_on_with_the_next_page) {
    auto first = run_with({"jobs", "list", "--limit", "1"});
    auto next = run_with({"jobs", "list", "--limit", "1", "--cursor", "43"});

    EXPECT_THAT(first.err, HasSubstr("--cursor 43"));
    EXPECT_THAT(next.out, HasSubstr("42   turn"));
    EXPECT_THAT(next.err, IsEmpty());
}

TEST_F(operating, a_tail_of_jobs_that_are_over_ends_by_itself) {
    auto tail = run_with({"jobs", "tail", "42", "43", "--json"});

    EXPECT_EQ(tail.code, 0);
    EXPECT_EQ(std::ranges::count(tail.out, '\n'), 2);
    EXPECT_THAT(tail.out, HasSubstr("\"job_id\":43"));
}

TEST_F(operating, a_tail_of_a_job_that_does_not_exist_is_an_error) {
    auto tail = run_with({"jobs", "tail", "42", "7"});

    EXPECT_EQ(tail.code, 1);
    EXPECT_THAT(tail.err, HasSubstr("there is no job 7"));
}

// What is printed, readable while it is.
class watched_output : public std::stringbuf {
public:
    int sync() override {
        std::lock_guard lock(mutex_);
        text_ = str();
        return 0;
    }
    bool has(std::string const& text) {
        std::lock_guard lock(mutex_);
        return text_.find(text) != text_.npos;
    }
    bool wait_for(std::string const& text, std::chrono::milliseconds patience = 10s) {
        for (auto left = patience; left > 0ms && !has(text); left -= 10ms)
            std::this_thread::sleep_for(10ms);
        return has(text);
    }

private:
    std::mutex mutex_;
    std::string text_;
};

// Jobs 42 and 43 were over before anybody looked.
TEST_F(operating, a_tail_tells_only_what_is_new_with_its_own_time) {
    watched_output seen;
    std::ostream out(&seen);
    std::ostringstream err;
    std::thread tail([&] { run({"jobs", "tail"}, {{"DATABASE_URL", database.url()}}, out, err); });

    bool told = false;
    for (int job = 44; job < 200 && !told; ++job) {
        database.execute(
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, "
            "created_at, finished_at) values (" +
            std::to_string(job) +
            ", 1, 9, 3, 'turn', 'cancelled', postrider.now(), '2036-01-02T03:04:05Z')"
        );
        told = seen.wait_for("2036-01-02T03:04:05Z", 100ms);
    }
    std::raise(SIGINT);
    tail.join();

    EXPECT_TRUE(told) << seen.str();
    EXPECT_THAT(seen.str(), testing::Not(HasSubstr("42  turn")));
    EXPECT_THAT(seen.str(), testing::Not(HasSubstr("43  turn")));
}

TEST_F(operating, a_tail_shows_what_happens_until_it_is_interrupted) {
    database.execute("insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, "
                     "state) values (44, 1, 9, 3, 'turn', 'available')");
    watched_output seen;
    std::ostream out(&seen);
    std::ostringstream err;
    int code = -1;
    std::thread tail([&] {
        code = run({"jobs", "tail", "44"}, {{"DATABASE_URL", database.url()}}, out, err);
    });

    bool const begun = seen.wait_for("44  turn  bot 1, chat 5  available");
    database.execute("insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, "
                     "outcome) values (44, 1, postrider.now(), postrider.now(), 1, 'model', 'done')"
    );
    bool const step = seen.wait_for("step model done");
    database.execute("update postrider.job set state = 'waiting', due_at = 'infinity', "
                     "run_no = 1, started_at = postrider.now() "
                     "where job_id = 44");
    bool const change = seen.wait_for("available → waiting");
    std::raise(SIGINT);
    tail.join();

    EXPECT_TRUE(begun && step && change) << seen.str();
    EXPECT_EQ(code, 0) << err.str();
}

} // namespace
} // namespace postrider::cli::operations_test
