#include "agent/knowledge/reading/read_document.hpp"

#include "agent/knowledge/reading/document_reader.hpp"
#include "agent/knowledge/reading/failures.hpp"
#include "base/on_thread.hpp"

#include <fmt/format.h>

namespace postrider::agent::knowledge {

base::awaitable<base::result<document_text>> read_document(
    document_file file, reading_limits limits, std::string pdf_program
) {
    if (file.bytes.size() > limits.file_bytes)
        co_return document_too_large(fmt::format("more than {} bytes", limits.file_bytes));
    auto const reader = reader_of(file);
    if (!reader) co_return reader.error();
    if ((*reader)->convert) {
        auto converted =
            co_await (*reader)->convert(std::move(file.bytes), limits, std::move(pdf_program));
        if (!converted) co_return converted.error();
        file.bytes = std::move(*converted);
    }
    base::result<document_text> document = document_too_slow();
    auto const work = [&](std::stop_token stop) {
        reading_budget budget(limits, std::move(stop));
        document = parse_document(**reader, std::move(file), budget);
    };
    co_await base::run_on_thread(work);
    co_return std::move(document);
}

std::vector<std::string_view> document_format_names() {
    std::vector<std::string_view> names;
    for (auto const* reader : document_readers()) names.push_back(reader->name);
    return names;
}

std::string_view media_type_of_document(document_file const& file) {
    auto const reader = reader_of(file);
    return reader ? (*reader)->media_types.front() : std::string_view();
}

} // namespace postrider::agent::knowledge
