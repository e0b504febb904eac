#include "agent/json_schema/formats.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::json_schema::formats_test {
namespace {

struct example {
    std::string_view format;
    std::string_view good;
    std::string_view bad;
};

TEST(formats, are_told_from_what_only_looks_like_them) {
    for (auto const& [name, good, bad] : {
             example{"date-time", "2024-02-29T23:59:59.5+05:30", "2023-02-29T00:00:00Z"},
             example{"date-time", "1998-12-31T15:59:60-08:00", "1998-12-31T15:58:60-08:00"},
             example{"date", "0400-02-29", "2024-2-09"},
             example{"time", "08:30:06z", "08:30:06"},
             example{"email", "a.b+c@example.com", "a..b@example.com"},
             example{"email", "\"a b\"@[IPv6:::1]", "a b@example.com"},
             example{"hostname", "a-1.example", "-a.example"},
             example{"ipv4", "127.0.0.1", "127.0.0.01"},
             example{"ipv6", "::ffff:1.2.3.4", "1::2::3"},
             example{"uri", "urn:a:b", "/a/b"},
             example{"uri", "http://a:80/b", "http://a:b/c"},
             example{"uri-reference", "/a?b#c", "a b"},
             example{
                 "uuid",
                 "2EB8AA08-aa98-11ea-b4aa-73b441d16380",
                 "2EB8AA08aa9811eab4aa73b441d16380"},
             example{
                 "uuid",
                 "00000000-0000-0000-0000-000000000000",
                 "2EB8AA08-aa98-11ea-b4aa-73b441d1638g"},
             example{"regex", "a+", "a("},
             example{"json-pointer", "/a~1b/0", "a/b"},
         }) {
        auto const* known = find_format(name);
        ASSERT_NE(known, nullptr) << name;
        EXPECT_TRUE(known->fits(good)) << name << ": " << good;
        EXPECT_FALSE(known->fits(bad)) << name << ": " << bad;
    }
}

TEST(formats, that_are_not_known_are_not_checked) {
    EXPECT_EQ(find_format("int64"), nullptr);
    EXPECT_EQ(find_format(""), nullptr);
}

} // namespace
} // namespace postrider::agent::json_schema::formats_test
