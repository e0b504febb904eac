#include "server/telegram/markdown.hpp"

#include "base/html.hpp"
#include "server/telegram/styled_writer.hpp"
#include "server/telegram/text_table.hpp"

#include <md4c.h>

#include <algorithm>
#include <optional>

namespace postrider::telegram {

namespace {

constexpr std::size_t longest_address = 2048;
constexpr std::size_t longest_language = 32;
// Two bytes of a row make a cell for each column of its table.
constexpr std::size_t most_cells = 10'000;

// Telegram drops a link that leads elsewhere.
bool is_address(std::string_view address) {
    bool const has_scheme = address.starts_with("https://") || address.starts_with("http://") ||
                            address.starts_with("tg://") || address.starts_with("mailto:");
    return has_scheme && address.size() <= longest_address;
}

bool is_language(std::string_view language) {
    auto fits = [](char letter) {
        bool const is_word = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                             (letter >= '0' && letter <= '9');
        return is_word || std::string_view("+-#._").find(letter) != std::string_view::npos;
    };
    return language.size() <= longest_language && std::ranges::all_of(language, fits);
}

std::string text_of(MD_ATTRIBUTE const& attribute) {
    if (!attribute.text) return {};
    return base::html_unescaped(std::string(attribute.text, attribute.size));
}

// Hears what md4c reads, and writes the text.
class markdown_writer {
public:
    void enter(MD_BLOCKTYPE type, void* detail);
    void leave(MD_BLOCKTYPE type);
    void enter(MD_SPANTYPE type, void* detail);
    void leave(MD_SPANTYPE type, void* detail);
    void hear(MD_TEXTTYPE type, std::string_view words);
    styled_text finish() { return out_.finish(); }
    bool is_too_much() const { return cells_ > most_cells; }

private:
    struct list {
        std::optional<unsigned> number; // of the next item
        bool is_tight = true;
    };

    void write(std::string_view words);
    void break_line();
    void open(text_style style, std::string detail = {});
    void close(text_style style);
    void begin_list(bool is_tight, std::optional<unsigned> first);
    void begin_item(MD_BLOCK_LI_DETAIL const& item);
    void begin_code(MD_BLOCK_CODE_DETAIL const& code);
    void begin_quote();
    void end_quote();
    void begin_link(MD_ATTRIBUTE const& target);
    void end_link();
    void end_table();

    styled_writer out_;
    std::vector<list> lists_;
    std::vector<std::string> links_; // the addresses of open ones
    std::size_t quotes_ = 0;
    bool in_code_ = false;
    std::optional<text_table> table_;
    std::size_t cells_ = 0; // of all tables
};

void markdown_writer::write(std::string_view words) {
    if (table_) return table_->write(words);
    out_.write(words);
}

void markdown_writer::break_line() {
    if (table_) return table_->write(" ");
    out_.separate(1);
}

void markdown_writer::open(text_style style, std::string detail) {
    if (!table_) out_.open(style, std::move(detail));
}

void markdown_writer::close(text_style style) {
    if (!table_) out_.close(style);
}

void markdown_writer::begin_list(bool is_tight, std::optional<unsigned> first) {
    out_.separate(lists_.empty() ? 2 : 1);
    lists_.push_back({first, is_tight});
}

void markdown_writer::begin_item(MD_BLOCK_LI_DETAIL const& item) {
    auto& list = lists_.back();
    out_.separate(list.is_tight ? 1 : 2);
    if (list.number) return out_.begin_item(std::to_string((*list.number)++) + ". ", "   ");
    if (item.is_task) return out_.begin_item(item.task_mark == ' ' ? "☐ " : "☑ ", "  ");
    out_.begin_item("• ", "  ");
}

void markdown_writer::begin_code(MD_BLOCK_CODE_DETAIL const& code) {
    out_.separate(2);
    auto language = text_of(code.lang);
    open(text_style::block, is_language(language) ? std::move(language) : std::string());
    in_code_ = true;
}

// Telegram's quotes do not nest, so inner ones have a sign at each line.
void markdown_writer::begin_quote() {
    out_.separate(2);
    if (quotes_++ == 0) return open(text_style::quote);
    out_.indent("> ");
}

void markdown_writer::end_quote() {
    if (--quotes_ == 0) return close(text_style::quote);
    out_.end_indent();
}

void markdown_writer::begin_link(MD_ATTRIBUTE const& target) {
    links_.push_back(text_of(target));
    if (is_address(links_.back())) open(text_style::link, links_.back());
}

// A link that cannot be shown is said.
void markdown_writer::end_link() {
    bool const is_shown = !table_ && is_address(links_.back());
    if (is_shown)
        close(text_style::link);
    else if (!links_.back().empty())
        write(" (" + links_.back() + ")");
    links_.pop_back();
}

void markdown_writer::end_table() {
    auto const drawn = table_->draw();
    table_.reset();
    if (drawn.empty()) return;
    out_.separate(2);
    open(text_style::block);
    out_.write_code(drawn);
    close(text_style::block);
}

void markdown_writer::enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
    case MD_BLOCK_QUOTE:
        return begin_quote();
    case MD_BLOCK_UL:
        return begin_list(static_cast<MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0, {});
    case MD_BLOCK_OL: {
        auto const& ordered = *static_cast<MD_BLOCK_OL_DETAIL*>(detail);
        return begin_list(ordered.is_tight != 0, ordered.start);
    }
    case MD_BLOCK_LI:
        return begin_item(*static_cast<MD_BLOCK_LI_DETAIL*>(detail));
    case MD_BLOCK_HR:
        out_.separate(2);
        return write("———");
    case MD_BLOCK_H:
        out_.separate(2);
        return open(text_style::bold);
    case MD_BLOCK_CODE:
        return begin_code(*static_cast<MD_BLOCK_CODE_DETAIL*>(detail));
    case MD_BLOCK_P:
        return out_.separate(2);
    case MD_BLOCK_TABLE:
        table_.emplace();
        return;
    case MD_BLOCK_TR:
        return table_->begin_row();
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        ++cells_;
        return table_->begin_cell(
            static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align == MD_ALIGN_RIGHT
        );
    default:
        return;
    }
}

