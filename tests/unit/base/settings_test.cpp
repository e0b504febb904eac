#include "base/settings.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace postrider::base::settings_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr setting table[] = {
    {.key = "listen", .environment = "HOUSE_LISTEN", .fallback = "127.0.0.1:8080"},
    {.key = "engine.slots",
     .environment = "HOUSE_SLOTS",
     .type = setting_type::integer,
     .fallback = "32",
     .constraint = "1..1000"},
    {.key = "engine.lease",
     .environment = "HOUSE_LEASE",
     .type = setting_type::span,
     .fallback = "30s"},
    {.key = "token", .environment = "BOT_TOKEN", .type = setting_type::secret},
    {.key = "owners", .environment = "HOUSE_OWNERS", .type = setting_type::numbers},
    {.key = "names", .type = setting_type::words},
    {.key = "models.*.model", .fallback = "small"},
    {.key = "models.*.key", .type = setting_type::secret},
    {.key = "secrets.*.value", .environment = "HOUSE_SECRET_*", .type = setting_type::secret},
};

class layers : public testing::Test {
protected:
    layers()
        : folder_(
              std::filesystem::temp_directory_path() / ("settings." + std::to_string(getpid()))
          ) {
        std::filesystem::create_directories(folder_);
        sources.reserved_prefix = "HOUSE_";
    }
    ~layers() override { std::filesystem::remove_all(folder_); }

    std::string write(std::string_view name, std::string_view text) {
        auto const path = folder_ / name;
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }

    settings load() {
        auto loaded = load_settings(table, sources);
        problems = loaded.problems;
        return loaded.values;
    }

    settings_sources sources;
    std::vector<std::string> problems;

private:
    std::filesystem::path folder_;
};

TEST_F(layers, take_names_that_the_user_chose_from_the_environment) {
    sources.file = write("names.toml", "secrets.github.value = 'of-the-file'\n");
    sources.environment = {
        {"HOUSE_SECRET_GITHUB", "of-the-environment"},
        {"HOUSE_SECRET_SHOP_ONE_FILE", write("shop", "of-a-file\n")},
        {"HOUSE_SECRET_EMPTY", ""}};

    auto const loaded = load();

    EXPECT_THAT(problems, IsEmpty());
    EXPECT_THAT(loaded.names("secrets"), ElementsAre("github", "shop_one"));
    EXPECT_EQ(loaded.secret("secrets.github.value").reveal(), "of-the-environment");
    EXPECT_EQ(loaded.secret("secrets.shop_one.value").reveal(), "of-a-file");
}

TEST_F(layers, an_environment_file_is_between_the_environment_and_the_file) {
    sources.file = write("a.toml", "listen = \"file\"\n[engine]\nslots = 5\nlease = \"10s\"\n");
    sources.environment_file = parse_environment_file(
        "a.env", "HOUSE_LISTEN=shared\nHOUSE_SLOTS=6\nBOT_TOKEN_FILE=" + write("token", "t1\n")
    );
    sources.environment = {{"HOUSE_SLOTS", "7"}, {"BOT_TOKEN", "t2"}};

    auto const values = load();

    EXPECT_THAT(problems, IsEmpty());
    EXPECT_EQ(values.text("listen"), "shared");
    EXPECT_EQ(values.integer("engine.slots"), 7);
    EXPECT_EQ(values.span("engine.lease"), 10s);
    EXPECT_EQ(values.secret("token").reveal(), "t2");
    EXPECT_EQ(values.effective().front().source, "a.env:1");
}

TEST_F(layers, problems_of_an_environment_file_name_its_lines) {
    sources.environment_file =
        parse_environment_file("a.env", "HOUSE_SLOTS=many\nHOUSE_SLOT=5\nOTHER=x\nlisten\n");

    load();

    EXPECT_THAT(
        problems,
        ElementsAre(
            "a.env:4: the line is not NAME=value",
            HasSubstr("a.env:1: engine.slots"),
            HasSubstr("a.env:2: unknown key HOUSE_SLOT; did you mean HOUSE_SLOTS?")
        )
    );
}

TEST_F(layers, defaults_hold_where_nothing_is_given) {
    auto const values = load();
    EXPECT_THAT(problems, IsEmpty());
    EXPECT_EQ(values.text("listen"), "127.0.0.1:8080");
    EXPECT_EQ(values.integer("engine.slots"), 32);
    EXPECT_EQ(values.span("engine.lease"), 30s);
    EXPECT_TRUE(values.secret("token").empty());
    EXPECT_THAT(values.numbers("owners"), IsEmpty());
    EXPECT_THAT(values.names("models"), IsEmpty());
}

