// A press below a catch: who may, and what it comes to.
// covers: X.09 S4.17
#include "agent/moderation/press_job.hpp"
#include "agent/talk/refusal_words.hpp"
#include "base/json/json.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::press_job_test {
namespace {

namespace json = boost::json;
using agent::catch_choice;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr user_id ada{5};
constexpr user_id eve{7};
agent::spam::catch_key const key{chat_id{-100}, telegram_message_id{50}, eve};

class noting_chat final : public agent::refusing_messenger {
public:
    explicit noting_chat(recording_chat& chat)
        : refusing_messenger(base::error(base::errc::refused, "not in this test")),
          chat_(chat) {}

    base::awaitable<base::result<telegram_message_id>> send(agent::outgoing message) override {
        return chat_.send(std::move(message));
    }
    base::awaitable<base::result<void>> edit(
        agent::address to, telegram_message_id message, agent::message_content content
    ) override {
        return chat_.edit(to, message, std::move(content));
    }
    base::awaitable<base::result<std::vector<agent::chat_member>>> get_administrators(
        agent::address to
    ) override {
        return chat_.get_administrators(to);
    }
    base::awaitable<std::string> get_title(agent::address) override { co_return title; }
    base::awaitable<base::result<void>> moderate(agent::address to, agent::moderation act)
        override {
        return chat_.moderate(to, std::move(act));
    }
    base::awaitable<base::result<void>> answer_press(
        agent::address, std::string, std::string note, bool
    ) override {
        notes.push_back(std::move(note));
        co_return base::result<void>{};
    }
    std::vector<agent::message_content> split(
        agent::address const& to, agent::message_content content
    ) const override {
        return chat_.split(to, std::move(content));
    }

    agent::address current(agent::address const& to) const override {
        auto now = to;
        if (now.chat == key.chat && moved_to) now.chat = *moved_to;
        return now;
    }

    std::vector<std::string> notes;
    std::string title;               // of the group
    std::optional<chat_id> moved_to; // the group became a supergroup

private:
    recording_chat& chat_;
};

struct admin_chat {
    admin_chat() {
        table.others = [this](storage::write const& question) { return answer(question); };
        job.id = job_id{100};
        job.lane = lane_id{1};
        job.run_no = 1;
        job.kind = std::string(agent::catch_press_kind);
        make_admin(agent::member_standing::administrator, true);
    }

    void make_admin(agent::member_standing standing, bool may_restrict) {
        agent::chat_member member;
        member.user = ada;
        member.standing = standing;
        member.may_restrict = may_restrict;
        chat.administrators = {member};
    }

    std::optional<storage::rows> answer(storage::write const& question) const {
        if (question.statement->name == "spoken_message") return storage::rows{};
        if (question.statement->name == "album_parts")
            return storage::rows{
                storage::row{{"0", std::optional<std::string>("49")}},
                storage::row{{"0", std::optional<std::string>("50")}}};
        if (question.statement->name != "read_catch") return std::nullopt;
        if (!is_known) return storage::rows{};
        return storage::rows{storage::row{
            {"0",
             "-100",
             "50",
             "7",
             caught_by_bot,
             std::nullopt,
             "Eve",
             album,
             action,
             "1",
             R"({"points": 130, "threshold": 100, "reason": "Spam: links",
                 "checks": [{"check": "links", "points": 130, "reason": "it has 2 links"}]})",
             "earn money",
             "filter",
             undone_by,
             "-200",
             "900"}}};
    }

    queue::outcome run(int dies_at_commit = 0) {
        auto const kind = agent::make_catch_presses(out, table, random);
        fake_workflow steps{job, record};
        steps.dies_at_commit = dies_at_commit;
        queue::workflow handle(steps);
        auto outcome = io.run(kind.run(handle));
        steps.finish(outcome);
        return outcome;
    }

    queue::outcome press(catch_choice choice, bool is_owner = false) {
        agent::press press;
        press.user = ada;
        press.name = "Ada";
        press.message = telegram_message_id{900};
        press.id = "query";
        job.input =
            agent::catch_press_input({choice, key}, press, {bot_id{1}, chat_id{-200}}, is_owner);
        auto outcome = run();
        EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
        return outcome;
    }

    std::vector<json::value> rows(std::string_view statement) const {
        std::vector<json::value> all;
        for (auto const& write : record.writes)
            if (write.statement->name == statement)
                all.push_back(base::parse_json(write.row).value());
        return all;
    }
    std::vector<std::string> operations() const {
        std::vector<std::string> all;
        for (auto const& [place, act] : chat.moderated)
            all.emplace_back(to_json(act).at("operation").as_string());
        return all;
    }

    loop io;
    counting_random random;
    message_table table;
    recording_chat chat;
    noting_chat out{chat};
    queue::job job;
    fake_record record;
    std::string album;
    bool is_known = true;
    std::string caught_by_bot = "1";
    std::string action = "ban";
    std::optional<std::string> undone_by;
};

