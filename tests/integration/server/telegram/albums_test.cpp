// Files and pictures that are sent as one album, each by an update of its own.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>

namespace postrider::telegram::albums_test {
namespace {

std::string body_of(
    std::int64_t update, std::string_view album, std::string_view words, boost::json::object media
) {
    boost::json::object message{
        {"message_id", 1000 + update},
        {"from", {{"id", base::raw(alex)}, {"first_name", "Al"}}},
        {"chat", {{"id", base::raw(alex)}, {"type", "private"}}},
        {"media_group_id", album}};
    for (auto& member : media) message[member.key()] = std::move(member.value());
    if (!words.empty()) message["caption"] = words;
    return boost::json::serialize(boost::json::object{
        {"update_id", update}, {"message", std::move(message)}});
}

std::string part(
    std::int64_t update,
    std::string_view album,
    std::string_view words = "",
    std::string_view name = "report.pdf"
) {
    return body_of(
        update, album, words, {{"document", {{"file_id", "BQAC"}, {"file_name", name}}}}
    );
}

std::string photo(std::int64_t update, std::string_view album, std::string_view words = "") {
    auto const file = "photo" + std::to_string(update);
    boost::json::object size{{"file_id", file}, {"width", 800}, {"height", 600}};
    return body_of(update, album, words, {{"photo", boost::json::array{std::move(size)}}});
}

// The same update, in the supergroup -100.
std::string in_group(std::string const& body) {
    auto update = boost::json::parse(body);
    update.at("message").at("chat") = {{"id", -100}, {"type", "supergroup"}};
    return boost::json::serialize(update);
}

// Of the job that answers the album.
std::string files_of(intake_world const& w, std::string_view tail = "") {
    return w.value(
        "select coalesce(input ->> 'attachment', '') || (select coalesce(string_agg(' ' || (x ->> "
        "'file'), '' order by n), '') from jsonb_array_elements(input -> 'images') "
        "with ordinality as i(x, n)) from postrider.job where not input ? 'silent' " +
        std::string(tail)
    );
}

// Likewise, in the order in which they came.
std::string names_of_files(intake_world const& w) {
    return w.value("select string_agg(f.file ->> 'name', ' ' order by f.place) from postrider.job "
                   "j, jsonb_array_elements(postrider.album_files(j.input)) with ordinality "
                   "f(file, place) where not j.input ? 'silent'");
}

// Of each update, in their order; how many turns there are, and how many explanations.
std::string dispositions(intake_world const& w) {
    return w.value("select string_agg(disposition || coalesce(' ' || reason, ''), ', ' order by "
                   "update_id) from postrider.inbox");
}
std::string turns(intake_world const& w) {
    return w.value("select count(*) filter (where not input ? 'command') || ' ' || "
                   "count(*) filter (where input ->> 'command' = '(unread)') from postrider.job");
}

// covers: X.23
TEST(files_without_words, start_a_flow_that_takes_them) {
    for (bool const is_taken : {true, false}) {
        intake_world w;
        w.flows.takes_files = is_taken;
        ASSERT_TRUE(w.accept(part(1, "")));

        EXPECT_EQ(turns(w), is_taken ? "1 0" : "0 1");
        EXPECT_EQ(w.value("select input -> 'file' ->> 'source' from postrider.job"), "BQAC");
        EXPECT_EQ(w.value("select input -> 'file' ->> 'name' from postrider.job"), "report.pdf");
    }
}

TEST(albums, are_explained_once) {
    for (int const most : {0, 20}) {
        intake_world w;
        w.fern.settings.messages_per_minute = most;
        for (int n = 1; n <= 3; ++n) ASSERT_TRUE(w.accept(part(n, "a")));
        EXPECT_FALSE(w.accept(part(1, "a"))->is_new);

        EXPECT_EQ(dispositions(w), "job, ignored no_text, ignored no_text");
        EXPECT_EQ(turns(w), "0 1");
        EXPECT_EQ(w.value("select count(*) from postrider.message"), "1");

        EXPECT_EQ(w.accept(part(4, "b")).value().disposition, "job") << "another one";
        EXPECT_EQ(turns(w), "0 2");
    }
}

TEST(albums, with_words_are_one_turn_that_knows_each_file) {
    intake_world w;

    ASSERT_TRUE(w.accept(part(1, "a", "summarise these")));
    ASSERT_TRUE(w.accept(part(2, "a", "", "table.xlsx")));
    EXPECT_EQ(w.accept(part(3, "a", "and this", "notes.docx"))->disposition, "event");
    EXPECT_FALSE(w.accept(part(3, "a", "and this", "notes.docx"))->is_new);

    EXPECT_EQ(dispositions(w), "job, event, event");
    EXPECT_EQ(turns(w), "1 0");
    EXPECT_EQ(files_of(w), "file \"report.pdf\", file \"table.xlsx\", file \"notes.docx\"");
    EXPECT_EQ(w.value("select content from postrider.message"), "summarise these\nand this");
}

// As Telegram's clients send files: the words stand below the last.
TEST(albums, whose_last_part_has_the_words_are_one_turn) {
    intake_world w;

    ASSERT_TRUE(w.accept(part(1, "a")));
    ASSERT_TRUE(w.accept(part(2, "a", "", "table.xlsx")));
    EXPECT_EQ(w.accept(part(3, "a", "compare these", "notes.docx"))->disposition, "event");
    ASSERT_TRUE(w.accept(part(4, "a", "", "late.docx")));

    EXPECT_EQ(turns(w), "1 0") << "nothing is explained";
    EXPECT_EQ(w.value("select content from postrider.message"), "compare these");
    EXPECT_EQ(names_of_files(w), "report.pdf table.xlsx notes.docx late.docx");
    EXPECT_EQ(
        files_of(w),
        "file \"report.pdf\", file \"table.xlsx\", file \"notes.docx\", file \"late.docx\""
    );
}

TEST(albums, of_text_files_are_one_turn_that_reads_them_all) {
    intake_world w;

    ASSERT_TRUE(w.accept(part(1, "a", "", "one.txt")));
    ASSERT_TRUE(w.accept(part(2, "a", "", "two.csv")));
    EXPECT_EQ(w.accept(part(3, "a", "compare these", "three.md"))->disposition, "event");
    ASSERT_TRUE(w.accept(part(4, "a")));

    EXPECT_EQ(dispositions(w), "job, event, event, event");
    EXPECT_EQ(turns(w), "1 0");
    EXPECT_EQ(w.value("select content from postrider.message"), "compare these")
        << "in place of what the first part was";
    EXPECT_EQ(names_of_files(w), "one.txt two.csv three.md report.pdf");
    EXPECT_EQ(w.value("select input ->> 'attachment' from postrider.job"), "file \"report.pdf\"");
}

// What came before the command is the command's, whether it could be read or not, and nothing else answers it.
TEST(albums, belong_to_the_command_that_a_later_part_has) {
    for (auto const* first : {"report.pdf", "notes.txt"}) {
        intake_world w;

        ASSERT_TRUE(w.accept(part(1, "a", "", first)));
        ASSERT_TRUE(w.accept(part(2, "a", "", "table.xlsx")));
        EXPECT_EQ(w.accept(part(3, "a", "/knowledge plants"))->disposition, "job");
        ASSERT_TRUE(w.accept(part(4, "a", "", "late.docx")));

        EXPECT_EQ(
            w.value("select string_agg((input ->> 'command') || ' ' || (input ? 'silent'), ', ' "
                    "order by job_id) from postrider.job"),
            "(unread) true, /knowledge false"
        ) << first;
        EXPECT_EQ(names_of_files(w), std::string(first) + " table.xlsx report.pdf late.docx");
        EXPECT_EQ(
            w.value("select input ->> 'argument' from postrider.job where not input ? 'silent'"),
            "plants"
        );
    }
}

TEST(albums, whose_first_part_has_the_command_are_the_commands_as_a_whole) {
    intake_world w;

    ASSERT_TRUE(w.accept(part(1, "a", "/knowledge plants")));
    ASSERT_TRUE(w.accept(part(2, "a", "", "table.xlsx")));
    ASSERT_TRUE(w.accept(part(3, "a", "", "notes.txt")));

    EXPECT_EQ(dispositions(w), "job, event, event");
    EXPECT_EQ(names_of_files(w), "report.pdf table.xlsx notes.txt");
}

// A command leaves the turn alone that answers other messages, too.
TEST(albums, leave_a_turn_its_media_that_took_the_place_of_another) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));
    ASSERT_TRUE(w.accept(part(2, "a", "", "notes.txt")));
    w.database.execute("update postrider.job set state = 'completed', finished_at = now(), output "
                       "= jsonb_build_object('coalesced_into', (select max(job_id) from "
                       "postrider.job)) where job_id = (select min(job_id) from postrider.job)");

    EXPECT_EQ(w.accept(part(3, "a", "/knowledge plants"))->disposition, "event");

    EXPECT_EQ(w.value("select count(*) from postrider.job where input ? 'silent'"), "0");
}

