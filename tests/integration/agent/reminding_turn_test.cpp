// A turn of the assistant that sets a reminder, on the real engine.
#include "tests/integration/agent/approvals_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::reminding_turn_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class reminding_turn : public approvals {
protected:
    reminding_turn() {
        graph_ = assistant_graph();
        model.script = {
            calls({{"remind", {{"text", "call Ann"}, {"when", "2031-01-01T10:00:00Z"}}}}),
            says("I will.")};
    }
};

// covers: X.03
TEST_F(reminding_turn, sets_it_for_its_person_and_chat_with_the_commit_of_its_step) {
    // The scheduler changes the row soon, and with it the row's own xmin.
    for (auto const* statement :
         {"create table public.written (writer xid8)",
          "create function public.note_writer() returns trigger language plpgsql as "
          "$$ begin insert into public.written values (pg_current_xact_id()); return new; end $$",
          "create trigger noted after insert on postrider.schedule "
          "for each row execute function public.note_writer()",
          "create trigger noted after insert on postrider.step "
          "for each row when (new.key like '%/tool:1') execute function public.note_writer()"})
        w.execute(statement);
    say("Remind me to call Ann on new year 2031");
    until_over(1);

    EXPECT_THAT(told(), HasSubstr("is set for 2031-01-01T10:00:00Z (UTC): call Ann"));
    EXPECT_EQ(
        w.value("select concat_ws(' ', kind, lane_key, input ->> 'place', input ->> 'user' = "
                "j.\"user\", "
                "input ->> 'lane') from postrider.schedule cross join "
                "(select input ->> 'user' as \"user\" from postrider.job limit 1) j"),
        "reminder schedule:reminders:" + base::to_string(lane_) + " 1:7 t " + base::to_string(lane_)
    );
    EXPECT_EQ(
        w.value("select count(*) || ' rows by ' || count(distinct writer) from public.written"),
        "2 rows by 1"
    );
    ASSERT_THAT(chat.sent, SizeIs(1));
    EXPECT_THAT(chat.sent[0].content.text, HasSubstr("remind")) << "what changed is told by code";
}

} // namespace
} // namespace postrider::tests::reminding_turn_test