TEST(catch_press, not_spam_unbans_approves_and_teaches) {
    admin_chat w;
    w.press(catch_choice::not_spam);

    EXPECT_THAT(w.operations(), ElementsAre("unban"));
    ASSERT_THAT(w.rows("unban_members"), SizeIs(1));
    EXPECT_EQ(w.rows("unban_members")[0].at("whose"), "user:5");
    ASSERT_THAT(w.rows("train_samples"), SizeIs(1));
    EXPECT_EQ(w.rows("train_samples")[0].at("kind"), "ham");
    EXPECT_EQ(w.rows("train_samples")[0].at("content"), "earn money");
    EXPECT_EQ(w.rows("withdraw_texts")[0].at("kind"), "spam");
    EXPECT_THAT(w.rows("undo_catches"), SizeIs(1));
    ASSERT_THAT(w.chat.edited, SizeIs(1));
    EXPECT_EQ(w.chat.edited[0].first, telegram_message_id{900});
    EXPECT_THAT(w.chat.edited[0].second.text, HasSubstr("Not spam: Ada"));
    EXPECT_THAT(w.chat.edited[0].second.buttons, IsEmpty());
}

TEST(catch_press, names_the_group_after_a_decision) {
    admin_chat w;
    w.out.title = "Gardeners";
    w.press(catch_choice::ban);

    EXPECT_THAT(w.chat.edited.at(0).second.text, HasSubstr("7 in the group Gardeners (-100)"));
}

TEST(catch_press, not_spam_lifts_a_restriction) {
    admin_chat w;
    w.action = "restrict";
    w.press(catch_choice::not_spam);

    EXPECT_THAT(w.operations(), ElementsAre("unban", "unrestrict"));
}

TEST(catch_press, not_spam_counts_once) {
    admin_chat w;
    w.undone_by = "user:6";
    w.press(catch_choice::not_spam);

    EXPECT_THAT(w.operations(), IsEmpty());
    EXPECT_THAT(w.rows("train_samples"), IsEmpty());
    EXPECT_THAT(w.out.notes, ElementsAre("It was no spam already."));
}

TEST(catch_press, ban_deletes_and_bans) {
    admin_chat w;
    w.action = "delete";
    w.press(catch_choice::ban);

    EXPECT_THAT(w.operations(), ElementsAre("delete", "ban"));
    EXPECT_EQ(w.rows("ban_members").at(0).at("whose"), "user:5");
    EXPECT_THAT(w.rows("raise_catches"), SizeIs(1)) << "an undo takes the ban back";
    EXPECT_THAT(w.rows("train_samples"), IsEmpty());
}

TEST(catch_press, why_lists_the_checks_and_leaves_the_buttons) {
    admin_chat w;
    w.press(catch_choice::reasons);

    ASSERT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_EQ(w.chat.sent[0].to.chat, chat_id{-200});
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("+130 points (links): it has 2 links"));
    EXPECT_THAT(w.chat.edited, IsEmpty());
    EXPECT_THAT(w.out.notes, ElementsAre(""));
}

TEST(catch_press, teaches_what_was_asked) {
    admin_chat w;
    w.press(catch_choice::learn_spam);

    EXPECT_EQ(w.rows("train_samples").at(0).at("kind"), "spam");
    EXPECT_EQ(w.rows("train_samples").at(0).at("origin"), "admin");
    EXPECT_EQ(w.rows("withdraw_texts").at(0).at("kind"), "ham");
    EXPECT_THAT(w.operations(), IsEmpty());
    admin_chat other;
    other.press(catch_choice::leave);
    EXPECT_THAT(other.rows("train_samples"), IsEmpty());
    EXPECT_THAT(other.chat.edited, SizeIs(1));
}

TEST(catch_press, of_somebody_else_changes_nothing) {
    for (auto const choice :
         {catch_choice::not_spam,
          catch_choice::ban,
          catch_choice::reasons,
          catch_choice::learn_spam,
          catch_choice::learn_ham,
          catch_choice::leave}) {
        admin_chat w;
        w.make_admin(agent::member_standing::member, true);
        w.press(choice);
        EXPECT_THAT(w.operations(), IsEmpty());
        EXPECT_THAT(w.record.writes, IsEmpty());
        EXPECT_THAT(w.chat.edited, IsEmpty());
        EXPECT_THAT(w.chat.sent, IsEmpty());
        EXPECT_THAT(w.out.notes, ElementsAre("Only administrators of the group decide this."));
    }
}

// covers: X.02
TEST(catch_press, bans_nobody_who_was_let_in_while_the_ban_waited) {
    admin_chat w;
    w.table.undone = true;
    w.press(catch_choice::ban);

    EXPECT_THAT(w.operations(), ElementsAre("delete"));
    EXPECT_THAT(w.rows("ban_members"), IsEmpty());
    EXPECT_THAT(w.rows("raise_catches"), IsEmpty());
    EXPECT_THAT(w.chat.edited.at(0).second.text, HasSubstr("was let in again"));
}

