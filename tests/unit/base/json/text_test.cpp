#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <limits>

namespace postrider::base::text_test {
namespace {

namespace json = boost::json;

std::string text_of(json::value const& value) {
    return json_text(value);
}

TEST(json_text, is_as_people_write_it) {
    json::object const members{{"took_ms", 46.0}, {"rate", 0.5}};
    EXPECT_EQ(json_text(members), R"({"took_ms":46,"rate":0.5})");
    EXPECT_EQ(json_text(json::value(members)), R"({"took_ms":46,"rate":0.5})");
    EXPECT_EQ(json_text(json::array{46.0, "a"}), R"([46,"a"])");
    EXPECT_EQ(text_of(0.28), "0.28");
    EXPECT_EQ(text_of(1e300), "1e+300");
    EXPECT_EQ(text_of(0.00002), "0.00002");
    EXPECT_EQ(text_of(-0.000001234), "-0.000001234");
    EXPECT_EQ(text_of(1.5e-9), "1.5e-09");
    EXPECT_EQ(text_of("a \"b\" \\ \n\x1f größer"), R"("a \"b\" \\ \n\u001f größer")");
    EXPECT_EQ(json_text(json::string("\0", 1)), R"("\u0000")");
}

TEST(json_text, escapes_every_byte_wherever_it_stands) {
    for (std::string const filler : {"x", "é"})
        for (int byte = 0; byte < 0x80; ++byte)
            for (std::size_t length = 1; length <= 17; ++length)
                for (std::size_t at = 0; at < length; ++at) {
                    std::string text;
                    for (std::size_t n = 0; n < length; ++n)
                        text += n == at ? std::string(1, static_cast<char>(byte)) : filler;
                    auto const written = json_text(json::string(text));
                    ASSERT_EQ(json::parse(written), json::value(text)) << byte << " at " << at;
                }
}

TEST(json_text, is_json_and_utf8_whatever_the_value_is) {
    EXPECT_EQ(
        text_of("a\xFFz \xED\xA0\x80"), "\"a\xEF\xBF\xBDz \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""
    );
    EXPECT_EQ(text_of(std::numeric_limits<double>::quiet_NaN()), "null");
    EXPECT_EQ(text_of(-std::numeric_limits<double>::infinity()), "null");
}

TEST(json_text, reads_back) {
    for (std::string_view text : {
             R"({"a":[],"b":{},"c":[1,[2,{"d":null}]],"e":{"f":{"g":"\u0001\"\\/"}}})",
             R"([1.5,1e300,5e-324,0.1,18446744073709551615,-9223372036854775808,true,false,null])",
             R"(["","größer 🤖"])",
             "null",
         }) {
        json::value const value = parse_json(text).value();
        EXPECT_EQ(parse_json(json_text(value)).value(), value) << json_text(value);
    }
}

} // namespace
} // namespace postrider::base::text_test
