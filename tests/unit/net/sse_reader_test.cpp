#include "net/sse_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::net::sse_reader_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "type|data|id" of each event.
std::vector<std::string> read(sse_reader& reader, std::string_view bytes) {
    std::vector<std::string> told;
    for (auto const& event : reader.read(bytes).value())
        told.push_back(event.type + "|" + event.data + "|" + event.id);
    return told;
}

std::vector<std::string> read(std::string_view bytes) {
    sse_reader reader;
    return read(reader, bytes);
}

TEST(sse_reader, reads_what_the_writer_writes) {
    auto const text = to_text({"order", "one\ntwo\n\nthree", "7"});
    EXPECT_THAT(read(text), ElementsAre("order|one\ntwo\n\nthree|7"));
}

TEST(sse_reader, knows_where_and_when_to_come_back) {
    sse_reader reader;
    EXPECT_FALSE(reader.retry());

    EXPECT_THAT(
        read(reader, "id: 4\nretry: 250\ndata:\n\nid: 5\nretry: soon\n\n"), ElementsAre("||4")
    );
    EXPECT_EQ(reader.last_id(), "5");
    EXPECT_EQ(reader.retry(), std::chrono::milliseconds{250});
    (void)read(reader, "retry: 99999999999999\n");
    EXPECT_EQ(reader.retry(), std::chrono::hours{24});
}

TEST(sse_reader, a_cut_inside_an_event_leaves_the_id_before_it) {
    sse_reader reader;
    (void)read(reader, "id: 4\ndata: a\n\nid: 5\ndata: b\n");
    EXPECT_EQ(reader.last_id(), "4") << "the event behind it would be skipped";

    EXPECT_THAT(read(reader, "\n"), ElementsAre("|b|5"));
    EXPECT_EQ(reader.last_id(), "5");
}

TEST(sse_reader, follows_the_standard) {
    EXPECT_THAT(
        read("data: a\n\n:comment\nevent: x\ndata:b\ndata:  c\nretry: 10\n\ndata\n\nevent: y\n\n"),
        ElementsAre("|a|", "x|b\n c|", "||")
    );
    EXPECT_THAT(
        read("\xEF\xBB\xBF"
             "data: a\r\rdata: b\r\n\r\n"),
        ElementsAre("|a|", "|b|")
    );
    EXPECT_THAT(
        read("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n"), ElementsAre("|a|1", "|b|1", "|c|")
    );
    EXPECT_THAT(read(std::string_view("id: a\0b\ndata: c\n\n", 17)), ElementsAre("|c|"));
}

TEST(sse_reader, takes_bytes_in_any_pieces) {
    std::string_view const text = "event: x\r\ndata: one\r\ndata: two\r\n\r\ndata: three\n\n";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        sse_reader reader;
        auto told = read(reader, text.substr(0, cut));
        for (auto& event : read(reader, text.substr(cut))) told.push_back(event);
        EXPECT_THAT(told, ElementsAre("x|one\ntwo|", "|three|")) << cut;
    }
}

TEST(sse_reader, does_not_tell_what_was_cut) {
    EXPECT_THAT(read("data: half"), IsEmpty());
    EXPECT_THAT(read("data: half\n"), IsEmpty());
}

TEST(sse_reader, refuses_an_event_that_is_too_large) {
    sse_reader reader;
    std::string const line = "data: " + std::string(sse_reader::most_event / 2, 'a') + "\n";
    EXPECT_TRUE(reader.read(line));
    EXPECT_EQ(reader.read(line).error(), base::errc::too_large);
}

TEST(sse_reader, goes_on_behind_an_event_that_is_too_large) {
    sse_reader reader{10};

    EXPECT_EQ(
        reader.read("data: a\n\ndata: 0123456789\ndata: ").error().code, base::errc::too_large
    );
    auto const before = reader.read("and so on\n" + std::string(100, 'x')).value();
    auto const events = reader.read("\n\ndata: b\n\n").value();

    ASSERT_EQ(before.size(), 1u);
    EXPECT_EQ(before[0].data, "a");
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].data, "b");
}

TEST(sse_reader, tells_what_an_event_that_is_too_large_began_with) {
    for (std::size_t piece : {1, 7, 100'000}) {
        sse_reader reader{20'000};
        std::string const text =
            "data: {\ndata: \"a\":\ndata: " + std::string(30'000, 'x') + "\n\n";
        for (std::string_view rest = text; !rest.empty();
             rest.remove_prefix(std::min(piece, rest.size())))
            (void)reader.read(rest.substr(0, piece));

        EXPECT_TRUE(reader.lost().starts_with("{\n\"a\":\n xxx")) << piece;
        EXPECT_LE(reader.lost().size(), sse_reader::most_name) << piece;
    }
}

// A server that sends one long id and then the shortest events would have it copied into each.
TEST(sse_reader, a_long_id_or_type_does_not_multiply_by_the_events_behind_it) {
    for (std::string const field : {"id: ", "event: "}) {
        sse_reader reader;
        std::string const longest(sse_reader::most_name, 'x');
        EXPECT_TRUE(reader.read(field + longest + "\n\n")) << field;

        auto const refused = reader.read(field + longest + "x\ndata: lost\n\n");
        EXPECT_EQ(refused.error().code, base::errc::too_large) << field;

        std::size_t bytes = 0;
        for (auto const& event : reader.read("data:\n\ndata:\n\n").value())
            bytes += event.id.size() + event.type.size() + 1;
        EXPECT_GE(bytes, 2u) << field << "the events behind it come";
        EXPECT_LE(bytes, 2 * (sse_reader::most_name + 1)) << field;
    }
}

} // namespace
} // namespace postrider::net::sse_reader_test
