// scripts/run around a server that is killed, or told to stop. Packages, build and server are stand-ins.
#include "tests/end_to_end/server/child.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::run_script_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

class run_script : public testing::Test {
protected:
    run_script() {
        fs::create_directories(folder_ / "scripts");
        fs::copy_file("scripts/run", folder_ / "scripts/run");
        program("scripts/setup", "exit 0");
        program(
            "scripts/build",
            "mkdir -p build/$1 && cp program build/$1/postrider && echo build/$1/postrider"
        );
    }
    ~run_script() override { fs::remove_all(folder_); }

    // What the server does; every start stands in the file "starts".
    void serve_by(std::string const& lines) {
        program(
            "program", "echo \"start $* ${POSTRIDER_FAULTS-without a fault}\" >> starts\n" + lines
        );
    }
    child run(environment const& more = {}) {
        return {{(folder_ / "scripts/run").string(), "--flag"}, folder_ / "output", more};
    }
    std::string starts() const { return read_file(folder_ / "starts"); }

    fs::path const folder_ =
        fs::temp_directory_path() / ("run_script_" + std::to_string(::getpid()));

private:
    void program(std::string const& path, std::string const& lines) {
        write_file(folder_ / path, "#!/bin/bash\n" + lines + "\n");
        fs::permissions(folder_ / path, fs::perms::owner_all);
    }
};

TEST_F(run_script, starts_a_killed_server_again_and_without_its_fault) {
    serve_by("[ \"$(wc -l < starts)\" -gt 1 ] || kill -KILL $$\nexit 3");

    auto script = run({{"POSTRIDER_FAULTS", "turn.before_send:kill"}});

    EXPECT_EQ(script.wait(20s), 3);
    EXPECT_EQ(
        starts(), "start serve --flag turn.before_send:kill\nstart serve --flag without a fault\n"
    );
    EXPECT_THAT(
        script.output(),
        HasSubstr("scripts/run: the server was killed. It starts again, without POSTRIDER_FAULTS.")
    );
}

TEST_F(run_script, gives_up_where_the_server_is_killed_again_and_again) {
    serve_by("kill -KILL $$");

    auto script = run();

    EXPECT_EQ(script.wait(30s), 137);
    EXPECT_THAT(script.output(), HasSubstr("It is not started again."));
}

TEST_F(run_script, a_server_that_ends_by_itself_stays_down) {
    serve_by("exit 1");

    auto script = run();

    EXPECT_EQ(script.wait(20s), 1);
    EXPECT_EQ(starts(), "start serve --flag without a fault\n");
    EXPECT_THAT(script.output(), Not(HasSubstr("killed")));
}

TEST_F(run_script, starts_the_optimised_program_for_a_real_bot_and_where_it_is_built) {
    serve_by("echo $0 >> programs\nexit 1");

    run().wait(20s);
    run({{"TELEGRAM_BOT_TOKEN", "123:secret"}}).wait(20s);
    run().wait(20s);

    EXPECT_EQ(
        read_file(folder_ / "programs"),
        "build/demo/postrider\nbuild/release/postrider\nbuild/release/postrider\n"
    );
}

TEST_F(run_script, its_own_end_is_the_servers) {
    serve_by("trap 'echo told >> starts; exit 0' TERM\n: > listens\nwhile :; do sleep 0.05; done");
    {
        auto const script = run();
        ASSERT_TRUE(eventually([&] { return fs::exists(folder_ / "listens"); }));
    }

    EXPECT_EQ(starts(), "start serve --flag without a fault\ntold\n");
}

} // namespace
} // namespace postrider::tests::run_script_test
