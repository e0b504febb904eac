// `postrider flows run`: a version or a draft, from its beginning or in the middle.
#include "tests/integration/server/cli/flow_commands.hpp"

#include <gmock/gmock.h>

namespace postrider::cli::flows_run_test {
namespace {

using testing::HasSubstr;

using flow_runs = flow_commands;

TEST_F(flow_runs, a_flow_is_started_by_hand) {
    run_with({"import", written(greeter), "--publish"});

    auto const started = json_of({"run", "greeter", "--input", R"({"who": "you"})"});
    auto const plain = run_with({"run", "greeter"});

    EXPECT_EQ(started.at("version").as_int64(), 1);
    EXPECT_EQ(
        database.value("select input -> 'data' ->> 'who' from postrider.job order by job_id limit 1"
        ),
        "you"
    );
    EXPECT_THAT(plain.out, testing::MatchesRegex("[0-9]+\n"));
    EXPECT_EQ(run_with({"run", "greeter", "--input", "{"}).code, 2);
    EXPECT_THAT(run_with({"run", "greeter", "--data", "{}"}).err, HasSubstr("is --input"));
    EXPECT_EQ(run_with({"run", "nobody"}).code, 1);
    EXPECT_THAT(plain.err, HasSubstr("No server runs"));
    EXPECT_THAT(run_with({"run", "greetr"}).err, HasSubstr("did you mean greeter?"));
    EXPECT_EQ(run_with({"run", "greeter", "--pinned", "[]"}).code, 2);
}

TEST_F(flow_runs, a_draft_is_started_by_hand_as_it_is_now) {
    constexpr auto other = R"({
  "format": 1,
  "name": "greeter",
  "nodes": [
    {"id": "in", "name": "In", "type": "manual", "parameters": {"example": {"who": "example"}}},
    {"id": "new", "name": "New", "type": "set", "parameters": {"fields": {"a": 1}}}
  ],
  "connections": [{"from": "in", "to": "new"}]
}
)";
    run_with({"import", written(greeter), "--publish"});
    run_with({"import", written(other)});

    auto const draft = json_of({"run", "greeter", "--version", "draft"});
    auto const plain = run_with({"run", "greeter", "--version", "draft", "--input", "{}"});
    auto const published = json_of({"run", "greeter", "--version", "published"});
    auto const none = run_with({"run", "greeter", "--version", "7"});

    EXPECT_EQ(draft.at("version").as_int64(), 0);
    EXPECT_THAT(plain.err, HasSubstr("greeter (draft) starts as job"));
    EXPECT_EQ(published.at("version").as_int64(), 1);
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(none.err, HasSubstr("7"));
    EXPECT_EQ(
        database.value("select string_agg(concat_ws(' ', input -> 'data', input -> 'document' -> "
                       "'nodes' -> 1 ->> 'name'), ', ' order by job_id) from postrider.job"),
        R"({"who": "example"} New, {} New, {})"
    );
    EXPECT_EQ(
        database.value("select string_agg(version || ' ' || trial, ', ' order by job_id) from "
                       "postrider.executions"),
        "0 true, 0 true, 1 false"
    );
}

TEST_F(flow_runs, a_draft_with_errors_does_not_start) {
    run_with({"import", written(R"({"format": 1, "name": "greeter", "nodes": [
             {"id": "in", "name": "In", "type": "manual"},
             {"id": "x", "name": "X", "type": "telepathy"}]})")});

    auto const refused = run_with({"run", "greeter", "--version", "draft"});

    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("the draft has errors"));
    EXPECT_THAT(refused.out, HasSubstr("telepathy"));
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "0");
}

TEST_F(flow_runs, a_flow_is_begun_in_the_middle_with_pinned_items) {
    run_with({"import", written(greeter), "--publish"});

    auto const begun = json_of(
        {"run", "greeter", "--start", "In", "--only", "--pinned", R"({"In": [{"who": "you"}]})"}
    );
    auto const wrong = run_with({"run", "greeter", "--start", "Out"});

    EXPECT_GT(begun.at("job_id").as_int64(), 0);
    EXPECT_EQ(
        database.value(
            "select concat_ws(' ', input ->> 'start', input ->> 'only', input -> 'pinned' "
            "-> 'In' -> 0 ->> 'who') from postrider.job"
        ),
        "in true you"
    );
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.err, HasSubstr("greeter has no node Out; its nodes: In"));
    EXPECT_THAT(
        run_with({"run", "greeter", "--trigger", "In1"}).err,
        HasSubstr("greeter has no trigger In1; did you mean In?")
    );
    EXPECT_THAT(
        run_with({"run", "greeter", "--start", "In", "--pinned", R"({"Inn": [{}]})"}).err,
        HasSubstr("greeter has no node named Inn to pin; did you mean In?")
    );
}

// The end that a worker would write.
TEST_F(flow_runs, waiting_prints_the_output_or_why_it_failed) {
    run_with({"import", written(greeter), "--publish"});
    database.execute(R"sql(
create function end_it() returns trigger language plpgsql as $$
begin
    if new.input -> 'data' ->> 'well' = 'true' then
        new.state := 'completed'; new.output := '{"items": [{"said": "hello"}]}';
    else
        new.state := 'failed'; new.error_class := 'timeout'; new.error := 'nobody answered';
    end if;
    new.finished_at := postrider.now();
    return new;
end $$;
create trigger end_it before insert on postrider.job for each row execute function end_it();)sql");

    auto const well = run_with({"run", "greeter", "--input", R"({"well": true})", "--wait"});
    auto const failed = run_with({"run", "greeter", "--input", "{}", "--watch"});
    auto const json =
        run_with({"run", "greeter", "--input", R"({"well": true})", "--wait", "--json"});

    EXPECT_EQ(well.code, 0) << well.err;
    EXPECT_EQ(well.out, "{\"items\":[{\"said\":\"hello\"}]}\n");
    EXPECT_EQ(failed.code, 1);
    EXPECT_THAT(failed.err, HasSubstr("failed: timeout: nobody answered"));
    EXPECT_EQ(boost::json::parse(json.out).at("state").as_string(), "completed");
}

// The steps that a worker would write while somebody looks.
TEST_F(flow_runs, watching_tells_of_each_step) {
    run_with({"import", written(greeter), "--publish"});
    database.execute(R"sql(
create function run_it() returns trigger language plpgsql as $$
begin
    insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome)
    values (new.job_id, 1, postrider.now(), postrider.now() + interval '1 min', 1, 'ask/model', 'done'),
           (new.job_id, 2, postrider.now(), postrider.now() + interval '1 min', 1, 'tell/send', 'done');
    update postrider.job set state = 'completed', finished_at = postrider.now(), output = '{"items": []}'
    where job_id = new.job_id;
    return null;
end $$;
create trigger run_it after insert on postrider.job for each row execute function run_it();)sql");

    auto const watched = run_with({"run", "greeter", "--input", "{}", "--watch"});
    auto const waited = run_with({"run", "greeter", "--input", "{}", "--wait"});

    EXPECT_EQ(watched.code, 0) << watched.err;
    EXPECT_THAT(watched.err, HasSubstr("ask/model"));
    EXPECT_THAT(watched.err, HasSubstr("tell/send"));
    EXPECT_THAT(waited.err, testing::Not(HasSubstr("ask/model")));
}

} // namespace
} // namespace postrider::cli::flows_run_test