// A word about it stands behind the answer to what was said before.
TEST(files_without_words, that_nothing_can_read_are_explained_in_the_order_of_the_chat) {
    for (bool const is_queue : {true, false}) {
        intake_world w;
        if (!is_queue) w.flows.manner.emplace().mailbox = "interrupt";
        ASSERT_TRUE(w.accept(w.body(1, alex, "think long")));
        ASSERT_TRUE(w.accept(part(2, "")));

        EXPECT_EQ(
            w.value("select string_agg(l.lane_key, ' ' order by j.job_id) from postrider.job j "
                    "join postrider.lane l using (lane_id)"),
            is_queue ? "1:10:0 1:10:0" : "1:10:0 commands:1:10:0"
        );
        EXPECT_EQ(turns(w), "1 1");
    }
}

TEST(albums, of_pictures_are_one_turn_that_sees_them_all) {
    intake_world w;

    ASSERT_TRUE(w.accept(photo(1, "a")));
    ASSERT_TRUE(w.accept(photo(2, "a", "which one is sharper?")));
    ASSERT_TRUE(w.accept(photo(3, "a")));
    ASSERT_TRUE(w.accept(part(4, "a")));
    ASSERT_TRUE(w.accept(photo(5, "b")));

    EXPECT_EQ(dispositions(w), "job, event, event, event, job");
    EXPECT_EQ(turns(w), "2 0");
    EXPECT_EQ(files_of(w, "order by job_id limit 1"), "file \"report.pdf\" photo1 photo2 photo3");
    EXPECT_EQ(
        w.value("select string_agg(content, ' | ' order by job_id) from postrider.message"),
        "which one is sharper? | (image)"
    );
}

