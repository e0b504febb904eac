#include "agent/knowledge/reading/zip_archive.hpp"

#include "agent/formats/xml_events.hpp"
#include "agent/knowledge/reading/failures.hpp"

#include <fmt/format.h>

#include <archive.h>
#include <archive_entry.h>
#include <new>
#include <vector>

namespace postrider::agent::knowledge {

namespace {

constexpr std::size_t unpacked_piece_bytes = 64u << 10;

struct free_archive {
    void operator()(archive* opened) const noexcept { archive_read_free(opened); }
};
using archive_owner = std::unique_ptr<archive, free_archive>;

base::error archive_failure() {
    return broken_document("the archive cannot be unpacked");
}

archive_owner open_zip(std::string_view bytes) {
    archive_owner opened(archive_read_new());
    if (!opened) throw std::bad_alloc();
    // No other formats and no filters: a zip within gzip is none. By its directory, which a broken one does not have:
    // without that, files that are skipped would have to be unpacked.
    archive_read_support_format_zip_seekable(opened.get());
    return archive_read_open_memory(opened.get(), bytes.data(), bytes.size()) == ARCHIVE_OK
               ? std::move(opened)
               : nullptr;
}

// Of what the archive calls it, in whatever encoding.
std::string_view path_of(archive_entry* entry) {
    auto const* path = archive_entry_pathname_utf8(entry);
    if (!path) path = archive_entry_pathname(entry);
    return path ? path : std::string_view();
}

base::result<void> unpack_entry(
    archive* opened, archive_entry* entry, reading_budget& budget, entry_reader& reader
) {
    if (archive_entry_is_encrypted(entry) > 0) return encrypted_document();
    // What it declares spares the work; what comes out counts.
    auto const declared = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : 0;
    if (declared > 0 && budget.is_beyond(static_cast<std::uint64_t>(declared)))
        return budget.unpack(static_cast<std::size_t>(declared));
    std::vector<char> piece(unpacked_piece_bytes);
    for (;;) {
        auto const size = archive_read_data(opened, piece.data(), piece.size());
        if (size < 0) return archive_failure();
        if (size == 0) return reader.finish();
        auto const bytes = static_cast<std::size_t>(size);
        if (auto const unpacked = budget.unpack(bytes); !unpacked) return unpacked;
        if (auto const taken = reader.read({piece.data(), bytes}); !taken) return taken;
    }
}

class xml_entry final : public entry_reader {
public:
    explicit xml_entry(formats::html_handler& handler) : events_(handler) {}

    base::result<void> read(std::string_view piece) override {
        return checked(events_.read(piece));
    }
    base::result<void> finish() override { return checked(events_.finish()); }

private:
    static base::result<void> checked(base::result<void> const& parsed) {
        if (parsed) return {};
        return broken_document(parsed.error().detail);
    }

    formats::xml_events events_;
};

class text_entry final : public entry_reader {
public:
    text_entry(std::string& text, std::size_t most_bytes) : text_(text), most_(most_bytes) {}

    base::result<void> read(std::string_view piece) override {
        if (piece.size() > most_ - text_.size())
            return document_too_large(fmt::format("a part has more than {} bytes", most_));
        text_ += piece;
        return {};
    }
    base::result<void> finish() override { return {}; }

private:
    std::string& text_;
    std::size_t most_;
};

} // namespace

base::result<void> read_zip(
    std::string_view bytes, reading_budget& budget, choose_reader const& choose
) {
    auto const opened = open_zip(bytes);
    if (!opened) return archive_failure();
    archive_entry* entry = nullptr;
    for (std::size_t entries = 1;; ++entries) {
        auto const outcome = archive_read_next_header(opened.get(), &entry);
        if (outcome == ARCHIVE_EOF) return {};
        if (outcome != ARCHIVE_OK && outcome != ARCHIVE_WARN) return archive_failure();
        if (entries > budget.limits().entries)
            return document_too_large(
                fmt::format("more than {} files in the archive", budget.limits().entries)
            );
        if (auto const time = budget.check(); !time) return time;
        auto const reader = choose(path_of(entry));
        if (!reader) continue;
        auto const unpacked = unpack_entry(opened.get(), entry, budget, *reader);
        if (!unpacked) return unpacked;
    }
}

bool is_zip(std::string_view bytes) noexcept {
    return bytes.starts_with(std::string_view("PK\3\4", 4));
}

std::unique_ptr<entry_reader> make_xml_reader(formats::html_handler& handler) {
    return std::make_unique<xml_entry>(handler);
}

std::unique_ptr<entry_reader> make_text_reader(std::string& text, std::size_t most_bytes) {
    return std::make_unique<text_entry>(text, most_bytes);
}

} // namespace postrider::agent::knowledge
