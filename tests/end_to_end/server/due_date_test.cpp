// A task with a due date, made in a chat without any model, and the reminder that comes of it.
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::due_date_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::StartsWith;

// A bot that the todo agent runs, by rules.
class due_date : public testing::Test {
protected:
    due_date() {
        write_file(
            scene_.product().folder() / "postrider.toml",
            "[bots.main]\nagent = 'todo'\n[agents.todo]\nmodel = 'default'\n"
        );
    }

    std::string reminders() const {
        return scene_.value("select coalesce(string_agg(input ->> 'text', ', ' order by name), '') "
                            "from postrider.schedule where kind = 'reminder'");
    }

    scene scene_{{{"ANTHROPIC_API_KEY", ""}}};
};

// Killed before and behind the commit of the task.
// covers: S2.05 E.14
TEST_F(due_date, reminds_once_in_the_chat_however_often_the_server_dies) {
    auto& product = scene_.product();
    product.start({{"POSTRIDER_FAULTS", "tasks.before_commit:kill"}});
    scene_.say(alice, "remind me to call Ann tomorrow at 9:30");
    ASSERT_TRUE(product.wait_for_exit(20s)) << product.log();
    product.launch({{"POSTRIDER_FAULTS", "tasks.after_commit:kill"}});
    ASSERT_TRUE(product.wait_for_exit(20s)) << product.log();
    product.start();
    ASSERT_TRUE(scene_.replies(1)) << product.log();
    scene_.say(alice, "remind me to buy milk tomorrow at 10");
    ASSERT_TRUE(scene_.replies(2)) << product.log();
    EXPECT_EQ(reminders(), "#1 call Ann, #2 buy milk");
    scene_.say(alice, "done with the milk");
    ASSERT_TRUE(scene_.replies(3)) << product.log();
    EXPECT_EQ(reminders(), "#1 call Ann");

    // Its time has come.
    scene_.database.execute("update postrider.schedule set at = postrider.now()");
    ASSERT_TRUE(scene_.replies(4)) << product.log();
    ASSERT_TRUE(scene_.settles());

    EXPECT_THAT(
        scene_.texts(),
        ElementsAre(
            StartsWith("Created task: call Ann"),
            StartsWith("Created task: buy milk"),
            StartsWith("Completed task: buy milk"),
            "⏰ #1 call Ann"
        )
    );
    EXPECT_EQ(reminders(), "");
}

} // namespace
} // namespace postrider::tests::due_date_test
