// What every statement of the program reads: no table that grows from end to end, and few
// partitions, whatever it was planned for.
#include "tests/integration/storage/plans/plan_world.hpp"
#include "tests/support/paths.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::plans_test {
namespace {

// The present partition and the two ahead of it.
constexpr std::size_t open_partitions = 3;
// What is asked for, or a page of it.
constexpr std::int64_t rows_asked_for = 400;

std::vector<source_statement> const& all_statements() {
    static auto const all = statements_in_source(source());
    return all;
}

// What a statement may read in any number, and why.
struct exception {
    std::set<std::string> tables;
    std::string reason;
};

std::map<std::string, exception> const& exceptions() {
    static std::string const back = "reads back through the jobs until a page is full";
    static std::map<std::string, exception> const all{
        {"doubtful_effects", {{"effect"}, back}},
        {"erase_audit", {{"audit", "audit_content", "lane"}, "the next 5,000 texts"}},
        {"erase_jobs",
         {{"audit",
           "audit_content",
           "job",
           "lane",
           "step",
           "effect",
           "message",
           "event",
           "seen_item"},
          "the next 1,000 jobs"}},
        {"erase_messages", {{"job", "lane", "message"}, "the next 5,000 messages"}},
        {"erase_rows",
         {{"event",
           "inbox",
           "job",
           "lane",
           "mcp_session",
           "request_key",
           "stranger",
           "task",
           "task_call"},
          "reads what nobody but it looks for by a person"}},
        {"erase_sessions",
         {{"audit_content", "job", "lane", "session_message", "step"}, "the next 5,000 messages"}},
        {"export_audit", {{"audit", "audit_content", "lane"}, "reads on until a page is full"}},
        {"failed_executions",
         {{"job"}, "reads back through those that failed until a page is full"}},
        {"failed_jobs", {{"job"}, "reads back through those that failed until a page is full"}},
        {"busy_lanes", {{"lane", "lane_run"}, "reads the lanes with work"}},
        {"paused_jobs", {{"job"}, "reads those that are paused, of all partitions"}},
        {"degraded_jobs",
         {{"job"}, "reads back through those that are degraded until a page is full"}},
        {"attention.dead_letters",
         {{"job", "lane"}, "reads back through those that failed until a page is full"}},
        {"attention.undelivered",
         {{"job", "lane"}, "reads back through those that are degraded until a page is full"}},
        {"forget_strangers", {{"stranger"}, "a bot has so many at most as it keeps"}},
        {"check.degraded_today", {{"job"}, "the newest 200,000 numbers"}},
        {"check.recent_failures", {{"effect", "job"}, "the newest 200,000 numbers"}},
        {"check.waiting_work", {{"event", "lane_run"}, "counts up to 10,000"}},
        {"events.marks",
         {{"approval", "effect", "job", "lane_run"}, "the newest of each, and counts up to 1,000"}},
        {"job_changes.changed",
         {{"audit", "job", "lane_run"}, "what is new, is leased or was operated on, 10,000 each"}},
        {"job_changes.live", {{"job", "lane_run", "timer"}, "what lives, 5,000 at most"}},
        {"check.memory_failures", {{"lane", "memory_progress"}, "counts up to 1,000"}},
        {"memories.clear_refusals", {{"memory"}, "on an operator's word"}},
        {"memories.prepare_vectors", {{"memory"}, "for another model"}},
        {"memories.count_vectors", {{"memory"}, "counts up to 100,000"}},
        {"memories.page", {{"memory"}, "reads back until a page is full"}},
        {"list_audit", {{"audit"}, "reads back until a page is full"}},
        {"created_ids", {{"job"}, "looks once into each block of 8,000 ids"}},
        {"executions_of_error_class", {{"job"}, "looks for them in each partition"}},
        {"executions_of_flow", {{"job"}, "looks for them in each partition"}},
        {"jobs_of_all_lanes", {{"job"}, back}},
        {"jobs_of_error_class", {{"job"}, "looks for them in each partition"}},
        {"jobs_of_flow", {{"job"}, "looks for them in each partition"}},
        {"jobs_of_lane", {{"job"}, back}},
        {"jobs_of_lanes", {{"job", "lane"}, back}},
        {"jobs_of_few_lanes", {{"job"}, "reads back through the jobs of each lane"}},
        {"lanes_by_part", {{"lane"}, "looks for keys until 100 are found"}},
        {"newest_jobs", {{"job"}, "reads back through the newest 5,000 jobs"}},
        {"newest_executions", {{"job"}, "reads back through the newest 5,000 jobs"}},
        {"unfinished_jobs", {{"job", "lane_run", "timer"}, "what lives"}},
        {"unfinished_executions", {{"job", "lane_run", "timer"}, "what lives"}},
        {"lanes", {{"lane"}, "reads on in the order of keys until a page is full"}},
        {"matching_executions", {{"job"}, back}},
        {"find_author", {{"lane", "message"}, "the newest 5,000 messages of a chat"}},
        {"forwarded_message",
         {{"lane", "message"}, "what was said in two days, 100,000 messages at most"}},
        {"mark_removed", {{"lane", "message"}, "the newest 500 messages of each lane of a chat"}},
        {"read_group_context", {{"message"}, "reads back through a lane to its summary"}},
        {"read_archive", {{"lane", "message"}, "reads back through a chat until a page is full"}},
        {"metrics.queue_health", {{"event", "lane_run"}, "counts up to 10,000"}},
        {"exceptions.jobs", {{"effect", "job", "timer"}, "counts up to 10,000"}},
        {"overview.lanes", {{"lane", "lane_run"}, "counts up to 10,000"}},
        {"overview.live_jobs", {{"job", "lane_run"}, "the jobs of 1,000 lanes with work"}},
        {"overview.newest_jobs", {{"job"}, "reads back through the newest 2,000 jobs"}},
        {"own_usage", {{"job", "step"}, "reads back through a lane's newest 500 jobs"}},
        {"newest_strangers", {{"stranger"}, "a bot has so many at most as it keeps"}},
        {"flows.last_runs", {{"job"}, "reads back through the newest 2,000 jobs"}},
        {"forget_seen_items", {{"job", "seen_item"}, "a node's newest, as many as it remembers"}},
        {"session.page",
         {{"session_message"}, "from name to name, and up to 1,000 messages of each"}},
        {"session.names_like", {{"session_message"}, "the first 10,000 names, after a slip"}},
        {"spam.archived_groups", {{"lane"}, "the groups of each bot"}},
        {"spam.archive_page",
         {{"job", "lane", "message"}, "reads on through a group until a page is full"}},
        {"spam.first_archived_job", {{"message"}, "the first of an age"}},
        {"summaries_pause", {{"job"}, "reads back through a session's newest 10 jobs"}},
        {"usage", {{"step", "job"}, "reads the calls of the days that are asked for"}},
        {"record_audit_once", {{"audit"}, "a lane's newest 1,000, where a commit is sent again"}},
        {"resume_all", {{"lane", "lane_run"}, "frees all lanes, 500 in one transaction"}},
        {"maintenance.prune_partitions", {{"job"}, "a job of each partition, every ten minutes"}},
        {"maintenance.prune_lanes", {{"lane", "lane_run"}, "the next 2,000 lanes"}},
        {"sweep_pauses",
         {{"lane", "lane_run"}, "looks through the lanes with work once a pause has come or gone"}},
        {"pause_all", {{"lane", "lane_run"}, "holds all lanes, 500 in one transaction"}},
    };
    return all;
}

bool may_read(source_statement const& statement, std::string const& table) {
    auto const found = exceptions().find(statement.name);
    return found != exceptions().end() && found->second.tables.contains(table);
}

std::string told(footprint const& read) {
    std::string text = read.error;
    for (auto const& table : read.read_whole) text += " reads " + table + " from end to end;";
    for (auto const& [table, rows] : read.read)
        text += " reads " + std::to_string(rows) + " rows of " + table + ";";
    for (auto const& [table, partitions] : read.searched)
        text += " searches " + std::to_string(partitions.size()) + " partitions of " + table + ";";
    return text;
}

using statements = std::vector<source_statement>;

void expect_few(
    plan_world& world, std::string const& circumstances, statements const& among = all_statements()
) {
    for (auto const& each : among) {
        auto const read = world.execute(each);
        bool well = read.error.empty();
        for (auto const& table : read.read_whole) well = well && may_read(each, table);
        for (auto const& [table, rows] : read.read)
            well = well && (rows <= rows_asked_for || may_read(each, table));
        for (auto const& [table, partitions] : read.searched)
            well = well && (partitions.size() <= open_partitions || may_read(each, table));
        EXPECT_TRUE(well) << each.name << " of " << each.file << ", " << circumstances << ": "
                          << told(read);
    }
}

// What claims, arrivals and a worker's commits ask.
statements of_every_turn() {
    static std::set<std::string> const names{
        "add_waits",      "begin_rollback",  "change_effects", "claim",        "coalesce_mail",
        "end_lanes",      "end_waits",       "enqueue_turns",  "fence",        "fence_or_fail",
        "fence_unlocked", "find_lease",      "find_ready",     "free_lanes",   "hold_jobs",
        "leave_lanes",    "look_for_events", "park_jobs",      "plan_effects", "record_attempts",
        "settle_jobs",    "take_events",     "take_message",
    };
    statements all;
    for (auto const& each : all_statements())
        if (names.contains(each.name)) all.push_back(each);
    EXPECT_EQ(all.size(), names.size());
    return all;
}

TEST(plans, of_every_statement_in_the_source_are_known) {
    std::set<std::string> names;
    for (auto const& each : all_statements()) names.insert(each.name);

    for (auto const* name :
         {"settle_jobs", "claim", "enqueue_turns", "job_summaries", "maintenance.prune_orphans"})
        EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_GT(names.size(), 120u);
}

TEST(plans, made_for_empty_tables_still_serve_when_these_have_grown) {
    for (bool const analyzed : {false, true}) {
        plan_world world{3};
        if (analyzed) world.analyze(); // as autovacuum may do meanwhile
        world.connect("force_generic_plan");
        for (auto const& each : all_statements()) world.execute(each);

        world.fill(2000);

        expect_few(
            world,
            analyzed ? "planned for tables known to be empty" : "planned before the tables grew"
        );
    }
}

TEST(plans, for_large_tables_read_what_is_asked_for) {
    plan_world world{3};
    world.fill(2000);
    world.analyze();
    for (auto const* mode : {"auto", "force_generic_plan"}) {
        world.connect(mode);
        expect_few(world, std::string("large tables, ") + mode);
    }
}

// None of many jobs matches, and each search ends soon.
TEST(plans, for_rare_jobs_read_no_others) {
    std::set<std::string> const searches{
        "created_ids",
        "executions_of_error_class",
        "executions_of_flow",
        "jobs_of_error_class",
        "jobs_of_flow"};
    plan_world world{3};
    world.fill(2000);
    world.analyze();
    world.connect("force_custom_plan"); // as queue::plan_for_values() asks
    std::size_t found = 0;
    for (auto const& each : all_statements()) {
        if (!searches.contains(each.name)) continue;
        ++found;
        auto const read = world.execute(each);
        auto const jobs = read.read.find("job");
        bool const few = jobs == read.read.end() || jobs->second <= rows_asked_for;
        EXPECT_TRUE(read.error.empty() && few && !read.read_whole.contains("job"))
            << each.name << ": " << told(read);
    }
    EXPECT_EQ(found, searches.size());
}

// covers: E.16
TEST(plans, of_every_turn_do_not_read_what_waits) {
    auto const asked = of_every_turn();
    EXPECT_GT(asked.size(), 15u);
    plan_world world{3};
    world.connect("force_generic_plan");
    for (auto const& each : asked) world.execute(each);

    world.park(100'000);

    expect_few(world, "planned before 100,000 jobs waited", asked);
    world.analyze();
    world.connect("force_generic_plan");
    expect_few(world, "planned beside 100,000 jobs that wait", asked);
}

// covers: E.16
TEST(plans, for_200_partitions_open_those_that_matter) {
    plan_world world{200};
    world.fill(100);
    world.analyze();
    for (auto const* mode : {"", "force_generic_plan"}) {
        world.connect(mode);
        expect_few(world, std::string("200 partitions ") + mode);
    }
}

} // namespace
} // namespace postrider::tests::plans_test
