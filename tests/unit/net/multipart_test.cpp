#include "net/multipart.hpp"

#include <gtest/gtest.h>

namespace postrider::net::multipart_test {
namespace {

std::string boundary_in(multipart_body const& body) {
    std::string const before = "multipart/form-data; boundary=";
    EXPECT_TRUE(body.content_type.starts_with(before));
    return body.content_type.substr(before.size());
}

TEST(multipart, has_texts_and_files) {
    auto const body =
        encode_multipart({{"a\"\r\n", "1"}, {"f", "hi", "x.txt", "text/plain"}}, "seed");
    auto const boundary = boundary_in(body);

    EXPECT_EQ(
        body.text,
        "--" + boundary + "\r\nContent-Disposition: form-data; name=\"a%22%0D%0A\"\r\n\r\n1\r\n--" +
            boundary +
            "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\r\n"
            "Content-Type: text/plain\r\n\r\nhi\r\n--" +
            boundary + "--\r\n"
    );
}

TEST(multipart, puts_what_no_part_holds_between_them) {
    auto const usual = boundary_in(encode_multipart({{"a", "1"}}, "seed"));

    EXPECT_EQ(boundary_in(encode_multipart({{"b", "2"}}, "seed")), usual)
        << "a repeated body is the same";
    EXPECT_NE(boundary_in(encode_multipart({{"a", "1"}}, "other")), usual);
    EXPECT_NE(boundary_in(encode_multipart({{"a", "--" + usual + "--"}}, "seed")), usual);
    EXPECT_NE(boundary_in(encode_multipart({{usual, "1"}}, "seed")), usual);
}

} // namespace
} // namespace postrider::net::multipart_test
