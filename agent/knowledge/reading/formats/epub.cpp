#include "agent/knowledge/reading/document_reader.hpp"
#include "agent/knowledge/reading/epub_parts.hpp"
#include "agent/knowledge/reading/failures.hpp"
#include "agent/knowledge/reading/html_sections.hpp"
#include "agent/knowledge/reading/zip_archive.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::agent::knowledge::registered {

namespace {

// An archive whose first file, "mimetype", is not compressed.
bool is_epub(std::string_view bytes) {
    return is_zip(bytes) && bytes.substr(0, 200).find("application/epub+zip") != bytes.npos;
}

// One text of the book.
class chapter_reader final : public entry_reader {
public:
    chapter_reader(document_text& chapter, reading_limits const& limits)
        : chapter_(chapter),
          writer_(limits),
          page_(writer_) {}

    base::result<void> read(std::string_view piece) override {
        page_.read(piece);
        if (writer_.is_full()) return writer_.error();
        return {};
    }
    base::result<void> finish() override {
        page_.finish();
        if (writer_.is_full()) return writer_.error();
        chapter_ = writer_.finish();
        return {};
    }

private:
    document_text& chapter_;
    section_writer writer_;
    html_sections page_;
};

// What the texts of one book have left of its limits.
class book_reader {
public:
    book_reader(std::vector<std::string> spine, reading_limits const& limits)
        : spine_(std::move(spine)),
          chapters_(spine_.size()),
          limits_(limits) {
        for (std::size_t i = 0; i < spine_.size(); ++i) places_[spine_[i]] = i;
    }

    std::unique_ptr<entry_reader> chapter(std::string_view path) {
        count_last();
        auto const place = places_.find(path);
        if (place == places_.end()) return nullptr;
        last_ = &chapters_[place->second];
        return std::make_unique<chapter_reader>(*last_, limits_);
    }

    // In the order of the spine. The text before a chapter's first heading belongs to the last heading before it.
    document_text finish(std::string const& title) {
        section_writer cover(limits_);
        cover.set_title(title);
        auto book = cover.finish();
        for (auto& chapter : chapters_) {
            auto const heading =
                book.sections.empty() ? std::string() : book.sections.back().heading;
            if (book.title.empty()) book.title = chapter.title;
            for (auto& section : chapter.sections) {
                if (section.heading.empty()) section.heading = heading;
                book.sections.push_back(std::move(section));
            }
            chapter = {};
        }
        return book;
    }

private:
    void count_last() {
        if (!last_) return;
        for (auto const& section : std::exchange(last_, nullptr)->sections) {
            limits_.text_bytes -= std::min(limits_.text_bytes, section.text.size());
            limits_.sections -= std::min<std::size_t>(limits_.sections, 1);
        }
    }

    std::vector<std::string> spine_;
    std::vector<document_text> chapters_;
    std::map<std::string, std::size_t, std::less<>> places_;
    reading_limits limits_;
    document_text* last_ = nullptr;
};

base::result<std::string> find_package(
    std::string_view bytes, reading_budget& budget, epub_encryption& encryption
) {
    epub_container container;
    auto const read =
        read_zip(bytes, budget, [&](std::string_view path) -> std::unique_ptr<entry_reader> {
            if (path == "META-INF/container.xml") return make_xml_reader(container);
            if (path == "META-INF/encryption.xml") return make_xml_reader(encryption);
            return nullptr;
        });
    if (!read) return read.error();
    if (container.package_path().empty()) return broken_document("it names no package");
    return container.package_path();
}

base::result<document_text> read_epub(document_file file, reading_budget& budget) {
    epub_encryption encryption;
    auto const package_path = find_package(file.bytes, budget, encryption);
    if (!package_path) return package_path.error();

    epub_package package(*package_path);
    auto const described = read_zip(file.bytes, budget, [&](std::string_view path) {
        return path == *package_path ? make_xml_reader(package) : nullptr;
    });
    if (!described) return described.error();
    auto spine = package.spine();
    if (spine.empty()) return broken_document("its package names no texts");
    if (std::ranges::any_of(spine, [&](auto const& path) { return encryption.has(path); }))
        return encrypted_document();

    book_reader book(std::move(spine), budget.limits());
    auto const read =
        read_zip(file.bytes, budget, [&](std::string_view path) { return book.chapter(path); });
    if (!read) return read.error();
    return book.finish(package.title());
}

} // namespace

extern document_reader const epub;
document_reader const epub{
    .name = "EPUB",
    .media_types = {"application/epub+zip"},
    .endings = {".epub"},
    .has_signature = is_epub,
    .read = read_epub};

} // namespace postrider::agent::knowledge::registered
