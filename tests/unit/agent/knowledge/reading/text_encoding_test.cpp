// Texts of documents in the encodings that they come in.
#include "agent/knowledge/reading/text_encoding.hpp"

#include <gtest/gtest.h>

#include <iconv.h>
#include <stdexcept>

namespace postrider::agent::knowledge::text_encoding_test {
namespace {

std::string encoded(std::string text, char const* charset) {
    auto* const converter = iconv_open(charset, "UTF-8");
    std::string bytes(4 * text.size() + 4, '\0');
    auto* in = text.data();
    auto* out = bytes.data();
    auto in_left = text.size();
    auto out_left = bytes.size();
    auto const outcome = iconv(converter, &in, &in_left, &out, &out_left);
    iconv_close(converter);
    if (outcome == static_cast<std::size_t>(-1)) throw std::runtime_error("not in this encoding");
    bytes.resize(bytes.size() - out_left);
    return bytes;
}

std::string decoded(std::string bytes, std::string_view declared = {}) {
    reading_budget const budget{reading_limits{}};
    return decode_text(std::move(bytes), declared, budget).value();
}

TEST(text_encoding, is_recognized_by_the_letters_of_a_language) {
    struct sample {
        char const* charset;
        char const* text;
    };
    for (auto const& [charset, text] : {
             sample{"windows-1252", "Die Größe der Tür überrascht – für 20 € geöffnet."},
             sample{"windows-1252", "Élève à l'école : ça coûte très cher, où êtes-vous ?"},
             sample{"windows-1252", "Mañana será otro día, señor. ¿Qué pasó?"},
             sample{"windows-1250", "Zażółć gęślą jaźń, proszę bardzo. Łódź i Kraków."},
             sample{"windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy."},
             sample{"windows-1254", "İstanbul'da güneşli bir gün, çok sıcak ve ışıklı."},
             sample{"windows-1251", "Съешь же ещё этих мягких французских булок, да выпей чаю."},
             sample{"koi8-r", "Съешь же ещё этих мягких французских булок, да выпей чаю."},
             sample{"windows-1253", "Η γρήγορη αλεπού πηδάει πάνω από το τεμπέλικο σκυλί."},
         }) {
        auto const bytes = encoded(text, charset);
        EXPECT_EQ(charset_of_text(bytes, ""), charset) << text;
        EXPECT_EQ(decoded(bytes), text);
    }
}

TEST(text_encoding, is_what_a_mark_or_a_declaration_says) {
    EXPECT_EQ(decoded("\xEF\xBB\xBFü", "windows-1251"), "ü") << "the mark counts first";
    EXPECT_EQ(decoded("\xFF\xFE" + encoded("ü\r\nb", "UTF-16LE")), "ü\nb");
    EXPECT_EQ(decoded("\xFE\xFF" + encoded("ü", "UTF-16BE")), "ü");
    EXPECT_EQ(decoded("\xC4", "koi8-r"), "д");
    EXPECT_EQ(decoded("\xC4", "no-such-charset"), "Ä");
    EXPECT_EQ(decoded(encoded("日本語", "SHIFT_JIS"), "shift_jis"), "日本語");
}

TEST(text_encoding, is_utf8_where_the_bytes_are) {
    EXPECT_EQ(charset_of_text("plain", ""), "utf-8");
    EXPECT_EQ(charset_of_text("Größe 日本語", ""), "utf-8");
    EXPECT_EQ(charset_of_text("日本語日本語日本語日本語日本語\xFF", ""), "utf-8")
        << "one broken byte";
    EXPECT_EQ(charset_of_text(encoded("without a mark", "UTF-16LE"), ""), "utf-16le");
    EXPECT_EQ(charset_of_text(encoded("without a mark", "UTF-16BE"), ""), "utf-16be");
}

TEST(text_encoding, leaves_out_control_characters) {
    EXPECT_EQ(decoded(std::string("a\0b\x07\x1b[1mc\rd\r\ne\x7f\tf", 17)), "ab[1mc\nd\ne\tf");
}

TEST(text_encoding, tells_texts_from_other_bytes) {
    EXPECT_TRUE(looks_like_text(""));
    EXPECT_TRUE(looks_like_text("a\tb\r\n\f"));
    EXPECT_TRUE(looks_like_text(encoded("a text", "UTF-16LE")));
    EXPECT_TRUE(looks_like_text(std::string(1000, 'a') + "\x01"));
    EXPECT_FALSE(looks_like_text(std::string(
        "\x7f"
        "ELF\2\1\1\0\0\0",
        10
    )));
    EXPECT_FALSE(looks_like_text(std::string("aaaa\0bbbbbbbbbbbb", 17)));
}

} // namespace
} // namespace postrider::agent::knowledge::text_encoding_test