TEST_F(layers, flags_win_over_environment_over_file_over_defaults) {
    sources.file = write("a.toml", "listen = \"file\"\n[engine]\nslots = 5\nlease = \"10s\"\n");
    EXPECT_EQ(load().text("listen"), "file");
    sources.environment = {{"HOUSE_LISTEN", "environment"}, {"HOUSE_SLOTS", "6"}};
    EXPECT_EQ(load().text("listen"), "environment");
    sources.flags = {{"listen", "flag"}};
    auto const values = load();
    EXPECT_EQ(values.text("listen"), "flag");
    EXPECT_EQ(values.integer("engine.slots"), 6);
    EXPECT_EQ(values.span("engine.lease"), 10s);
    EXPECT_THAT(problems, IsEmpty());
}

TEST_F(layers, a_part_of_them_has_the_keys_behind_its_beginning) {
    sources.file = write("a.toml", "[engine]\nslots = 5\n");

    auto const engine = load().within("engine.");

    EXPECT_EQ(engine.integer("slots"), 5);
    EXPECT_EQ(engine.span("lease"), 30s);
    EXPECT_FALSE(engine.has("listen"));
    EXPECT_FALSE(engine.has("engine.slots"));
}

TEST_F(layers, an_empty_value_counts_as_not_given) {
    sources.file = write("a.toml", "listen = \"file\"\n");
    sources.environment = {{"HOUSE_LISTEN", ""}};
    EXPECT_EQ(load().text("listen"), "file");
    EXPECT_THAT(problems, IsEmpty());
}

TEST_F(layers, every_problem_is_told_with_its_place_and_the_others_go_on) {
    sources.file = write("a.toml", "listn = \"x\"\n[engine]\nslots = 0\nlease = 10\n");
    sources.environment = {{"HOUSE_SLOT", "5"}, {"HOUSE_OWNERS", "me"}, {"OTHER", "x"}};
    auto const values = load();
    EXPECT_THAT(
        problems,
        testing::UnorderedElementsAre(
            AllOf(HasSubstr("a.toml:1: unknown key listn"), HasSubstr("did you mean listen?")),
            HasSubstr("a.toml:3: engine.slots must be within 1..1000"),
            HasSubstr("a.toml:4: engine.lease must be a span of time"),
            AllOf(HasSubstr("unknown key HOUSE_SLOT"), HasSubstr("did you mean HOUSE_SLOTS?")),
            HasSubstr("HOUSE_OWNERS: owners must be a list of whole numbers")
        )
    );
    EXPECT_EQ(values.integer("engine.slots"), 32) << "a bad value leaves the one below it";
}

TEST_F(layers, an_unknown_section_is_one_mistake) {
    sources.file = write(
        "a.toml",
        "[engin]\nslots = 5\nlease = \"1s\"\n\n[modles.big]\nmodel = \"x\"\n\n[garden]\n\n"
        "[models.big.more]\nmodel = \"x\"\n\n[models.big]\nmodel = \"y\"\n"
    );

    auto const values = load();

    EXPECT_THAT(
        problems,
        testing::UnorderedElementsAre(
            HasSubstr("a.toml:1: unknown section [engin]; did you mean engine?"),
            HasSubstr("a.toml:5: unknown section [modles]; did you mean models?"),
            testing::EndsWith("a.toml:8: unknown section [garden]"),
            testing::EndsWith("a.toml:10: unknown section [models.big.more]")
        )
    );
    EXPECT_EQ(values.text("models.big.model"), "y");
}

TEST_F(layers, a_broken_file_is_told_with_its_line) {
    sources.file = write("a.toml", "listen = \"x\"\nslots = = 3\n");
    load();
    EXPECT_THAT(problems, ElementsAre(HasSubstr("a.toml:2: ")));
}

TEST_F(layers, a_missing_file_matters_only_when_it_was_asked_for) {
    sources.file = "no/such/file.toml";
    load();
    EXPECT_THAT(problems, IsEmpty());
    sources.file_required = true;
    load();
    EXPECT_THAT(problems, ElementsAre("cannot read the file no/such/file.toml"));
}

// A container that mounts a file that is not there makes a folder of its name.
TEST_F(layers, an_optional_file_that_cannot_be_read_is_a_problem) {
    for (std::string const file : {"/", "/dev/zero"}) {
        problems.clear();
        sources.file = file;
        load();
        EXPECT_THAT(problems, ElementsAre(HasSubstr(file)));
    }
}

TEST_F(layers, a_file_may_hold_the_value) {
    auto const secret_file = write("token", "123:ABC\r\n");
    sources.environment = {{"BOT_TOKEN_FILE", secret_file}};
    EXPECT_EQ(load().secret("token").reveal(), "123:ABC");
    sources.environment = {};
    sources.file = write("a.toml", "token_file = \"" + secret_file + "\"\n");
    EXPECT_EQ(load().secret("token").reveal(), "123:ABC");
    EXPECT_THAT(problems, IsEmpty());
}

TEST_F(layers, two_ways_to_give_one_value_are_a_problem) {
    sources.environment = {{"BOT_TOKEN", "a"}, {"BOT_TOKEN_FILE", "b"}};
    load();
    EXPECT_THAT(problems, ElementsAre(HasSubstr("BOT_TOKEN and BOT_TOKEN_FILE are both set")));
}

