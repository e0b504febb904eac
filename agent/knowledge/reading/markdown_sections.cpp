#include "agent/knowledge/reading/markdown_sections.hpp"

#include "agent/knowledge/reading/html_sections.hpp"
#include "base/html.hpp"
#include "base/utf8.hpp"

#include <md4c.h>

#include <exception>
#include <optional>
#include <vector>

namespace postrider::agent::knowledge {

namespace {

// Hears what md4c reads. Pieces of HTML are read as such, each block by itself.
class markdown_reader {
public:
    markdown_reader(section_writer& writer, reading_budget const& budget)
        : writer_(writer),
          budget_(budget) {}

    void enter(MD_BLOCKTYPE type, void* detail);
    void leave(MD_BLOCKTYPE type);
    void enter(MD_SPANTYPE type, void* detail);
    void leave(MD_SPANTYPE type);
    void hear(MD_TEXTTYPE type, std::string_view words);

    bool must_stop() { return writer_.is_full() || (++calls_ % 256 == 0 && !budget_.has_time()); }
    // Of what was thrown in a callback: md4c is C, and nothing may be thrown through it.
    std::exception_ptr failure;

private:
    struct list {
        std::optional<unsigned> number; // of the next item
    };

    void enter_item(MD_BLOCK_LI_DETAIL const& item);

    section_writer& writer_;
    reading_budget const& budget_;
    std::vector<list> lists_;
    std::string html_; // of the open block
    bool in_code_ = false;
    bool in_html_ = false;
    std::size_t calls_ = 0;
};

void markdown_reader::enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
    case MD_BLOCK_H:
        return writer_.begin_heading(static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level
        ));
    case MD_BLOCK_UL:
        return lists_.push_back({});
    case MD_BLOCK_OL:
        return lists_.push_back({static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start});
    case MD_BLOCK_LI:
        return enter_item(*static_cast<MD_BLOCK_LI_DETAIL*>(detail));
    case MD_BLOCK_CODE:
        in_code_ = true;
        return writer_.begin_code();
    case MD_BLOCK_HTML:
        in_html_ = true;
        return;
    case MD_BLOCK_TABLE:
        return writer_.begin_table();
    case MD_BLOCK_TR:
        return writer_.begin_row();
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        return writer_.begin_cell();
    case MD_BLOCK_P:
    case MD_BLOCK_QUOTE:
    case MD_BLOCK_HR:
        return writer_.end_line(2);
    default:
        return;
    }
}

void markdown_reader::enter_item(MD_BLOCK_LI_DETAIL const& item) {
    auto& number = lists_.back().number;
    auto const around = lists_.size() - 1;
    if (item.is_task)
        return writer_.begin_item(item.task_mark == ' ' ? "- [ ] " : "- [x] ", around);
    if (!number) return writer_.begin_item("- ", around);
    writer_.begin_item(std::to_string((*number)++) + ". ", around);
}

void markdown_reader::leave(MD_BLOCKTYPE type) {
    switch (type) {
    case MD_BLOCK_H:
        return writer_.end_heading();
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        lists_.pop_back();
        return writer_.end_line(lists_.empty() ? 2 : 1);
    case MD_BLOCK_LI:
        return writer_.end_line(1);
    case MD_BLOCK_CODE:
        in_code_ = false;
        return writer_.end_code();
    case MD_BLOCK_HTML: {
        in_html_ = false;
        html_sections page(writer_);
        page.read(html_);
        page.finish();
        html_.clear();
        return;
    }
    case MD_BLOCK_TABLE:
        return writer_.end_table();
    case MD_BLOCK_TR:
        return writer_.end_row();
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        return writer_.end_cell();
    case MD_BLOCK_P:
        return writer_.end_line(2);
    default:
        return;
    }
}

void markdown_reader::enter(MD_SPANTYPE type, void* detail) {
    if (type != MD_SPAN_A) return;
    auto const& target = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
    writer_.begin_link({target.text, target.size});
}

void markdown_reader::leave(MD_SPANTYPE type) {
    if (type == MD_SPAN_A) writer_.end_link();
}

void markdown_reader::hear(MD_TEXTTYPE type, std::string_view words) {
    switch (type) {
    case MD_TEXT_NULLCHAR:
        return;
    case MD_TEXT_BR:
        return writer_.end_line(1);
    case MD_TEXT_SOFTBR:
        return writer_.write(" ");
    case MD_TEXT_HTML:
        if (in_html_)
            html_ += words;
        else if (words.starts_with("<br"))
            writer_.end_line(1);
        return; // other tags within a line
    case MD_TEXT_ENTITY:
        return writer_.write(words == "&nbsp;" ? " " : base::html_unescaped(std::string(words)));
    default:
        return in_code_ ? writer_.write_verbatim(words) : writer_.write(words);
    }
}

template<class F>
int guarded(void* userdata, F call) noexcept {
    auto& reader = *static_cast<markdown_reader*>(userdata);
    try {
        call(reader);
        return reader.must_stop() ? 1 : 0;
    } catch (...) {
        reader.failure = std::current_exception();
        return 1;
    }
}

constexpr MD_PARSER markdown_callbacks{
    .abi_version = 0,
    .flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS,
    .enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) -> int {
        return guarded(data, [&](markdown_reader& reader) { reader.enter(type, detail); });
    },
    .leave_block = [](MD_BLOCKTYPE type, void*, void* data) -> int {
        return guarded(data, [&](markdown_reader& reader) { reader.leave(type); });
    },
    .enter_span = [](MD_SPANTYPE type, void* detail, void* data) -> int {
        return guarded(data, [&](markdown_reader& reader) { reader.enter(type, detail); });
    },
    .leave_span = [](MD_SPANTYPE type, void*, void* data) -> int {
        return guarded(data, [&](markdown_reader& reader) { reader.leave(type); });
    },
    .text = [](MD_TEXTTYPE type, MD_CHAR const* text, MD_SIZE size, void* data) -> int {
        return guarded(data, [&](markdown_reader& reader) { reader.hear(type, {text, size}); });
    },
    .debug_log = nullptr,
    .syntax = nullptr};

} // namespace

bool write_markdown(section_writer& writer, std::string_view text, reading_budget const& budget) {
    markdown_reader reader(writer, budget);
    auto const outcome =
        md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &markdown_callbacks, &reader);
    if (reader.failure) std::rethrow_exception(reader.failure);
    return outcome == 0;
}

} // namespace postrider::agent::knowledge
