#include "tests/end_to_end/server/todo_scene.hpp"

#include "tests/end_to_end/server/child.hpp"

#include <algorithm>

namespace postrider::tests {

using namespace std::chrono_literals;

namespace {

constexpr auto patience = 60s;

} // namespace

environment without_a_model() {
    return {{"ANTHROPIC_API_KEY", ""}};
}

todo_scene::todo_scene(environment more) : scene(std::move(more)) {
    write_file(
        product().folder() / "postrider.toml",
        "[bots.main]\nagent = 'todo'\n[agents.todo]\nmodel = 'default'\n"
    );
}

void todo_scene::keep_task(std::string const& title) {
    auto const owner = base::to_string(alice);
    database.execute(
        "insert into postrider.task_owner (user_id) values (" + owner +
        ") on conflict do nothing; "
        "with o as (update postrider.task_owner set last_task_id = last_task_id + 1 "
        "           where user_id = " +
        owner +
        " returning *) "
        "insert into postrider.task (user_id, task_id, title) select user_id, last_task_id, $$" +
        title + "$$ from o"
    );
}

std::string todo_scene::tasks() const {
    return value(
        "select coalesce(string_agg(task_id || ' ' || title || case when completed_at is null then "
        "'' else ' done' end, ', ' order by task_id), '') from postrider.task where user_id = " +
        base::to_string(alice)
    );
}

bool todo_scene::until(std::function<bool()> const& condition) {
    return eventually(
        [&] {
            if (product().wait_for_exit(0ms)) {
                ++deaths_;
                product().start();
            }
            return condition();
        },
        patience
    );
}

testing::AssertionResult todo_scene::answers(std::string const& text, std::string const& answer) {
    auto const before = std::ranges::count(texts(), answer);
    say(alice, text);
    if (until([&] { return std::ranges::count(texts(), answer) > before; }))
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no \"" << answer << "\" to \"" << text << "\", but "
                                       << testing::PrintToString(texts()) << '\n'
                                       << product().log();
}

testing::AssertionResult todo_scene::comes_to_rest() {
    if (until([&] { return settles(0s); })) return testing::AssertionSuccess();
    return testing::AssertionFailure() << product().log();
}

} // namespace postrider::tests
