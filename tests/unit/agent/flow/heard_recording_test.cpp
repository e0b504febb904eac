// Voice messages as an agent hears them.
#include "agent/flow/budgets.hpp"
#include "agent/models/transcription.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::heard_recording_test {

namespace {

namespace flow = agent::flow;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct scripted_transcriber final : agent::transcriber {
    agent::transcription_options const& options() const override { return terms; }
    base::awaitable<base::result<std::string>> transcribe(agent::recording speech) override {
        heard.push_back(std::move(speech));
        co_return text;
    }
    base::result<std::string> text = std::string("How often do I water a fern?");
    std::vector<agent::recording> heard;
    agent::transcription_options terms{.base_url = "http://whisper"};
};

auto const listening =
    flow_builder("listening").trigger("In", "telegram.message").agent("Ask").text();

struct heard_recording : testing::Test {
    heard_recording() {
        w.chat.files["AwAC"] = "OggS";
        w.adjust = [this](flow::node_services& services) { services.transcription = &whisper; };
        w.table.add(
            {{"lane_id", base::raw(w.job.lane)},
             {"job_id", base::raw(w.job.id)},
             {"conversation_id", base::raw(w.job.conversation)},
             {"position", 0},
             {"role", "user"},
             {"content", "(voice message)"},
             {"id", "question"}}
        );
    }

    queue::outcome hear(bool is_wordless = true) {
        flow::execution_input input;
        input.flow = "listening";
        input.version = 1;
        input.trigger = "in";
        flow::heard_message heard{.from = {bot_id{1}, chat_id{7}, {}}, .user = user_id{7}};
        heard.file = agent::message_file{"AwAC", "voice.ogg", "audio/ogg", 4};
        heard.is_spoken = true;
        heard.length = length;
        heard.wordless = is_wordless;
        input.heard = std::move(heard);
        return w.run(std::move(input));
    }
    std::string const& asked() const { return w.model.requests.at(0).messages.back().content; }
    std::vector<std::string> recorded() const {
        std::vector<std::string> rows;
        for (auto const& write : w.record.writes)
            if (write.statement->name == "keep_transcript") rows.push_back(write.row);
        return rows;
    }

    // The rows of the audit about the recording.
    std::vector<std::string> audited() const {
        std::vector<std::string> rows;
        for (auto const& write : w.record.writes)
            if (write.statement->name.starts_with("record_audit") &&
                write.row.find("whisper-1") != write.row.npos)
                rows.push_back(write.row);
        return rows;
    }

    std::chrono::seconds length{61};
    scripted_transcriber whisper;
    flow_world w{listening};
};

TEST_F(heard_recording, is_what_the_person_said) {
    w.model.script = {says("Weekly.")};

    EXPECT_FALSE(hear().degraded);

    EXPECT_EQ(asked(), "How often do I water a fern?");
    ASSERT_THAT(whisper.heard, SizeIs(1));
    EXPECT_EQ(whisper.heard[0].name, "voice.ogg");
    EXPECT_EQ(whisper.heard[0].bytes, "OggS");
    EXPECT_THAT(
        recorded(),
        ElementsAre(HasSubstr(R"("spoken":"How often do I water a fern?","wordless":true)"))
    );
}

TEST_F(heard_recording, stands_behind_its_caption) {
    w.table.rows.back()["content"] = "Listen:";
    w.model.script = {says("Weekly.")};

    hear(false);

    EXPECT_EQ(asked(), "Listen:\n\nHow often do I water a fern?");
}

// covers: E.08
TEST_F(heard_recording, is_written_down_once) {
    w.model.script = {says("Weekly.")};
    auto const first = hear();

    auto const again = w.run();

    EXPECT_EQ(again.output, first.output);
    EXPECT_THAT(whisper.heard, SizeIs(1));
    EXPECT_THAT(recorded(), SizeIs(1));
}

TEST_F(heard_recording, costs_its_seconds_and_stands_in_the_audit) {
    whisper.terms.price_per_minute = 6000;
    w.model.script = {says("Weekly.")};

    hear();

    EXPECT_EQ(w.record.paid.cost_micro, 6100);
    ASSERT_THAT(audited(), SizeIs(1));
    EXPECT_THAT(audited()[0], HasSubstr("model_call"));
    EXPECT_THAT(audited()[0], HasSubstr("answered"));
}

TEST_F(heard_recording, that_failed_costs_nothing_and_stands_in_the_audit) {
    whisper.terms.price_per_minute = 6000;
    whisper.text = base::error(base::errc::invalid, "no speech");
    w.model.script = {says("I could not hear it.")};

    hear();

    EXPECT_EQ(w.record.paid.cost_micro, 0);
    ASSERT_THAT(audited(), SizeIs(1));
    EXPECT_THAT(audited()[0], HasSubstr("invalid"));
}

TEST_F(heard_recording, that_no_budget_pays_ends_the_turn_in_words) {
    whisper.text = agent::refusal({"user", "7", "cost", 10'000, true, "2026-11-24 00:00 UTC"});
    w.others["listening"] = w.graph;

    auto const ended = hear();

    EXPECT_EQ(ended.state, queue::job_state::failed);
    EXPECT_THAT(w.model.requests, IsEmpty());
    std::string rows;
    for (auto const& write : ended.writes) rows += write.row;
    EXPECT_THAT(rows, HasSubstr("your budget of"));
    EXPECT_THAT(rows, HasSubstr("2026-11-24 00:00 UTC"));
}

TEST_F(heard_recording, that_is_longer_than_allowed_is_not_sent) {
    whisper.terms.longest = std::chrono::seconds{60};
    w.model.script = {says("I could not hear it.")};

    hear();

    EXPECT_THAT(whisper.heard, IsEmpty());
    EXPECT_THAT(
        w.model.requests.at(0).trailing_context,
        HasSubstr("voice message that could not be written down")
    );
}

TEST_F(heard_recording, that_cannot_be_written_down_is_said_to_the_model) {
    whisper.text = base::error(base::errc::invalid, "no speech");
    w.model.script = {says("I could not hear it.")};

    auto const ended = hear();

    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(ended.degraded->reason, "documents_missing");
    EXPECT_EQ(asked(), "(voice message)");
    EXPECT_THAT(
        w.model.requests.at(0).trailing_context,
        HasSubstr("voice message that could not be written down")
    );
    EXPECT_THAT(recorded(), IsEmpty());
}

} // namespace

} // namespace postrider::tests::heard_recording_test
