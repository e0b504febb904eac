// Groups that a flow watches: what is stored of each update, in one commit.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::watched_groups_test {
namespace {

// Everything of the group is the guard's.
class guard final : public message_flows {
public:
    std::optional<chosen_flow> choose(
        bot_settings const&, agent::flow::heard_message const&, said_words
    ) const override {
        ++chosen;
        return std::nullopt;
    }
    std::optional<chosen_flow> choose_watching(bot_settings const&, watched_update const& incident)
        const override {
        if (!watches) return std::nullopt;
        chosen_flow choice;
        choice.flow = "guard";
        choice.version = 2;
        choice.trigger = std::string(to_string(incident.event));
        return choice;
    }

    std::set<agent::group_event> watched_events(bot_settings const&) const override {
        return {agent::group_event::message};
    }

    mutable int chosen = 0;
    bool watches = true;
};

struct watched_group : intake_world {
    guard flow;

    watched_group() {
        inbox = make_intake(
            *executions, moves, flow, presses, base::system_clock(), base::system_random()
        );
    }
    std::string fate(std::string const& body) { return std::string(accept(body)->disposition); }
    std::string jobs() {
        return value("select string_agg((input->>'trigger') || ':' || kind, ' ' order by job_id) "
                     "from postrider.job");
    }
};

std::string body(std::int64_t update, std::string const& kind, std::string const& members) {
    return R"({"update_id":)" + std::to_string(update) + R"(,")" + kind +
           R"(":{"chat":{"id":-100,"type":"supergroup"},)" + members + "}}";
}

std::string const from_stranger = R"("from":{"id":666,"first_name":"Eve"})";

// Each part is a message of its own, and the command reads the files of all of them.
TEST(watched_groups, a_command_waits_for_the_other_parts_of_its_album) {
    watched_group w;
    auto const part = [](std::int64_t number, std::string const& caption) {
        return body(
            number,
            "message",
            R"("message_id":)" + std::to_string(number) +
                R"(,"media_group_id":"13","document":{"file_id":"a"},"caption":")" + caption +
                R"(","from":{"id":10,"first_name":"Al"})"
        );
    };

    EXPECT_EQ(w.fate(part(7, "/knowledge plants")), "job");
    EXPECT_EQ(w.fate(part(8, "")), "job");

    EXPECT_EQ(
        w.value("select string_agg(coalesce(input ->> 'command', 'turn') || ' ' || (input ? "
                "'album'), ', ' order by job_id) from postrider.job"),
        "/knowledge true, turn false"
    );
}

// covers: S4.01
TEST(watched_groups, every_message_starts_a_job_in_the_lane_of_its_chat) {
    watched_group w;
    EXPECT_EQ(w.fate(in_group(1, alex, "hello all")), "job");
    EXPECT_EQ(w.fate(in_group(2, alex, "@fern_bot what?")), "job") << "said to the bot";
    EXPECT_EQ(
        w.fate(body(3, "message", R"("message_id":7,"sticker":{"emoji":"🌿"},)" + from_stranger)),
        "job"
    );
    EXPECT_EQ(
        w.fate(body(
            4,
            "message",
            R"("message_id":8,"text":"ad","sender_chat":{"id":-8,"title":"Shop"},"from":{"id":136817688,"is_bot":true})"
        )),
        "job"
    );

    EXPECT_EQ(w.jobs(), "message:turn message:turn message:turn message:turn");
    EXPECT_EQ(w.value("select count(distinct lane_id) from postrider.job"), "1");
    EXPECT_EQ(w.flow.chosen, 0) << "no other flow is asked";
    EXPECT_EQ(
        w.value(
            "select string_agg(content || '/' || coalesce(sender_name, ''), ', ' order by job_id) "
            "from postrider.message"
        ),
        "hello all/Al, @fern_bot what?/Al, (sticker \"🌿\")/Eve, ad/Shop"
    );
    EXPECT_EQ(
        w.value(
            "select string_agg(number_elsewhere::text, ' ' order by job_id) from postrider.message"
        ),
        "1001 1002 7 8"
    ) << "each is found by its number";
    EXPECT_EQ(
        w.value("select input #>> '{seen,media}' from postrider.job where input ? 'seen' "
                "and input #>> '{seen,media}' is not null"),
        "sticker"
    );
}

