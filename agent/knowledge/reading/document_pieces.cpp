#include "agent/knowledge/reading/document_pieces.hpp"

#include "agent/knowledge/reading/text_boundaries.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::agent::knowledge {

namespace {

std::string_view trimmed_end(std::string_view text) {
    auto const end = text.find_last_not_of(" \n\t");
    return text.substr(0, end == text.npos ? 0 : end + 1);
}

class piece_writer {
public:
    piece_writer(part_size const& size, bool is_prose) : size_(size), is_prose_(is_prose) {}

    void add(std::string_view text, std::string_view joint, std::string_view header = {}) {
        auto const characters = base::count_characters(text);
        if (characters + header_size(header) > size_.most) return add_cut(text, joint);
        pieces_.push_back({std::string(text), characters, joint, header, is_prose_});
    }
    std::vector<document_piece> take() { return std::move(pieces_); }

private:
    static std::size_t header_size(std::string_view header) {
        return header.empty() ? 0 : base::count_characters(header) + 1;
    }

    // Between words.
    void add_cut(std::string_view text, std::string_view joint) {
        while (!text.empty()) {
            auto const end = end_of_words(text, size_.target);
            auto const words = trimmed_end(text.substr(0, end));
            bool const ends_with_blank = words.size() < end;
            text.remove_prefix(end);
            if (!words.empty())
                pieces_.push_back(
                    {std::string(words), base::count_characters(words), joint, {}, is_prose_}
                );
            joint = ends_with_blank ? " " : "";
        }
    }

    part_size const& size_;
    bool is_prose_;
    std::vector<document_piece> pieces_;
};

void add_sentences(piece_writer& pieces, std::string_view paragraph) {
    std::string_view joint = "\n\n";
    while (!paragraph.empty()) {
        auto const end = end_of_sentence(paragraph);
        auto const sentence = trimmed_end(paragraph.substr(0, end));
        auto const blanks = paragraph.substr(sentence.size(), end - sentence.size());
        paragraph.remove_prefix(end);
        if (!sentence.empty()) pieces.add(sentence, joint);
        joint = blanks.find('\n') != blanks.npos ? "\n" : blanks.empty() ? "" : " ";
    }
}

std::vector<document_piece> paragraphs_of(std::string_view text, part_size const& size) {
    piece_writer pieces(size, true);
    while (!text.empty()) {
        auto const end = std::min(text.find("\n\n"), text.size());
        auto const paragraph = trimmed_end(text.substr(0, end));
        text.remove_prefix(end);
        while (text.starts_with('\n')) text.remove_prefix(1);
        if (paragraph.empty()) continue;
        if (base::count_characters(paragraph) <= size.target)
            pieces.add(paragraph, "\n\n");
        else
            add_sentences(pieces, paragraph);
    }
    return pieces.take();
}

// The line up to its end, which is taken off the text with it.
std::string_view take_line(std::string_view& text) {
    auto const end = std::min(text.find('\n'), text.size());
    auto const line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::vector<document_piece> lines_of_code(std::string_view text, part_size const& size) {
    piece_writer pieces(size, false);
    for (std::string_view joint = "\n\n"; !text.empty(); joint = "\n")
        pieces.add(take_line(text), joint);
    return pieces.take();
}

std::vector<document_piece> rows_of(std::string_view table, part_size const& size) {
    piece_writer pieces(size, false);
    auto rest = table;
    auto const first = take_line(rest);
    auto const ruler = take_line(rest);
    auto const header = table.substr(0, first.size() + 1 + ruler.size());
    // A header that takes half of each part says less than the rows whose place it takes.
    bool const is_repeated = base::count_characters(header) <= size.target / 2;
    auto const row = take_line(rest);
    auto const beginning = table.substr(0, header.size() + (row.empty() ? 0 : 1 + row.size()));
    pieces.add(beginning, "\n\n");
    while (!rest.empty())
        pieces.add(take_line(rest), "\n", is_repeated ? header : std::string_view());
    return pieces.take();
}

} // namespace

std::vector<document_piece> pieces_of(section const& section, part_size const& size) {
    if (section.kind == section_kind::prose) return paragraphs_of(section.text, size);
    if (base::count_characters(section.text) > size.most)
        return section.kind == section_kind::table ? rows_of(section.text, size)
                                                   : lines_of_code(section.text, size);
    piece_writer pieces(size, false);
    pieces.add(section.text, "\n\n");
    return pieces.take();
}

} // namespace postrider::agent::knowledge
