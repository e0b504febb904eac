#pragma once
// The parts of a DOCX document: its styles, its names, and the text of its body. Handlers of XML events. Pure.
#include "agent/formats/html_events.hpp"
#include "agent/knowledge/reading/section_writer.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

// What a style makes of its paragraphs.
struct paragraph_role {
    int heading = 0; // 1 to 9; 0 = none
    bool is_title = false;
    bool is_code = false;
};

// word/styles.xml
class docx_styles final : public formats::html_handler {
public:
    // By the id of the style and of those that it is based on. A style that is not there has the role of its id.
    paragraph_role role_of(std::string const& style) const;

private:
    struct style {
        std::string based_on = {};
        paragraph_role role = {};
        bool has_level = false;
    };

    void begin(std::string_view name, formats::html_attributes const& attributes, std::size_t level)
        override;
    void end(std::string_view, std::size_t) override {}
    void text(std::string_view) override {}

    std::map<std::string, style, std::less<>> styles_;
    style* open_ = nullptr;
};

// docProps/core.xml
class docx_title final : public formats::html_handler {
public:
    std::string const& title() const noexcept { return title_; }

private:
    void begin(std::string_view name, formats::html_attributes const&, std::size_t) override {
        is_open_ = name == "title";
    }
    void end(std::string_view, std::size_t) override { is_open_ = false; }
    void text(std::string_view piece) override;

    std::string title_;
    bool is_open_ = false;
};

// word/document.xml, and the parts with its notes.
class docx_body final : public formats::html_handler {
public:
    // Both outlive this.
    docx_body(docx_styles const& styles, section_writer& writer)
        : styles_(styles),
          writer_(writer) {}

private:
    struct paragraph {
        std::string style = {};
        int outline = 0; // its own level; 0 = that of its style
        bool is_item = false;
        std::size_t item_level = 0;
        std::string text = {};
    };

    void begin(std::string_view name, formats::html_attributes const& attributes, std::size_t level)
        override;
    void end(std::string_view name, std::size_t level) override;
    void text(std::string_view piece) override;
    void begin_property(std::string_view name, std::string_view value);
    void write(paragraph const& ended);
    void end_code_block();

    docx_styles const& styles_;
    section_writer& writer_;
    std::vector<paragraph> open_;
    std::size_t unread_from_ = 0; // the level of the outermost element that is not read; 0 = none
    bool in_text_ = false;
    bool in_properties_ = false;
    bool in_code_ = false;
    std::size_t tables_ = 0; // that are open
};

} // namespace postrider::agent::knowledge
