// The samples in deploy/, the image and the compose file say the same, and what the program does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace postrider::tests::deployment_test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string text_of(std::string const& file) {
    std::ifstream in(file);
    EXPECT_TRUE(in) << file;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

int number_after(std::string const& text, std::string const& words) {
    std::smatch found;
    EXPECT_TRUE(std::regex_search(text, found, std::regex(words + "[^0-9\n]*([0-9]+)"))) << words;
    return found.empty() ? -1 : std::stoi(found[1]);
}

TEST(deployment, agrees_on_the_port) {
    auto const port = std::to_string(
        number_after(text_of("docs/configuration.md"), "`POSTRIDER_LISTEN` \\| `127.0.0.1:")
    );

    EXPECT_THAT(text_of("Dockerfile"), HasSubstr("EXPOSE " + port));
    EXPECT_THAT(text_of("Dockerfile"), HasSubstr("POSTRIDER_LISTEN=0.0.0.0:" + port));
    EXPECT_THAT(text_of("docker-compose.yml"), HasSubstr("127.0.0.1:" + port + ":" + port));
    EXPECT_THAT(text_of("docker-compose.yml"), HasSubstr("POSTRIDER_UPSTREAM: postrider:" + port));
    EXPECT_THAT(text_of("deploy/nginx.conf"), HasSubstr("server 127.0.0.1:" + port));
    EXPECT_THAT(
        text_of("deploy/postrider.service"), HasSubstr("POSTRIDER_LISTEN=127.0.0.1:" + port)
    );
}

TEST(deployment, agrees_on_the_user_and_the_folder) {
    auto const image = text_of("Dockerfile");
    auto const compose = text_of("docker-compose.yml");
    auto const uid = std::to_string(number_after(image, "USER "));

    EXPECT_THAT(image, HasSubstr("--uid " + uid));
    EXPECT_THAT(compose, HasSubstr("user: \"" + uid + ":" + uid + "\""));
    EXPECT_THAT(image, HasSubstr("POSTRIDER_DATA=/data"));
    EXPECT_THAT(compose, HasSubstr("data:/data"));
    EXPECT_THAT(
        text_of("deploy/postrider.service"), HasSubstr("POSTRIDER_DATA=/var/lib/postrider")
    );
}

// Whoever stops the process must not kill it while it drains.
TEST(deployment, waits_for_the_drain) {
    constexpr int behind_the_drain = 10; // open answers, the connections to Postgres
    auto const compose = text_of("docker-compose.yml");
    auto const product = compose.substr(compose.find("\n  postrider:"));
    auto const unit = text_of("deploy/postrider.service");

    EXPECT_GE(
        number_after(product, "stop_grace_period"),
        number_after(product, "POSTRIDER_DRAIN_TIMEOUT") + behind_the_drain
    );
    EXPECT_GE(
        number_after(unit, "TimeoutStopSec"),
        number_after(unit, "POSTRIDER_DRAIN_TIMEOUT") + behind_the_drain
    );
}

TEST(deployment, keeps_connections_shorter_than_the_server) {
    auto const server = number_after(text_of("docs/reference.md"), "idle connection \\|");

    EXPECT_LT(number_after(text_of("deploy/nginx.conf"), "keepalive_timeout"), server);
    EXPECT_LT(number_after(text_of("deploy/Caddyfile"), "keepalive"), server);
}

// systemd's own opinion of the unit: a misspelt setting is only warned of at boot.
TEST(deployment, has_a_unit_that_systemd_understands) {
    if (std::system("command -v systemd-analyze >/dev/null") != 0)
        GTEST_SKIP() << "systemd-analyze is not installed: it comes with the package systemd";
    auto unit = text_of("deploy/postrider.service");
    std::string const program = "/usr/local/bin/postrider"; // is only there where it is installed
    ASSERT_THAT(unit, HasSubstr("ExecStart=" + program));
    unit.replace(unit.find(program), program.size(), "/bin/true");
    auto pattern = (std::filesystem::temp_directory_path() / "postrider-unit-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(pattern.data()));
    std::filesystem::path const folder = pattern;
    std::ofstream(folder / "postrider.service") << unit;

    auto const complaints = folder / "complaints";
    auto const command = "systemd-analyze verify --man=no --recursive-errors=no " +
                         (folder / "postrider.service").string() + " >" + complaints.string() +
                         " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << text_of(complaints);

    std::filesystem::remove_all(folder);
}

// V8 ends by a signal where memory that was written must not be run. Children inherit the setting.
TEST(deployment, lets_servers_of_tools_compile_at_run_time) {
    EXPECT_THAT(
        text_of("deploy/postrider.service"),
        Not(ContainsRegex("(^|\n)MemoryDenyWriteExecute *= *(yes|true|on|1)"))
    );
}

TEST(deployment, is_documented) {
    auto const manual = text_of("docs/install.md");
    for (auto const& entry : std::filesystem::directory_iterator("deploy"))
        EXPECT_THAT(manual, HasSubstr("deploy/" + entry.path().filename().string()));
    EXPECT_THAT(manual, HasSubstr("docker-compose.yml"));
}

} // namespace
} // namespace postrider::tests::deployment_test