TEST_F(layers, a_missing_value_file_is_a_problem) {
    sources.environment = {{"BOT_TOKEN_FILE", "no/such/file"}};
    load();
    EXPECT_THAT(problems, ElementsAre("BOT_TOKEN_FILE: cannot read the file no/such/file"));
}

// A container that mounts a file that is not there makes a folder of its name.
TEST_F(layers, a_folder_or_an_endless_file_in_the_place_of_a_value_is_a_problem) {
    for (std::string const file : {".", "/dev/zero"}) {
        problems.clear();
        sources.environment = {{"BOT_TOKEN_FILE", file}};
        load();
        EXPECT_THAT(problems, ElementsAre("BOT_TOKEN_FILE: cannot read the file " + file));
    }
}

TEST_F(layers, no_problem_and_no_listing_shows_a_secret) {
    sources.environment = {{"BOT_TOKEN", "hunter2 "}};
    load();
    EXPECT_THAT(problems, ElementsAre(Not(HasSubstr("hunter2"))));
    sources.environment = {{"BOT_TOKEN", "hunter2"}};
    for (auto const& line : load().effective()) EXPECT_THAT(line.value, Not(HasSubstr("hunter2")));
}

TEST_F(layers, names_are_the_user_s_own) {
    sources.file =
        write("a.toml", "[models.big]\nmodel = \"large\"\n[models.default]\nkey = \"k\"\n");
    auto const values = load();
    EXPECT_THAT(problems, IsEmpty());
    EXPECT_THAT(values.names("models"), ElementsAre("big", "default"));
    EXPECT_EQ(values.text("models.big.model"), "large");
    EXPECT_EQ(values.text("models.default.model"), "small");
    EXPECT_EQ(values.secret("models.default.key").reveal(), "k");
}

TEST_F(layers, a_slip_under_a_name_is_compared_under_that_name) {
    sources.file = write("a.toml", "[models.big]\nmodl = \"large\"\n");
    load();
    EXPECT_THAT(problems, ElementsAre(HasSubstr("did you mean models.big.model?")));
}

TEST_F(layers, lists_come_from_arrays_and_from_texts) {
    sources.file = write("a.toml", "names = [\"a\", \"b c\"]\nowners = [1, -2]\n");
    auto const values = load();
    EXPECT_THAT(values.words("names"), ElementsAre("a", "b c"));
    EXPECT_THAT(values.numbers("owners"), ElementsAre(1, -2));
    sources.environment = {{"HOUSE_OWNERS", "7, 8"}};
    EXPECT_THAT(load().numbers("owners"), ElementsAre(7, 8));
}

TEST_F(layers, a_list_where_a_value_belongs_is_a_problem) {
    for (auto const* list : {"[]", "[\"a\"]", "[[1]]"}) {
        problems.clear();
        sources.file = write("a.toml", fmt::format("listen = {}\n", list));
        load();
        EXPECT_THAT(problems, ElementsAre(HasSubstr("listen takes one value, and no list")));
    }
}

TEST_F(layers, a_list_of_lists_is_a_problem) {
    sources.file = write("a.toml", "names = [[1]]\n");
    load();
    EXPECT_THAT(problems, ElementsAre(HasSubstr("names is not a plain value")));
}

TEST_F(layers, the_effective_listing_says_where_a_value_came_from) {
    sources.file = write("a.toml", "[engine]\nslots = 5\n");
    sources.environment = {{"BOT_TOKEN", "t"}};
    sources.flags = {{"listen", "l"}};
    auto const lines = load().effective();
    ASSERT_GE(lines.size(), 4u);
    EXPECT_EQ(lines[0].key, "listen");
    EXPECT_EQ(lines[0].source, "--listen");
    EXPECT_EQ(lines[1].key, "engine.slots");
    EXPECT_THAT(lines[1].source, testing::EndsWith("a.toml:2"));
    EXPECT_EQ(lines[2].source, "default");
    EXPECT_EQ(lines[3].value, "********");
    EXPECT_EQ(lines[3].source, "BOT_TOKEN");
}

TEST_F(layers, an_unknown_key_is_a_defect_of_the_caller) {
    EXPECT_THROW((void)load().text("no.such.key"), std::logic_error);
}

TEST(flag_of, follows_the_environment_but_hides_secrets) {
    EXPECT_EQ(flag_of(table[0], "HOUSE_"), "--listen");
    EXPECT_EQ(flag_of({.key = "x", .environment = "HOUSE_LOG_LEVEL"}, "HOUSE_"), "--log-level");
    EXPECT_EQ(flag_of({.key = "x", .environment = "DATABASE_URL"}, "HOUSE_"), "--database-url");
    EXPECT_EQ(flag_of(table[3], "HOUSE_"), "") << "a secret on the command line is seen by all";
    EXPECT_EQ(flag_of(table[5], "HOUSE_"), "");
}

} // namespace
} // namespace postrider::base::settings_test