void markdown_writer::leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_P || type == MD_BLOCK_H || type == MD_BLOCK_LI) out_.end_spoilers();
    switch (type) {
    case MD_BLOCK_QUOTE:
        end_quote();
        return out_.separate(2);
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        lists_.pop_back();
        return out_.separate(lists_.empty() ? 2 : 1);
    case MD_BLOCK_LI:
        return out_.end_item();
    case MD_BLOCK_H:
        close(text_style::bold);
        return out_.separate(2);
    case MD_BLOCK_CODE:
        in_code_ = false;
        close(text_style::block);
        return out_.separate(2);
    case MD_BLOCK_HR:
    case MD_BLOCK_P:
        return out_.separate(2);
    case MD_BLOCK_THEAD:
        return table_->end_head();
    case MD_BLOCK_TABLE:
        end_table();
        return out_.separate(2);
    default:
        return;
    }
}

void markdown_writer::enter(MD_SPANTYPE type, void* detail) {
    switch (type) {
    case MD_SPAN_EM:
        return open(text_style::italic);
    case MD_SPAN_STRONG:
        return open(text_style::bold);
    case MD_SPAN_DEL:
        return open(text_style::strike);
    case MD_SPAN_CODE:
        return open(text_style::code);
    case MD_SPAN_A:
        return begin_link(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
    case MD_SPAN_IMG:
        return begin_link(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
    default:
        return;
    }
}

void markdown_writer::leave(MD_SPANTYPE type, void* /*detail*/) {
    switch (type) {
    case MD_SPAN_EM:
        return close(text_style::italic);
    case MD_SPAN_STRONG:
        return close(text_style::bold);
    case MD_SPAN_DEL:
        return close(text_style::strike);
    case MD_SPAN_CODE:
        return close(text_style::code);
    case MD_SPAN_A:
    case MD_SPAN_IMG:
        return end_link();
    default:
        return;
    }
}

void markdown_writer::hear(MD_TEXTTYPE type, std::string_view words) {
    if (in_code_) return out_.write_code(words);
    switch (type) {
    case MD_TEXT_NULLCHAR:
        return write("\xef\xbf\xbd");
    case MD_TEXT_BR:
    case MD_TEXT_SOFTBR:
        return break_line();
    case MD_TEXT_ENTITY: {
        auto plain = base::html_unescaped(std::string(words));
        return write(plain == "&nbsp;" ? " " : plain);
    }
    case MD_TEXT_NORMAL:
        return table_ ? table_->write(words) : out_.write_with_spoilers(words);
    default:
        return write(words);
    }
}

markdown_writer& writer_in(void* userdata) {
    return *static_cast<markdown_writer*>(userdata);
}

// md4c is C: nothing may be thrown through it.
constexpr MD_PARSER callbacks{
    .abi_version = 0,
    // An indented line is no code, since people indent for looks.
    .flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_NOHTML |
             MD_FLAG_NOINDENTEDCODEBLOCKS,
    .enter_block = [](MD_BLOCKTYPE type, void* detail, void* writer) noexcept -> int {
        writer_in(writer).enter(type, detail);
        return writer_in(writer).is_too_much() ? -1 : 0;
    },
    .leave_block = [](MD_BLOCKTYPE type, void*, void* writer) noexcept -> int {
        writer_in(writer).leave(type);
        return 0;
    },
    .enter_span = [](MD_SPANTYPE type, void* detail, void* writer) noexcept -> int {
        writer_in(writer).enter(type, detail);
        return 0;
    },
    .leave_span = [](MD_SPANTYPE type, void* detail, void* writer) noexcept -> int {
        writer_in(writer).leave(type, detail);
        return 0;
    },
    .text = [](MD_TEXTTYPE type, MD_CHAR const* text, MD_SIZE size, void* writer) noexcept -> int {
        writer_in(writer).hear(type, {text, size});
        return 0;
    },
    .debug_log = nullptr,
    .syntax = nullptr};

} // namespace

styled_text read_markdown(std::string_view markdown) {
    if (markdown.size() > longest_markdown) return {std::string(markdown)};
    markdown_writer writer;
    auto const size = static_cast<MD_SIZE>(markdown.size());
    if (md_parse(markdown.data(), size, &callbacks, &writer) != 0) return {std::string(markdown)};
    return writer.finish();
}

} // namespace postrider::telegram
