#include "base/environment_file.hpp"

#include "base/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace postrider::base {

namespace {

constexpr std::string_view blank_characters = " \t\r";

std::string_view trimmed(std::string_view text) {
    auto const begin = std::min(text.find_first_not_of(blank_characters), text.size());
    return text.substr(begin, text.find_last_not_of(blank_characters) + 1 - begin);
}

bool is_name(std::string_view text) {
    constexpr std::string_view digits = "0123456789";
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    return !text.empty() && digits.find(text.front()) == digits.npos &&
           std::ranges::all_of(text, [&](char c) {
               return digits.find(c) != digits.npos || letters.find(c) != letters.npos;
           });
}

// Without its quotes; nothing where they do not frame it, and where Compose would read a comment.
std::optional<std::string> unquoted(std::string_view written) {
    auto const text = trimmed(written);
    if (text.empty() || (text.front() != '"' && text.front() != '\'')) {
        bool const has_comment =
            written.find(" #") != written.npos || written.find("\t#") != written.npos;
        return has_comment ? std::nullopt : std::optional(std::string(text));
    }
    char const quote = text.front();
    std::string value;
    for (std::size_t i = 1; i < text.size(); ++i) {
        char c = text[i];
        if (c == quote) return i + 1 == text.size() ? std::optional(value) : std::nullopt;
        bool const escapes = quote == '"' && c == '\\' && i + 1 < text.size();
        if (escapes && (text[i + 1] == '"' || text[i + 1] == '\\')) c = text[++i];
        value += c;
    }
    return std::nullopt;
}

} // namespace

environment_file parse_environment_file(std::string path, std::string_view text) {
    environment_file file{.path = std::move(path)};
    for (int number = 1; !text.empty(); ++number) {
        auto const end = std::min(text.find('\n'), text.size());
        auto const line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#' || line.front() == ';') continue;
        auto const equals = std::min(line.find('='), line.size());
        auto const name = trimmed(line.substr(0, equals));
        auto const complain = [&](std::string_view problem) {
            file.problems.push_back(fmt::format("{}:{}: {}", file.path, number, problem));
        };
        if (equals == line.size() || !is_name(name)) {
            complain("the line is not NAME=value");
            continue;
        }
        auto value = unquoted(line.substr(equals + 1));
        if (!value) {
            complain(fmt::format(
                "quotes must frame the whole value of {}, and a comment needs its own line", name
            ));
            continue;
        }
        file.values.insert_or_assign(std::string(name), std::move(*value));
        file.lines.insert_or_assign(std::string(name), number);
    }
    return file;
}

environment_file read_environment_file(std::string path, bool required) {
    auto const text = read_text_file(path);
    if (!text) {
        environment_file none;
        if (required || !is_absent(path)) none.problems.push_back("cannot read the file " + path);
        return none;
    }
    std::error_code ignored;
    auto const mode = std::filesystem::status(path, ignored).permissions();
    auto file = parse_environment_file(std::move(path), *text);
    using std::filesystem::perms;
    file.others_may_read = mode != perms::unknown && (mode & perms::others_read) != perms::none;
    return file;
}

} // namespace postrider::base
