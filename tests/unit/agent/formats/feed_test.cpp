#include "agent/formats/feed.hpp"
#include "agent/formats/mail_date.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::formats::feed_test {
namespace {

using testing::HasSubstr;

std::string told(std::string_view text) {
    auto const entries = read_feed(text);
    if (!entries) return to_string(entries.error());
    std::string all;
    for (auto const& [id, title, link, published, summary] : *entries)
        all += fmt::format("{} | {} | {} | {} | {}\n", id, title, link, published, summary);
    return all;
}

TEST(feed, of_rss_is_read) {
    EXPECT_EQ(
        told(R"(<?xml version="1.0"?><rss version="2.0" xmlns:dc="d"><channel><title>News</title>
<link>https://example.org/</link>
<item><title>One &amp; all</title><link>https://example.org/1</link>
<guid isPermaLink="false">tag:1</guid><pubDate>Sat, 21 Nov 2026 16:30:00 +0100</pubDate>
<description><![CDATA[<p>First <b>text</b></p>]]></description></item>
<item><title>Two</title><link>https://example.org/2</link><dc:date>2026-11-20</dc:date></item>
<item><title>Two again</title><link>https://example.org/2</link></item>
<item></item></channel></rss>)"),
        "tag:1 | One & all | https://example.org/1 | 2026-11-21T15:30:00Z | First text\n"
        "https://example.org/2 | Two | https://example.org/2 | 2026-11-20T00:00:00Z | \n"
    );
}

TEST(feed, of_atom_is_read) {
    EXPECT_EQ(
        told(R"(<feed xmlns="http://www.w3.org/2005/Atom"><id>f</id><entry><id>urn:1</id>
<title type="html">A &lt;i&gt;title&lt;/i&gt;</title><link rel="self" href="/self"/>
<link href="https://example.org/a"/><updated>2026-11-21T08:53:00.5+01:00</updated>
<summary>Short</summary></entry></feed>)"),
        "urn:1 | A title | https://example.org/a | 2026-11-21T07:53:00Z | Short\n"
    );
}

TEST(feed, of_json_and_rdf_is_read) {
    EXPECT_EQ(
        told(R"({"version":"https://jsonfeed.org/version/1.1","items":[
{"id":"1","url":"https://example.org/1","content_html":"<p>Text","date_published":"2026-11-21T08:53:00Z"},
{"id":7,"title":"Seven"}]})"),
        "1 |  | https://example.org/1 | 2026-11-21T08:53:00Z | Text\n7 | Seven |  |  | \n"
    );
    EXPECT_EQ(
        told(R"(<rdf:RDF xmlns:rdf="r"><item rdf:about="u1"><title>T</title></item></rdf:RDF>)"),
        "u1 | T |  |  | \n"
    );
}

TEST(feed, may_have_no_entries_and_is_else_refused) {
    EXPECT_EQ(told("<rss><channel><title>x</title></channel></rss>"), "");
    EXPECT_EQ(told(R"({"items":[]})"), "");
    EXPECT_THAT(told("<html><body></body></html>"), HasSubstr("no RSS, Atom or JSON Feed"));
    EXPECT_THAT(told("<!DOCTYPE html><html>"), HasSubstr("no RSS, Atom or JSON Feed"));
    EXPECT_THAT(told("{\"a\":1}"), HasSubstr("no RSS, Atom or JSON Feed"));
    EXPECT_THAT(told(""), HasSubstr("no RSS, Atom or JSON Feed"));
}

TEST(feed, is_bounded) {
    std::string many = "<rss><channel>";
    for (std::size_t i = 0; i < most_feed_entries + 10; ++i)
        many += fmt::format("<item><guid>{}</guid></item>", i);
    EXPECT_EQ(read_feed(many + "</channel></rss>").value().size(), most_feed_entries);
}

TEST(mail_date, is_read_as_feeds_write_it) {
    auto const read = [](std::string_view text) {
        auto const date = read_mail_date(text);
        return date ? base::to_iso8601(*date) : std::string("none");
    };
    EXPECT_EQ(read("Sat, 21 Nov 2026 16:30:00 +0100"), "2026-11-21T15:30:00Z");
    EXPECT_EQ(read("21 November 26 16:30 EST"), "2026-11-21T21:30:00Z");
    EXPECT_EQ(read("Fri, 01 Jan 1999 00:00:00 GMT"), "1999-01-01T00:00:00Z");
    EXPECT_EQ(read("01 Jan 1999 00:00:00"), "1999-01-01T00:00:00Z");
    EXPECT_EQ(read("Sat, 31 Feb 2026 16:30:00 GMT"), "none");
    EXPECT_EQ(read("Sat, 21 Nov 2026 25:30:00 GMT"), "none");
    EXPECT_EQ(read("Sat, 21 Nov 2026 16:30:00 +0175"), "none");
    EXPECT_EQ(read("tomorrow"), "none");
    EXPECT_EQ(read(""), "none");
}

} // namespace
} // namespace postrider::agent::formats::feed_test
