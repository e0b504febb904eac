#pragma once
// The parts of an EPUB book that say what it consists of. Handlers of XML events. Pure.
#include "agent/formats/html_events.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

// The path in the archive of what a file within it refers to: without a fragment, percent signs decoded, "." and ".."
// resolved. "" = it leads out of the archive.
std::string path_in_archive(std::string_view referring_file, std::string_view reference);

// META-INF/container.xml
class epub_container final : public formats::html_handler {
public:
    std::string const& package_path() const noexcept { return path_; } // "" = it names none

private:
    void begin(std::string_view name, formats::html_attributes const& attributes, std::size_t)
        override;
    void end(std::string_view, std::size_t) override {}
    void text(std::string_view) override {}

    std::string path_;
};

// META-INF/encryption.xml. Fonts are often obfuscated, which is no encryption of the book.
class epub_encryption final : public formats::html_handler {
public:
    bool has(std::string const& path) const { return paths_.contains(path); }

private:
    void begin(std::string_view name, formats::html_attributes const& attributes, std::size_t)
        override;
    void end(std::string_view, std::size_t) override {}
    void text(std::string_view) override {}

    std::set<std::string> paths_;
    bool is_font_ = false; // of the element that is open
};

// The package: its title, and the paths of its texts in reading order.
class epub_package final : public formats::html_handler {
public:
    explicit epub_package(std::string path) : path_(std::move(path)) {}

    std::string const& title() const noexcept { return title_; }
    // To be called once, at the end. At most as many as the spine has.
    std::vector<std::string> spine() const;

private:
    void begin(std::string_view name, formats::html_attributes const& attributes, std::size_t)
        override;
    void end(std::string_view, std::size_t) override { in_title_ = false; }
    void text(std::string_view piece) override;

    std::string path_;
    std::string title_;
    bool in_title_ = false;
    std::map<std::string, std::string, std::less<>> manifest_; // paths of texts by their ids
    std::vector<std::string> spine_;                           // ids
};

} // namespace postrider::agent::knowledge
