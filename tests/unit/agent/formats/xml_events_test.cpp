// XML as events, in pieces of any size.
#include "agent/formats/xml_events.hpp"
#include "agent/formats/xml_marks.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

namespace postrider::agent::formats::xml_events_test {
namespace {

using testing::HasSubstr;

class recorder final : public html_handler {
public:
    std::string events;

private:
    void begin(std::string_view name, html_attributes const& attributes, std::size_t level)
        override {
        events += fmt::format("{}<{}", level, name);
        for (auto const& [key, value] : attributes) events += fmt::format(" {}={}", key, value);
        events += '>';
    }
    void end(std::string_view name, std::size_t level) override {
        events += fmt::format("{}</{}>", level, name);
    }
    void text(std::string_view piece) override { events += piece; }
};

// What was heard, or why it failed; the document comes in pieces of that size.
std::string events_of(std::string_view document, std::size_t piece) {
    recorder heard;
    xml_events events(heard);
    while (!document.empty()) {
        auto const size = std::min(piece, document.size());
        if (auto const read = events.read(document.substr(0, size)); !read)
            return "failed: " + read.error().detail;
        document.remove_prefix(size);
    }
    if (auto const end = events.finish(); !end) return "failed: " + end.error().detail;
    return heard.events;
}

TEST(xml_events, are_the_same_in_pieces_of_any_size) {
    for (std::size_t const piece : {1, 2, 7, 1000})
        EXPECT_EQ(
            events_of(
                "<?xml version='1.0' encoding='ISO-8859-1'?><!-- <!DOCTYPE x> --><w:a xmlns:w='x' "
                "w:val=\"1&amp;>\">ü&#65;<![CDATA[<!x>]]><b/></w:a>",
                piece
            ),
            "1<a w=x val=1&>>üA<!x>2<b>2</b>1</a>"
        ) << piece;
}

TEST(xml_events, end_at_what_is_not_well_formed) {
    for (std::string_view const document :
         {"", "x", "<a>", "<a></b>", "<a>&unknown;</a>", "<a b='1' b='2'/>", "<a/><b/>"})
        EXPECT_THAT(events_of(document, 3), HasSubstr("failed")) << document;
    EXPECT_THAT(events_of(std::string_view("<\0a\0/\0>\0", 8), 8), HasSubstr("U+0000"));
}

TEST(xml_events, have_no_document_type_and_few_attributes_and_levels) {
    for (std::size_t const piece : {1, 1000}) {
        EXPECT_THAT(
            events_of("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", piece), HasSubstr("DOCTYPE")
        );
        std::string many = "<a";
        for (std::size_t i = 0; i <= most_xml_attributes; ++i) many += fmt::format(" a{}='>'", i);
        EXPECT_THAT(events_of(many + "/>", piece), HasSubstr("attributes"));
    }
    std::string deep;
    for (std::size_t i = 0; i <= most_xml_event_levels; ++i) deep += "<a>";
    EXPECT_THAT(events_of(deep, 1000), HasSubstr("levels"));
}

} // namespace
} // namespace postrider::agent::formats::xml_events_test
