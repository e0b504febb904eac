#include "agent/knowledge/reading/document_parts.hpp"

#include "agent/knowledge/reading/document_pieces.hpp"
#include "agent/knowledge/reading/text_boundaries.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::agent::knowledge {

namespace {

// Packs the pieces of sections that have the same heading and page.
class part_packer {
public:
    part_packer(section const& place, part_size const& size, std::vector<document_part>& parts)
        : place_(place),
          size_(size),
          parts_(parts) {}

    void add(document_piece const& piece) {
        auto const extended = characters_ + piece.joint.size() + piece.size;
        bool const is_enough = characters_ >= size_.target ||
                               (extended > size_.target && characters_ > size_.target / 2);
        if (!text_.empty() && (is_enough || extended > size_.most)) {
            auto overlap = overlap_before(piece);
            flush();
            append(overlap, {}, true);
        }
        if (text_.empty() && !piece.header.empty()) append(piece.header, {}, false);
        append(piece.text, text_.empty() ? std::string_view() : piece.joint, piece.is_prose);
    }

    void flush() {
        if (!text_.empty()) parts_.push_back({text_, place_.heading, place_.page});
        text_.clear();
        characters_ = 0;
        prose_from_ = 0;
    }

private:
    void append(std::string_view text, std::string_view joint, bool is_prose) {
        text_.append(joint);
        if (!is_prose) prose_from_ = text_.size() + text.size();
        text_.append(text);
        characters_ += base::count_characters(text) + joint.size();
    }

    // The last sentences of the paragraph that the part ends with.
    std::string overlap_before(document_piece const& piece) const {
        if (!piece.is_prose || prose_from_ == text_.size()) return {};
        auto const paragraph = text_.rfind("\n\n");
        auto const from = paragraph == text_.npos ? 0 : paragraph + 2;
        auto rest = std::string_view(text_).substr(std::max(from, prose_from_));
        auto const room = size_.most - std::min(size_.most, piece.size + piece.joint.size());
        auto const most = std::min(size_.overlap, room);
        while (!rest.empty() && base::count_characters(rest) > most)
            rest.remove_prefix(end_of_sentence(rest));
        // A part that only repeats the one before it is none.
        return rest.size() == text_.size() ? std::string() : std::string(rest);
    }

    section const& place_;
    part_size const& size_;
    std::vector<document_part>& parts_;
    std::string text_;
    std::size_t characters_ = 0;
    std::size_t prose_from_ = 0; // where the prose at the part's end begins
};

bool is_same_place(section const& a, section const& b) {
    return a.heading == b.heading && a.page == b.page;
}

// Sizes that contradict each other, or are none.
part_size usable(part_size size) {
    size.most = std::max<std::size_t>(size.most, 1);
    size.target = std::clamp<std::size_t>(size.target, 1, size.most);
    size.overlap = std::min(size.overlap, size.target / 2);
    return size;
}

} // namespace

std::vector<document_part> split_into_parts(document_text const& document, part_size asked) {
    auto const size = usable(asked);
    std::vector<document_part> parts;
    auto const& sections = document.sections;
    for (std::size_t at = 0; at < sections.size();) {
        auto const& place = sections[at];
        part_packer packer(place, size, parts);
        for (; at < sections.size() && is_same_place(sections[at], place); ++at)
            for (auto const& piece : pieces_of(sections[at], size)) packer.add(piece);
        packer.flush();
    }
    return parts;
}

} // namespace postrider::agent::knowledge
