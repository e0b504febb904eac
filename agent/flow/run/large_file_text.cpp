#include "agent/flow/run/large_file_text.hpp"

#include "agent/language/notices.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

// Rounded up, so that no file has the size of the limit which it exceeds.
std::string megabytes(std::int64_t bytes, std::string_view decimal_mark) {
    constexpr std::int64_t megabyte = 1 << 20;
    auto const tenths = (bytes * 10 + megabyte - 1) / megabyte;
    return fmt::format("{}{}{}", tenths / 10, decimal_mark, tenths % 10);
}

} // namespace

std::string text_of_large_file(message_file const& file, std::string_view language) {
    auto const& words = language::notices_in(language);
    return language::in_words(
        words.too_large, file.name, megabytes(file.bytes, words.decimal_mark)
    );
}

} // namespace postrider::agent::flow
