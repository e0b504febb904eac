#include "server/api/entity_tag.hpp"

#include <gtest/gtest.h>

namespace postrider::api::entity_tag_test {
namespace {

net::http_request with(net::header_list headers) {
    net::http_request request;
    request.headers = std::move(headers);
    return request;
}

condition match(std::string given) {
    return if_match(with({{"if-match", std::move(given)}}), "\"3-7\"");
}

TEST(if_match, is_met_by_the_tag_in_a_list_or_by_any) {
    EXPECT_EQ(if_match(with({}), "\"3-7\""), condition::absent);
    EXPECT_EQ(match("\"3-7\""), condition::met);
    EXPECT_EQ(match(" \"a,b\" ,\t\"3-7\" "), condition::met);
    EXPECT_EQ(match("*"), condition::met);
    EXPECT_EQ(
        if_match(with({{"If-Match", "\"x\""}, {"If-Match", "\"3-7\""}}), "\"3-7\""), condition::met
    );
}

TEST(if_match, fails_with_other_weak_and_broken_tags) {
    for (auto const* given : {"\"3-8\"", "W/\"3-7\"", "3-7", "\"3-7", "", ",", "\"\""})
        EXPECT_EQ(match(given), condition::failed) << given;
}

TEST(if_none_match, takes_weak_tags_too) {
    auto const known = [](std::string given) {
        return not_modified(with({{"If-None-Match", std::move(given)}}), "\"a\"");
    };

    EXPECT_TRUE(known("\"a\""));
    EXPECT_TRUE(known("W/\"a\""));
    EXPECT_TRUE(known("\"b\", \"a\""));
    EXPECT_TRUE(known("*"));
    EXPECT_FALSE(known("\"b\""));
    EXPECT_FALSE(not_modified(with({}), "\"a\""));
}

TEST(tag_of_content, changes_with_the_content) {
    EXPECT_EQ(tag_of_content("a"), tag_of_content("a"));
    EXPECT_NE(tag_of_content("a"), tag_of_content("b"));
    EXPECT_EQ(tag_of_content("").size(), 34u);
}

} // namespace
} // namespace postrider::api::entity_tag_test
