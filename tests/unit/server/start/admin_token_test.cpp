#include "server/start/admin_token.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace postrider::server::admin_token_test {
namespace {

config with_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "token.XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("mkdtemp");
    config settings;
    settings.data = name;
    return settings;
}

TEST(admin_token, is_made_once_and_kept_for_its_owner_alone) {
    auto settings = with_folder();

    auto first = find_admin_token(settings, base::system_random());
    auto second = find_admin_token(settings, base::system_random());

    EXPECT_TRUE(first.created);
    EXPECT_EQ(first.value.reveal().size(), 64u);
    EXPECT_FALSE(second.created);
    EXPECT_EQ(second.value, first.value);
    struct stat about {};
    ASSERT_EQ(::stat(first.file.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777u, 0600u);
    std::filesystem::remove_all(settings.data);
}

TEST(admin_token, is_made_anew_in_a_file_that_is_empty) {
    for (auto const* blank : {"", "\n", "  \n\n"}) {
        auto settings = with_folder();
        std::ofstream{settings.data / "admin_token"} << blank;

        auto first = find_admin_token(settings, base::system_random());
        auto second = find_admin_token(settings, base::system_random());

        EXPECT_TRUE(first.created);
        EXPECT_EQ(first.value.reveal().size(), 64u);
        EXPECT_EQ(second.value, first.value);
        struct stat about {};
        ASSERT_EQ(::stat(first.file.c_str(), &about), 0);
        EXPECT_EQ(about.st_mode & 0777u, 0600u);
        std::filesystem::remove_all(settings.data);
    }
}

TEST(admin_token, a_configured_one_is_taken_and_written_nowhere) {
    auto settings = with_folder();
    settings.admin_token = base::secret("mine");

    auto found = find_admin_token(settings, base::system_random());

    EXPECT_EQ(found.value.reveal(), "mine");
    EXPECT_FALSE(found.created);
    EXPECT_TRUE(std::filesystem::is_empty(settings.data));
    std::filesystem::remove_all(settings.data);
}

// As POSTRIDER_ADMIN_TOKEN is refused.
TEST(admin_token, what_no_token_can_be_is_refused_with_its_file) {
    for (auto const* text :
         {"two words\n",
          "a\x01"
          "b\n"}) {
        auto settings = with_folder();
        std::ofstream{settings.data / "admin_token"} << text;

        try {
            find_admin_token(settings, base::system_random());
            ADD_FAILURE() << text;
        } catch (std::runtime_error const& e) {
            EXPECT_NE(std::string(e.what()).find("admin_token: holds a blank"), std::string::npos);
        }
        auto const known = known_admin_token(settings);
        EXPECT_EQ(known.error(), base::errc::invalid);
        std::filesystem::remove_all(settings.data);
    }
}

TEST(admin_token, a_client_makes_none) {
    auto settings = with_folder();

    EXPECT_EQ(known_admin_token(settings).error(), base::errc::not_found);
    EXPECT_TRUE(std::filesystem::is_empty(settings.data));
    auto const token = find_admin_token(settings, base::system_random());
    EXPECT_EQ(known_admin_token(settings).value(), token.value);
    settings.admin_token = base::secret("mine");
    EXPECT_EQ(known_admin_token(settings).value().reveal(), "mine");
    std::filesystem::remove_all(settings.data);
}

TEST(admin_token, a_folder_that_cannot_be_written_is_named) {
    config settings;
    settings.data = "/proc/nowhere";

    EXPECT_THROW(find_admin_token(settings, base::system_random()), std::system_error);
}

} // namespace
} // namespace postrider::server::admin_token_test