// Its turn has begun, and does not read its input again.
TEST(albums, whose_turn_has_begun_leave_what_comes_late_a_turn_of_its_own) {
    intake_world w;
    ASSERT_TRUE(w.accept(photo(1, "a", "look")));
    w.database.execute(
        "insert into postrider.step (job_id, key, attempt, seq, outcome, started_at, ended_at, "
        "node_id, result) select job_id, 'assistant/model', 1, 1, 'done', now(), now(), 1, '{}' "
        "from postrider.job"
    );

    ASSERT_TRUE(w.accept(photo(2, "a")));
    ASSERT_TRUE(w.accept(photo(3, "a")));

    EXPECT_EQ(dispositions(w), "job, job, event");
    EXPECT_EQ(files_of(w, "order by job_id desc limit 1"), " photo2 photo3");
}

// Of an album that is said to the bot in a group, the words stand below the first part alone.
TEST(albums, in_a_group_are_said_to_the_bot_as_a_whole) {
    intake_world w;

    ASSERT_TRUE(w.accept(in_group(photo(1, "a", "@fern_bot what are these?"))));
    EXPECT_EQ(w.accept(in_group(photo(2, "a")))->disposition, "event");
    EXPECT_EQ(w.accept(in_group(photo(3, "b")))->disposition, "ignored") << "to the others";

    EXPECT_EQ(dispositions(w), "job, event, ignored not_addressed");
    EXPECT_EQ(files_of(w), " photo1 photo2");
}

TEST(albums, in_a_group_have_files_that_nothing_can_read) {
    intake_world w;

    ASSERT_TRUE(w.accept(in_group(part(1, "a", "@fern_bot what are these?"))));
    EXPECT_EQ(w.accept(in_group(part(2, "a", "", "table.xlsx")))->disposition, "event");
    EXPECT_EQ(w.accept(in_group(part(3, "b")))->disposition, "ignored") << "to the others";

    EXPECT_EQ(dispositions(w), "job, event, ignored no_text");
    EXPECT_EQ(names_of_files(w), "report.pdf table.xlsx");
}

