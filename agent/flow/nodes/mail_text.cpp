#include "agent/flow/nodes/mail_text.hpp"

#include "base/texts.hpp"
#include "base/utf8.hpp"
#include "net/base64.hpp"
#include "net/digest.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr std::size_t line_bytes = 76;         // of base64
constexpr std::size_t word_bytes = 45;         // whose base64 is a word of at most 75 characters
constexpr std::size_t longest_plain_head = 60; // characters

// RFC 2047: as it is, or in words of base64, which hold any character.
std::string encoded_words(std::string_view text) {
    bool const is_plain = text.size() <= longest_plain_head &&
                          std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7f; }) &&
                          text.find("=?") == text.npos;
    if (is_plain) return std::string(text);
    std::string words;
    while (!text.empty()) {
        auto const piece = base::cut_at_character(text, word_bytes);
        if (!words.empty()) words += "\r\n ";
        words += "=?utf-8?B?" + net::to_base64(piece) + "?=";
        text.remove_prefix(piece.size());
    }
    return words;
}

// In quotes, where it is plain.
std::string display_name(std::string const& name) {
    auto const words = encoded_words(name);
    if (words.starts_with("=?")) return words;
    std::string quoted;
    for (char const c : words) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return "\"" + quoted + "\"";
}

std::string in_lines(std::string const& base64) {
    std::string lines;
    for (std::size_t at = 0; at < base64.size(); at += line_bytes)
        lines += base64.substr(at, line_bytes) + "\r\n";
    return lines;
}

std::string text_part(std::string_view type, std::string const& text) {
    return fmt::format(
        "Content-Type: text/{}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n{}",
        type,
        in_lines(net::to_base64(text))
    );
}

std::string both_parts(mail_parts const& mail) {
    auto const boundary = "part-" + net::sha256_hex(mail.id).substr(0, 32);
    return fmt::format(
        "Content-Type: multipart/alternative;\r\n "
        "boundary=\"{0}\"\r\n\r\n--{0}\r\n{1}--{0}\r\n{2}--{0}--"
        "\r\n",
        boundary,
        text_part("plain", mail.text),
        text_part("html", mail.html)
    );
}

std::string body_of_mail(mail_parts const& mail) {
    if (mail.html.empty()) return text_part("plain", mail.text);
    return mail.text.empty() ? text_part("html", mail.html) : both_parts(mail);
}

} // namespace

std::string mail_text(mail_parts const& mail) {
    auto const moment = std::chrono::system_clock::to_time_t(
        std::chrono::time_point_cast<std::chrono::system_clock::duration>(mail.sent_at)
    );
    auto const from =
        mail.from_name.empty() ? mail.from : display_name(mail.from_name) + " <" + mail.from + ">";
    auto head = fmt::format("Date: {:%a, %d %b %Y %H:%M:%S} +0000\r\n", fmt::gmtime(moment));
    head += "From: " + from + "\r\nTo: " + base::joined(mail.to, ",\r\n ") + "\r\n";
    if (!mail.cc.empty()) head += "Cc: " + base::joined(mail.cc, ",\r\n ") + "\r\n";
    if (!mail.reply_to.empty()) head += "Reply-To: " + mail.reply_to + "\r\n";
    head += "Subject: " + encoded_words(mail.subject) + "\r\n";
    head += "Message-ID: <" + mail.id + ">\r\nMIME-Version: 1.0\r\n";
    return head + body_of_mail(mail);
}

} // namespace postrider::agent::flow
