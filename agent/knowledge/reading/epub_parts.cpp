#include "agent/knowledge/reading/epub_parts.hpp"

#include "agent/formats/html_display.hpp"
#include "base/names.hpp"

#include <array>
#include <charconv>

namespace postrider::agent::knowledge {

namespace {

using namespace std::string_view_literals;

using formats::attribute_of;

constexpr std::size_t most_book_files = 20'000;
constexpr std::size_t longest_book_path = 1000;
constexpr std::size_t longest_book_title = 1000;

constexpr std::array font_obfuscations{
    "http://www.idpf.org/2008/embedding"sv, "http://ns.adobe.com/pdf/enc#RC"sv};
constexpr std::array text_types{"application/xhtml+xml"sv, "text/html"sv, "text/x-oeb1-document"sv};

std::string without_percent_signs(std::string_view text) {
    std::string decoded;
    for (std::size_t at = 0; at < text.size(); ++at) {
        unsigned byte = 0;
        auto const* const digits = text.data() + at + 1;
        if (text[at] == '%' && at + 2 < text.size() &&
            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            decoded += static_cast<char>(byte);
            at += 2;
        } else {
            decoded += text[at];
        }
    }
    return decoded;
}

} // namespace

std::string path_in_archive(std::string_view referring_file, std::string_view reference) {
    reference = reference.substr(0, std::min(reference.find('#'), longest_book_path));
    if (reference.empty() || reference.find("://") != reference.npos) return {};
    auto path = without_percent_signs(reference);
    auto const folder = referring_file.substr(0, referring_file.rfind('/') + 1);
    if (!path.starts_with('/')) path.insert(0, folder);
    std::vector<std::string_view> names;
    for (std::string_view rest(path); !rest.empty();) {
        auto const end = std::min(rest.find('/'), rest.size());
        auto const name = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (name.empty() || name == ".") continue;
        if (name != "..") {
            names.push_back(name);
            continue;
        }
        if (names.empty()) return {};
        names.pop_back();
    }
    std::string resolved;
    for (auto const name : names) resolved.append(resolved.empty() ? "" : "/").append(name);
    return resolved;
}

void epub_container::begin(
    std::string_view name, formats::html_attributes const& attributes, std::size_t
) {
    if (name == "rootfile" && path_.empty())
        path_ = path_in_archive({}, attribute_of(attributes, "full-path"));
}

void epub_encryption::begin(
    std::string_view name, formats::html_attributes const& attributes, std::size_t
) {
    if (name == "EncryptionMethod")
        is_font_ = base::is_among(font_obfuscations, attribute_of(attributes, "Algorithm"));
    if (name != "CipherReference" || is_font_ || paths_.size() == most_book_files) return;
    paths_.insert(path_in_archive({}, attribute_of(attributes, "URI")));
}

void epub_package::begin(
    std::string_view name, formats::html_attributes const& attributes, std::size_t
) {
    in_title_ = name == "title" && title_.empty();
    if (name == "item" && base::is_among(text_types, attribute_of(attributes, "media-type"))) {
        auto const id = attribute_of(attributes, "id").substr(0, longest_book_path);
        if (manifest_.size() < most_book_files)
            manifest_.emplace(id, path_in_archive(path_, attribute_of(attributes, "href")));
    }
    if (name == "itemref" && spine_.size() < most_book_files)
        spine_.emplace_back(attribute_of(attributes, "idref").substr(0, longest_book_path));
}

void epub_package::text(std::string_view piece) {
    if (in_title_ && title_.size() < longest_book_title) title_ += piece;
}

std::vector<std::string> epub_package::spine() const {
    std::vector<std::string> paths;
    std::set<std::string_view> present;
    for (auto const& id : spine_) {
        auto const entry = manifest_.find(id);
        if (entry == manifest_.end() || entry->second.empty()) continue;
        if (present.insert(entry->second).second) paths.push_back(entry->second);
    }
    return paths;
}

} // namespace postrider::agent::knowledge