TEST(catch_press, bans_and_unbans_take_the_right_to) {
    admin_chat w;
    w.make_admin(agent::member_standing::administrator, false);
    w.press(catch_choice::ban);
    EXPECT_THAT(w.operations(), IsEmpty());

    admin_chat asking;
    asking.make_admin(agent::member_standing::administrator, false);
    asking.press(catch_choice::reasons);
    EXPECT_THAT(asking.chat.sent, SizeIs(1));

    admin_chat owner;
    owner.chat.administrators.clear();
    owner.press(catch_choice::ban, true);
    EXPECT_THAT(owner.operations(), ElementsAre("delete", "ban"));
}

// Its owner is no owner of this bot, nor the other way round.
TEST(catch_press, of_another_bots_catch_tells_and_does_nothing) {
    admin_chat w;
    w.caught_by_bot = "2";
    w.press(catch_choice::reasons, true);
    w.press(catch_choice::learn_spam, true);

    EXPECT_THAT(w.chat.sent, IsEmpty());
    EXPECT_THAT(w.operations(), IsEmpty());
    EXPECT_EQ(w.out.notes.back(), "This message is not known any more.");
}

TEST(catch_press, of_what_is_not_known_any_more_says_so) {
    admin_chat w;
    w.is_known = false;
    w.press(catch_choice::ban);

    EXPECT_THAT(w.operations(), IsEmpty());
    EXPECT_THAT(w.out.notes, ElementsAre("This message is not known any more."));
}

TEST(catch_press, says_what_telegram_refused) {
    admin_chat w;
    w.chat.moderation_failures = {
        base::error(base::errc::refused, "no", agent::messenger_refusal::undeletable),
        base::error(base::errc::refused, "no", agent::messenger_refusal::of_administrator)};
    auto const outcome = w.press(catch_choice::ban);

    EXPECT_TRUE(outcome.degraded);
    EXPECT_THAT(
        w.chat.edited.at(0).second.text, HasSubstr("Not banned: the author is an administrator")
    );
    EXPECT_THAT(
        w.chat.edited.at(0).second.text, HasSubstr("Not deleted: Telegram does not delete")
    );
    EXPECT_THAT(w.rows("note_refusals"), SizeIs(1)) << "somebody has to look";
    EXPECT_THAT(w.rows("ban_members"), IsEmpty());
}

// What a dry run left there goes with the part that was caught.
TEST(catch_press, deletes_an_album_as_a_whole) {
    admin_chat w;
    w.album = "13";
    w.action = "dry_run";
    w.press(catch_choice::ban);

    auto const rows = w.rows("mark_removed");
    ASSERT_THAT(rows, SizeIs(1));
    EXPECT_EQ(rows[0].at("numbers"), (json::array{50, 49}));
    EXPECT_THAT(w.operations(), ElementsAre("delete", "ban"));
}

// There, its number is another message's.
TEST(catch_press, deletes_nothing_by_a_number_from_before_the_group_was_a_supergroup) {
    admin_chat w;
    w.out.moved_to = chat_id{-900};
    w.press(catch_choice::ban);

    EXPECT_THAT(w.operations(), ElementsAre("ban"));
    EXPECT_THAT(w.chat.edited.at(0).second.text, HasSubstr("Ada banned the author"));
    EXPECT_THAT(w.chat.edited.at(0).second.text, HasSubstr("from before the group became"));
    EXPECT_THAT(w.rows("ban_members"), SizeIs(1));
}

TEST(catch_press, is_done_once_wherever_the_process_dies) {
    int deaths = 0;
    for (int commit = 1;; ++commit) {
        admin_chat w;
        agent::press press;
        press.user = ada;
        press.message = telegram_message_id{900};
        press.id = "query";
        w.job.input = agent::catch_press_input(
            {catch_choice::not_spam, key}, press, {bot_id{1}, chat_id{-200}}, false
        );
        bool died = false;
        try {
            w.run(commit);
        } catch (fake_workflow::died const&) {
            died = true;
        }
        if (!died) break;
        ++deaths;
        SCOPED_TRACE(commit);
        if (!w.rows("undo_catches").empty()) w.undone_by = "user:5"; // by itself
        EXPECT_EQ(w.run().state, queue::job_state::completed);
        EXPECT_THAT(w.rows("train_samples"), SizeIs(1));
        EXPECT_THAT(w.rows("unban_members"), SizeIs(1));
        EXPECT_THAT(w.operations(), testing::Not(IsEmpty()));
        EXPECT_THAT(w.chat.edited, testing::Not(IsEmpty()));
    }
    EXPECT_GE(deaths, 2);
}

} // namespace
} // namespace postrider::tests::press_job_test
