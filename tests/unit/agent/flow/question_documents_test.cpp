// What a model reads of the text files that came with a message.
#include "agent/flow/run/question_documents.hpp"
#include "base/json/json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::question_documents_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

auto const reading = flow_builder("reading")
                         .trigger("In", "telegram.message")
                         .agent("Ask")
                         .part("Sum", "tool.calculator")
                         .text();

agent::message_file file(std::string source, std::string name, std::string mime = "text/plain") {
    return {std::move(source), std::move(name), std::move(mime), 10};
}

struct question_documents : testing::Test {
    flow::execution_input hearing(std::vector<agent::message_file> files) {
        flow::execution_input input;
        input.flow = "reading";
        input.version = 1;
        input.trigger = "in";
        flow::heard_message heard{.from = {bot_id{1}, chat_id{7}, {}}, .user = user_id{7}};
        heard.file = files.front();
        heard.more_files.assign(files.begin() + 1, files.end());
        input.heard = std::move(heard);
        return input;
    }
    queue::outcome hear(std::vector<agent::message_file> files) {
        return w.run(hearing(std::move(files)));
    }
    std::string const& asked(std::size_t request = 0) const {
        return w.model.requests.at(request).messages.at(0).content;
    }
    // Of the message's row: what later turns read.
    json::value stored() const {
        json::value documents;
        for (auto const& write : w.record.writes)
            if (write.statement->name == "keep_documents")
                documents = base::parse_json(write.row).value().at("documents");
        return documents;
    }

    flow_world w{reading};
};

TEST_F(question_documents, are_loaded_once_and_read_in_every_round) {
    w.chat.files["notes"] = "Water the fern.";
    w.model.script = {calls({{"calculator", {{"expression", "1+1"}}}}), says("On Mondays.")};

    EXPECT_FALSE(hear({file("notes", "notes.txt")}).degraded);

    ASSERT_THAT(w.model.requests, SizeIs(2));
    for (std::size_t round = 0; round < 2; ++round)
        EXPECT_THAT(asked(round), EndsWith("\nWater the fern.\n</untrusted_text>"));
    EXPECT_EQ(w.chat.loaded, 1);
    json::object const document{{"name", "notes.txt"}, {"text", "Water the fern."}};
    EXPECT_EQ(stored(), json::value(json::array{document}));
}

TEST_F(question_documents, of_an_album_are_read_together) {
    w.chat.files["page"] =
        "<html><head><meta charset=latin1></head><p>caf\xe9</p><script>x</script></html>";
    w.chat.files["marked"] = std::string("\xff\xfeh\0i\0", 6);
    w.model.script = {says("I see.")};

    hear(
        {file("page", "page.html", "text/html"),
         file("photo", "photo.jpg", "image/jpeg"),
         file("marked", "marked.txt")}
    );

    EXPECT_THAT(asked(), HasSubstr("\ncafé\n"));
    EXPECT_THAT(asked(), HasSubstr("\nhi\n"));
    EXPECT_THAT(asked(), Not(HasSubstr("script")));
    EXPECT_EQ(w.chat.loaded, 2) << "a picture is no text";
}

TEST_F(question_documents, are_cut_where_they_are_too_long) {
    w.chat.files["long"] = std::string(flow::most_document_text + 100, 'x');
    w.chat.files["short"] = "behind it";
    w.model.script = {says("I see.")};

    hear({file("long", "long.txt"), file("short", "short.txt")});

    EXPECT_THAT(asked(), HasSubstr("x\n(The text is cut here: it has 60100 bytes.)"));
    EXPECT_THAT(asked(), HasSubstr("(The text is cut here: it has 9 bytes.)"));
    EXPECT_THAT(asked(), Not(HasSubstr("behind it")));
}

TEST_F(question_documents, that_cannot_be_read_are_named) {
    w.chat.files["binary"] = std::string("a\0b", 3);
    w.model.script = {says("I cannot read them.")};

    auto const ended = hear({file("binary", "binary.txt"), file("gone", "gone.txt")});

    EXPECT_EQ(ended.state, queue::job_state::completed);
    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(ended.degraded->reason, "documents_missing");
    EXPECT_THAT(asked(), HasSubstr("\"binary.txt\""));
    EXPECT_THAT(asked(), HasSubstr("(the file holds no text)"));
    EXPECT_THAT(asked(), HasSubstr("(the file could not be loaded)"));
}

TEST_F(question_documents, are_asked_for_again_where_the_messenger_fails_for_a_moment) {
    w.chat.files["notes"] = "Water the fern.";
    w.chat.load_failures = {base::error(base::errc::unavailable)};
    w.model.script = {says("On Mondays.")};

    EXPECT_FALSE(hear({file("notes", "notes.txt")}).degraded);
    EXPECT_THAT(asked(), HasSubstr("Water the fern."));
}

TEST_F(question_documents, are_given_up_where_the_messenger_fails_again) {
    w.chat.files["notes"] = "Water the fern.";
    w.chat.load_failures = {
        base::error(base::errc::unavailable), base::error(base::errc::unavailable)};
    w.model.script = {says("I cannot read it.")};

    auto const ended = hear({file("notes", "notes.txt")});

    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(ended.degraded->reason, "documents_missing");
    EXPECT_THAT(asked(), HasSubstr("(the file could not be loaded)"));
}

// covers: E.08
TEST_F(question_documents, are_not_loaded_for_what_the_record_has) {
    w.chat.files["notes"] = "Water the fern.";
    w.model.script = {says("On Mondays.")};
    auto const first = hear({file("notes", "notes.txt")});

    auto const again = w.run();

    EXPECT_EQ(again.output, first.output);
    EXPECT_EQ(w.chat.loaded, 1);
}

// A flow's own data may have a member of that name.
TEST_F(question_documents, are_those_of_the_message_alone) {
    w.chat.files["notes"] = "Water the fern.";
    w.model.script = {says("Hello.")};
    auto input = hearing({file("notes", "notes.txt")});
    input.start = "ask";
    input.data = json::object{{"text", "Hello"}, {"file", {{"id", "flow:1"}}}};

    w.run(std::move(input));

    EXPECT_EQ(w.chat.loaded, 0);
}

} // namespace

} // namespace postrider::tests::question_documents_test
