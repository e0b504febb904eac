#pragma once
// An HTML page as sections: without scripts, styles, menus and what is hidden. It is read in pieces of any size, and no
// tree is made of it. Pure.
#include "agent/formats/html_events.hpp"
#include "agent/knowledge/reading/section_writer.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::knowledge {

class html_sections final : public formats::html_handler {
public:
    // The writer outlives this.
    explicit html_sections(section_writer& writer) : writer_(writer) {}

    // The next bytes, in UTF-8. What follows when the writer is full is not read.
    void read(std::string_view piece);
    // To be called once, at the page's end.
    void finish();

private:
    void begin(std::string_view name, formats::html_attributes const& attributes, std::size_t level)
        override;
    void end(std::string_view name, std::size_t level) override;
    void text(std::string_view piece) override;
    void begin_block(std::string_view name, formats::html_attributes const& attributes);
    void end_block(std::string_view name);
    void begin_list_item();

    struct list {
        bool is_numbered;
        int items;
    };

    section_writer& writer_;
    std::size_t unread_from_ = 0; // the level of the outermost element that is not read; 0 = none
    bool in_title_ = false;
    std::string title_;
    int preformatted_ = 0;
    std::vector<list> lists_;
    formats::html_events events_{*this};
};

} // namespace postrider::agent::knowledge