TEST(watched_groups, an_update_starts_one_job) {
    watched_group w;
    EXPECT_TRUE(w.accept(in_group(1, alex, "hello"))->is_new);
    EXPECT_FALSE(w.accept(in_group(1, alex, "hello"))->is_new);
    auto const edit =
        body(2, "edited_message", R"("message_id":1001,"text":"buy",)" + from_stranger);
    EXPECT_TRUE(w.accept(edit)->is_new);
    EXPECT_FALSE(w.accept(edit)->is_new);
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "2");
}

// covers: S4.07
TEST(watched_groups, an_edit_is_stored_with_what_was_said_before_and_starts_a_job) {
    watched_group w;
    w.fate(in_group(1, alex, "hello"));
    w.database.execute("update postrider.job set state = 'completed', finished_at = now()");
    auto const edited = body(
        2, "edited_message", R"("message_id":1001,"text":"buy now","edit_date":5,)" + from_stranger
    );

    EXPECT_EQ(w.fate(edited), "job");

    EXPECT_EQ(w.value("select content from postrider.message"), "buy now");
    EXPECT_EQ(w.value("select earlier #>> '{0,content}' from postrider.message"), "hello");
    EXPECT_EQ(
        w.value("select (input #>> '{seen,text}') || '/' || kind from postrider.job "
                "where input #>> '{seen,event}' = 'edit'"),
        "buy now/flow"
    );
}

TEST(watched_groups, a_message_is_edited_however_many_stand_behind_it) {
    watched_group w;
    w.fate(in_group(1, alex, "hello"));
    w.database.execute("update postrider.job set state = 'completed', finished_at = now(); "
                       "select postrider.idle_lanes(array(select lane_id from postrider.lane))");
    w.database.execute("insert into postrider.message (lane_id, job_id, conversation_id, position, "
                       "role, id, content) "
                       "select lane_id, job_id + n, conversation_id, 1, 'user', 'm' || n, 'later' "
                       "from postrider.message, generate_series(1, 600) n");
    w.fate(body(2, "edited_message", R"("message_id":1001,"text":"buy now",)" + from_stranger));

    EXPECT_EQ(
        w.value("select content from postrider.message where telegram_message_id = 1001"), "buy now"
    );
}

TEST(watched_groups, members_reactions_and_requests_start_jobs) {
    watched_group w;
    EXPECT_EQ(
        w.fate(body(
            1,
            "chat_member",
            R"("from":{"id":10},"old_chat_member":{"user":{"id":666},"status":"left"},
               "new_chat_member":{"user":{"id":666,"first_name":"Eve"},"status":"member"})"
        )),
        "job"
    );
    EXPECT_EQ(
        w.fate(body(
            2,
            "message_reaction",
            R"("message_id":7,"user":{"id":666},"old_reaction":[],"new_reaction":[{"type":"emoji","emoji":"🔥"}])"
        )),
        "job"
    );
    EXPECT_EQ(w.fate(body(3, "chat_join_request", from_stranger)), "job");

    EXPECT_EQ(w.jobs(), "member:flow reaction:flow join_request:flow");
    EXPECT_EQ(w.value("select count(*) from postrider.message"), "0");
}

TEST(watched_groups, a_group_that_no_flow_watches_is_as_before) {
    watched_group w;
    w.flow.watches = false;
    EXPECT_EQ(w.fate(in_group(1, alex, "hello")), "ignored");
    EXPECT_EQ(
        w.fate(body(2, "message_reaction", R"("message_id":7,"user":{"id":666})")), "ignored"
    );
    EXPECT_EQ(
        w.value("select string_agg(reason, ' ' order by update_id) from postrider.inbox"),
        "not_addressed kind:message_reaction"
    );
    EXPECT_EQ(w.flow.chosen, 1);
}

} // namespace
} // namespace postrider::telegram::watched_groups_test
