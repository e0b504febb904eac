// What agents remember for long: the tools, whose it is, how it is found, and what becomes of it when the message that it
// comes from does not stay.
#include "tests/integration/agent/memories_world.hpp"

#include <array>

namespace postrider::tests::memories_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using namespace std::chrono_literals;
namespace json = boost::json;
namespace recall = agent::recall;

using memories = memories_fixture;

// covers: S4.10
TEST_F(memories, are_stored_at_once_and_found_by_words) {
    remember("Ann's dog is called Rex.");
    remember("Ann likes green tea.");

    EXPECT_THAT(
        answer_of("recall", {{"query", "What are my dogs called?"}}),
        AllOf(HasSubstr("Rex"), Not(HasSubstr("tea")))
    );
    EXPECT_THAT(answer_of("recall"), AllOf(HasSubstr("Rex"), HasSubstr("tea")));
    EXPECT_THAT(answer_of("recall", {{"query", "Where is the submarine?"}}), HasSubstr("Nothing"));
    EXPECT_EQ(
        w.value("select string_agg(kind || ' ' || user_id, ',') from "
                "postrider.memory"),
        "note 5,note 5"
    );
}

TEST_F(memories, that_somebody_asks_for_again_stay_for_the_longer_time) {
    json::object const for_a_day{{"text", "The dog is called Rex."}, {"days", 1}};
    answer_of("remember", for_a_day);
    w.execute("update postrider.memory set kind = 'fact', expires_at = postrider.now()");
    EXPECT_THAT(answer_of("recall"), HasSubstr("Nothing"));

    answer_of("remember", for_a_day);
    EXPECT_THAT(answer_of("recall"), HasSubstr("Rex"));
    EXPECT_EQ(w.value("select kind || (expires_at is null) from postrider.memory"), "notefalse");
    remember("The dog is called Rex.");
    answer_of("remember", for_a_day);
    EXPECT_EQ(w.value("select expires_at is null from postrider.memory"), "t");
}

TEST_F(memories, have_the_message_that_asked_for_them_as_their_source) {
    remember("The dog is called Rex.");

    EXPECT_EQ(
        w.value("select lane_id || ' ' || job_id || ' ' || position || ' ' || user_id "
                "from postrider.memory_source"),
        fmt::format("{} {} 0 5", base::raw(lane_), base::raw(job_.id))
    );
}

TEST_F(memories, of_a_group_go_with_it_to_the_supergroup_that_it_becomes) {
    auto const in_group = [this](chat_id chat) { requester.chat = chat; };
    in_group(chat_id{-77});
    remember("The dog is called Rex.");
    remember("They meet on Fridays.");
    in_group(chat_id{-10077});
    remember("They meet on Fridays.");

    w.execute("insert into postrider.chat (bot_id, chat_id, migrated_to) values (1, -77, -10077)");

    EXPECT_THAT(answer_of("recall"), AllOf(HasSubstr("Rex"), HasSubstr("Fridays")));
    EXPECT_EQ(count(), "2") << "none is there twice";
    in_group(chat_id{-77});
    remember("Ann bakes the cake."); // of a turn that began before
    in_group(chat_id{-10077});
    EXPECT_THAT(answer_of("recall"), HasSubstr("cake"));
    requester.bot = bot_id{2};
    EXPECT_THAT(answer_of("recall"), HasSubstr("Nothing")) << "another bot's";
}

TEST_F(memories, are_found_in_the_language_of_their_text) {
    remember("Ihre Hunde heißen Rex und Bello.");
    remember("Она любит зелёный чай и собак.");
    remember("Le chien de mon frère s'appelle Médor.");

    EXPECT_THAT(found_by("Wie heißt mein Hund?", 0.5), ElementsAre(HasSubstr("Bello")));
    EXPECT_THAT(found_by("Какой чай она любит?", 0.5), ElementsAre(HasSubstr("чай")));
    EXPECT_THAT(found_by("Comment s'appelle le chien ?", 0.5), ElementsAre(HasSubstr("Médor")));
    EXPECT_THAT(found_by("Who is Bello?"), ElementsAre(HasSubstr("Bello")))
        << "a name as it stands";
}

TEST_F(memories, of_a_language_without_stems_are_found_by_whole_words) {
    auto const language_of = [&](std::string const& text, std::string const& usual) {
        return w.value("select postrider.memory_language('" + text + "', '', '" + usual + "')");
    };
    EXPECT_EQ(language_of("Ihre Hunde und die Katze", ""), "de");
    EXPECT_EQ(language_of("Ihre Hunde und die Katze", "en"), "de");
    EXPECT_EQ(w.value("select postrider.memory_language('Ihre Hunde', 'fr', 'en')"), "fr");
    EXPECT_EQ(language_of("Rex 17", ""), "");
    EXPECT_EQ(language_of("Rex barks", "en"), "en");
    EXPECT_EQ(language_of("dog", ""), "") << "a language that leaves out all words is not meant";
    EXPECT_EQ(w.value("select postrider.memory_configuration('')"), "simple");
    EXPECT_EQ(w.value("select postrider.memory_configuration('de')"), "german");
    remember("Kutya neve Rex.");

    EXPECT_THAT(found_by("Rex?"), ElementsAre(HasSubstr("Kutya")));
}