// What was said to others is not stored, and belongs to the turn all the same.
TEST(albums, in_a_group_may_say_in_a_later_part_that_they_are_for_the_bot) {
    for (bool const stores_the_rest : {false, true}) {
        intake_world w;
        w.flows.stores_the_rest = stores_the_rest;

        ASSERT_TRUE(w.accept(in_group(photo(1, "a"))));
        ASSERT_TRUE(w.accept(in_group(part(2, "a", "", "table.xlsx"))));
        ASSERT_TRUE(w.accept(in_group(photo(3, "b"))));
        EXPECT_EQ(w.value("select count(*) from postrider.job"), "0");
        EXPECT_EQ(w.accept(in_group(part(4, "a", "@fern_bot compare")))->disposition, "job");
        EXPECT_EQ(w.accept(in_group(part(5, "a", "", "late.docx")))->disposition, "event");

        EXPECT_EQ(names_of_files(w), "photo.jpg table.xlsx report.pdf late.docx");
        EXPECT_EQ(
            files_of(w), "file \"table.xlsx\", file \"report.pdf\", file \"late.docx\" photo1"
        );
    }
}

// The reply names one of its files; the others are remembered for a while.
TEST(albums, in_a_group_are_told_as_a_whole_to_whoever_replies_to_a_part) {
    intake_world w;
    ASSERT_TRUE(w.accept(in_group(part(1, "a", "", "one.pdf"))));
    ASSERT_TRUE(w.accept(in_group(part(2, "a", "", "two.pdf"))));
    auto reply = boost::json::parse(in_group(w.body(3, alex, "/knowledge plants")));
    reply.at("message").as_object()["reply_to_message"] =
        boost::json::parse(in_group(part(2, "a", "", "two.pdf"))).at("message");

    ASSERT_TRUE(w.accept(boost::json::serialize(reply)));

    EXPECT_EQ(
        w.value("select (input -> 'replied' -> 'file' ->> 'name') || ' ' || (input -> 'replied' -> "
                "'files' -> 0 ->> 'name') || ' ' || (input -> 'replied' ->> 'album') || ' ' || "
                "(input -> 'replied' ->> 'message') from postrider.job"),
        "two.pdf one.pdf a 1002"
    );
}

TEST(albums, count_towards_the_limit_of_messages) {
    intake_world w;
    w.fern.settings.messages_per_minute = 2;

    for (int n = 1; n <= 3; ++n) ASSERT_TRUE(w.accept(part(n, "a")));

    EXPECT_EQ(dispositions(w), "job, ignored no_text, ignored messages_per_minute");
}

// As Telegram does, it sends again what was not stored: nodes that lock one lane at once may be refused it.
base::awaitable<void> keep(intake& at, bot_settings const& bot, std::string body, bool& stored) {
    for (int tries = 0; tries < 20 && !stored; ++tries) {
        auto const outcome = co_await at.accept(bot, body);
        stored = outcome.has_value();
    }
}

TEST(albums, whose_parts_come_to_two_nodes_at_once_are_explained_once) {
    intake_world w;
    storage::batcher_options batching;
    batching.name = "other";
    auto const writes =
        storage::make_batcher(w.loop.executor(), w.database.options(), std::move(batching));
    agent::flow::execution_intake executions(*writes, w.slots, base::system_clock());
    auto const other = make_intake(
        executions, w.moves, w.flows, w.presses, base::system_clock(), base::system_random()
    );
    std::array<bool, 10> stored{};
    base::task_group group(w.loop.executor());
    for (std::size_t n = 0; n < stored.size(); ++n)
        group.spawn(
            "accept",
            keep(
                n % 2 == 0 ? *w.inbox : *other,
                w.fern.settings,
                part(static_cast<std::int64_t>(n), "a"),
                stored[n]
            )
        );
    w.loop.run(group.join());
    writes->close();

    EXPECT_TRUE(std::ranges::all_of(stored, std::identity()));
    EXPECT_EQ(turns(w), "0 1");
    EXPECT_EQ(
        w.value("select count(*) from postrider.inbox where reason = 'no_text'"),
        std::to_string(stored.size() - 1)
    );
}

} // namespace
} // namespace postrider::telegram::albums_test
