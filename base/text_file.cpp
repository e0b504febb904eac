#include "base/text_file.hpp"

#include <array>
#include <filesystem>
#include <fstream>

namespace postrider::base {

namespace {

constexpr std::size_t largest_file = 4u << 20;

} // namespace

std::optional<std::string> read_text_file(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    std::string text;
    std::array<char, 4096> part;
    do {
        in.read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(in.gcount()));
        if (in.bad() || text.size() > largest_file) return std::nullopt;
    } while (in);
    return text;
}

bool is_absent(std::string const& path) {
    std::error_code ignored;
    return std::filesystem::status(path, ignored).type() == std::filesystem::file_type::not_found;
}

} // namespace postrider::base