// "dog" is a small word of Danish, which leaves nothing of it to be looked for.
TEST_F(memories, are_found_by_words_that_a_language_leaves_out) {
    remember("The dog is called Rex.");

    EXPECT_THAT(found_by("dog"), ElementsAre(HasSubstr("Rex")));
    EXPECT_EQ(
        w.value("select query::text from postrider.memory_words('dog', 'da', true)"), "'dog'"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.memory_words('dog Rex', 'da', false)"), "2")
        << "a language that is only guessed";
    EXPECT_EQ(w.value("select count(*) from postrider.memory_words('dog Rex', 'da', true)"), "1");
    EXPECT_THAT(found_by("How are you?"), IsEmpty()) << "all of them, or it says nothing";
}

TEST_F(memories, without_small_words_are_of_their_owners_language) {
    remember("Rex barks loudly");
    EXPECT_EQ(w.value("select language from postrider.memory"), "");
    EXPECT_THAT(found_by("barking"), IsEmpty());

    w.execute("insert into postrider.person (user_id, language, changed_at) "
              "values (5, 'en', now())");
    remember("Tom barks quietly");

    EXPECT_EQ(
        w.value("select string_agg(language, ',' order by memory_id) from postrider.memory"), ",en"
    );
    EXPECT_THAT(found_by("barking"), ElementsAre("Tom barks quietly"));
    w.execute("update postrider.person set language = null, timezone = 'Europe/Berlin'");
    EXPECT_EQ(w.value("select postrider.owner_language(5, 0, 1)"), "en")
        << "that of most of their memories";
}

// covers: X.21
TEST_F(memories, are_as_they_were_when_a_job_began) {
    remember("The dog is called Rex.");
    w.execute("insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
              "input, created_at, started_at, finished_at) "
              "select 77, lane_id, 1, 0, 'completed', 'turn', '{}', postrider.now(), "
              "postrider.now(), postrider.now() from postrider.lane limit 1");
    remember("The other dog is called Bello.");
    recall::recall_question question;
    question.owner = {bot_id{1}, user_id{5}, {}};
    question.text = "What are the dogs called?";
    EXPECT_EQ(found_by(question).size(), 2u);

    question.as_of = job_id{77};

    EXPECT_THAT(found_by(question), ElementsAre("The dog is called Rex."));
}

TEST_F(memories, take_any_characters_of_a_question) {
    remember("Rex barks.");

    for (auto const* text :
         {"'rex' & | ! ( ) : * \\ \" '", "rex:*", "\\'rex", "🙂 rex", "rex/rex@rex.example"})
        EXPECT_NO_THROW(found_by(text)) << text;
    EXPECT_THAT(found_by("🙂 'rex' | \\"), ElementsAre("Rex barks."));
}

TEST_F(memories, with_more_of_the_rare_words_come_first_and_those_below_the_score_not_at_all) {
    for (auto const* tea : {"green", "black", "white", "red"})
        remember(fmt::format("Ann likes the {} tea.", tea));

    EXPECT_EQ(found_by("Does Ann like green tea?").front(), "Ann likes the green tea.");
    EXPECT_THAT(found_by("Does Ann like green tea?", 0.9), ElementsAre("Ann likes the green tea."));
}

// covers: S4.10
TEST_F(memories, belong_to_the_person_in_one_bot_or_to_the_group) {
    remember("The password of the shed is 'fern'.");
    auto const id = w.value("select memory_id from postrider.memory");

    for (auto const& stranger : std::array<agent::requester, 4>{
             {{.bot = bot_id{1}, .chat = chat_id{6}, .user = user_id{6}},
              {.bot = bot_id{2}, .chat = chat_id{5}, .user = user_id{5}},
              {.bot = bot_id{1}, .chat = chat_id{-9}, .user = user_id{5}},
              {.chat = {}, .user = user_id{5}, .conversation = "c"}}}) {
        requester = stranger;
        EXPECT_THAT(answer_of("recall", {{"query", "shed password"}}), HasSubstr("Nothing"));
        EXPECT_THAT(answer_of("recall"), HasSubstr("Nothing"));
        EXPECT_THAT(answer_of("forget", {{"id", std::stoll(id)}}), HasSubstr("no such memory"));
    }
    EXPECT_EQ(count(), "1");

    requester = {.bot = bot_id{1}, .chat = chat_id{-9}, .user = user_id{5}};
    remember("The group meets on Mondays.");
    requester.user = user_id{6};
    EXPECT_THAT(
        answer_of("recall", {{"query", "When does the group meet?"}}), HasSubstr("Mondays")
    );
}

TEST_F(memories, are_forgotten_by_their_id) {
    remember("The dog is called Rex.");
    auto const id = std::stoll(w.value("select memory_id from postrider.memory"));

    EXPECT_THAT(answer_of("forget", {{"id", id}}), HasSubstr("Rex"));

    EXPECT_EQ(count(), "0");
    EXPECT_EQ(count("memory_source"), "0");
    EXPECT_THAT(answer_of("forget", {{"id", id}}), HasSubstr("no such memory"));
}

TEST_F(memories, are_nobodys_where_nobody_asks_or_is_answered) {
    requester.is_silent = true;
    EXPECT_THAT(answer_of("remember", {{"text", "x"}}), HasSubstr("error"));
    EXPECT_THAT(answer_of("forget", {{"id", 1}}), HasSubstr("error"));
    requester = {};
    EXPECT_THAT(answer_of("remember", {{"text", "x"}}), HasSubstr("error"));
    EXPECT_THAT(answer_of("recall"), HasSubstr("error"));
    EXPECT_EQ(count(), "0");
}

// A commit whose answer was lost is sent again.
TEST_F(memories, are_there_once_however_often_they_are_written) {
    recall::new_memory note{
        .key = "call:1", .owner = {bot_id{1}, user_id{5}, {}}, .text = "Rex barks."};
    commit({recall::add_memory(note)});
    commit({recall::add_memory(note)});
    note.key = "call:2";
    commit({recall::add_memory(note)});
    note.text = "Rex sleeps.";
    commit({recall::add_memory(note)});

    EXPECT_THAT(found_by("Rex"), ElementsAre("Rex sleeps.", "Rex barks."));
}

// covers: X.10
TEST_F(memories, go_when_their_message_is_edited_or_deleted) {
    for (auto const* change :
         {"update postrider.message set content = 'something else' where job_id = ",
          "update postrider.message set removed_at = postrider.now() where job_id = ",
          "delete from postrider.message where job_id = "}) {
        said_by(user_id{5}, "My dog is called Rex.");
        remember("The dog is called Rex.");
        w.execute(
            "update postrider.message set delivery = 'sent', content = content where job_id = " +
            base::to_string(job_.id)
        );
        EXPECT_EQ(count(), "1") << "nothing was said anew";

        w.execute(change + base::to_string(job_.id));

        EXPECT_EQ(count(), "0") << change;
    }
}

// An edit that comes while a job reads the message: what the job made of the old text is not stored.
// covers: X.10
TEST_F(memories, are_not_stored_where_a_source_is_another_by_now) {
    auto const digest = w.value("select md5(content) from postrider.message");
    recall::new_memory fact{.key = "job:1", .owner = {bot_id{1}, user_id{5}, {}}};
    fact.kind = recall::memory_kind::fact;
    fact.text = "The dog is called Rex.";
    fact.sources.push_back({lane_, job_.id, 0, digest});
    fact.needs_sources = true;
    w.execute("update postrider.message set content = 'Forget it.'");

    commit({recall::add_memory(fact)});
    EXPECT_EQ(count(), "0");

    fact.sources.front().digest = w.value("select md5(content) from postrider.message");
    commit({recall::add_memory(fact)});
    EXPECT_EQ(count(), "1");
}

TEST_F(memories, that_expire_are_not_found_and_go) {
    ASSERT_THAT(
        answer_of("remember", {{"text", "The plumber comes."}, {"days", 3}}),
        HasSubstr("remembered")
    );
    EXPECT_THAT(found_by("plumber"), ElementsAre("The plumber comes."));

    w.execute("update postrider.memory set expires_at = postrider.now() - interval '1 s'");

    EXPECT_THAT(found_by("plumber"), IsEmpty());
    EXPECT_THAT(answer_of("recall"), HasSubstr("Nothing"));
    EXPECT_EQ(w.value("select postrider.prune_memories()"), "1");
    EXPECT_EQ(count(), "0");
}

// What somebody asked to remember outlives the message; what a job found in it does not.
TEST_F(memories, of_messages_that_retention_deletes_go_but_for_notes) {
    remember("The dog is called Rex.");
    recall::new_memory fact{.key = "job:1", .owner = {bot_id{1}, user_id{5}, {}}};
    fact.kind = recall::memory_kind::fact;
    fact.text = "The cat is called Tom.";
    fact.sources.push_back({lane_, job_.id, 0});
    commit({recall::add_memory(fact)});
    w.execute("update postrider.message set created_at = postrider.now() - interval '40 days'");

    EXPECT_EQ(w.value("select postrider.prune_messages('30 days')"), "1");

    EXPECT_EQ(
        w.value("select string_agg(content, ',') from postrider.memory"), "The dog is called Rex."
    );
}

TEST_F(memories, whose_messages_a_model_is_shown_are_left_out) {
    remember("The dog is called Rex.");
    auto const first = job_.id;
    said_by(user_id{5}, "More.");
    remember("The cat is called Tom.");

    recall::recall_question question;
    question.owner = {bot_id{1}, user_id{5}, {}};
    question.text = "How is it called?";
    question.shown_lane = lane_;
    question.shown_since = job_.id;
    EXPECT_THAT(found_by(question), ElementsAre("The dog is called Rex."));
    question.shown_since = first;
    EXPECT_THAT(found_by(question), IsEmpty());
    question.shown_lane = lane_id{99};
    EXPECT_EQ(found_by(question).size(), 2u);
}

} // namespace
} // namespace postrider::tests::memories_test
