#include "agent/spam/homoglyphs.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace postrider::agent::spam {

namespace {

struct lookalikes {
    char32_t letter;
    std::u32string_view others;
};

constexpr std::array<lookalikes, 36> lookalike_table{{
    {U'2', U"ᒿ"},
    {U'3', U"ɜзᴈ"},
    {U'4', U"Ꮞ"},
    {U'6', U"бᏮ"},
    {U'8', U"ȣ"},
    {U'a', U"ɑαаӓᎪᗅᴀꓮ"},
    {U'b', U"ßʙβвьᏏᏴᑲᖯᗷꓐ"},
    {U'c', U"сᏟᴄⲥꓚ"},
    {U'd', U"đԁᎠᏧᑯᗞᗪᴅꓒꓓ"},
    {U'e', U"ǝəεеєҽᎬᴇꓰꬲ"},
    {U'f', U"ғքᖴẝꓝꞙꬵ"},
    {U'g', U"ƍɡɢԍցᏀᏳᶃꓖ"},
    {U'h', U"ħʜнңһհᎻᏂᕼꓧ"},
    {U'i', U"ıɩɪιіїӏᎥꙇ"},
    {U'j', U"ϳјᎫᒍᴊꓙ"},
    {U'k', U"ƙκкқҡᏦᴋꓗ"},
    {U'l', U"łǀʟᏞᒪꓡꓲ"},
    {U'm', U"ʍмᎷᗰᴍꓟ"},
    {U'n', U"ɴηπпոռᴨꓠ"},
    {U'o', U"øοσоօᴏᴑⲟꓳꬽ"},
    {U'p', U"ρрᏢᑭᴘᴩⲣꓑ"},
    {U'q', U"ԛգզ"},
    {U'r', U"ʀʁγгґᎡᏒᖇᴦⲅꓣꭇꭈ"},
    {U's', U"ƽѕᏕᏚꓢꜱ"},
    {U't', U"ŧτтᎢᴛꓔ"},
    {U'u', U"ʋμυиսᑌᴎᴜꓴꞟꭎꭒ"},
    {U'v', U"νѵᏙᐯᴠꓦ"},
    {U'w', U"ωѡԝաᎳᏔᴡꓪ"},
    {U'x', U"χхҳᕁᕽꓫ"},
    {U'y', U"ɣʏуүұᎩᎽᶌỿꓬꭚ"},
    {U'z', U"Ꮓᴢꓜ"},
    {U'д', U"δ"},
    {U'л', U"ʌλᴧ"},
    {U'ф', U"ɸφ"},
    {U'ш', U"ɯ"},
    {U'я', U"ᴙ"},
}};

struct lookalike {
    char32_t other;
    char32_t letter;
};

constexpr std::size_t lookalike_count() {
    std::size_t count = 0;
    for (auto const& row : lookalike_table) count += row.others.size();
    return count;
}

using sorted_lookalikes = std::array<lookalike, lookalike_count()>;

constexpr sorted_lookalikes sorted_by_other() {
    sorted_lookalikes sorted{};
    std::size_t at = 0;
    for (auto const& row : lookalike_table)
        for (auto const other : row.others) sorted[at++] = {other, row.letter};
    std::sort(sorted.begin(), sorted.end(), [](auto const& a, auto const& b) {
        return a.other < b.other;
    });
    return sorted;
}

constexpr sorted_lookalikes sorted_table = sorted_by_other();

constexpr char32_t find_lookalike(char32_t letter) {
    auto const at = std::lower_bound(
        sorted_table.begin(),
        sorted_table.end(),
        letter,
        [](auto const& row, char32_t other) { return row.other < other; }
    );
    return at != sorted_table.end() && at->other == letter ? at->letter : letter;
}

// а to я, which are most of what is looked up.
constexpr char32_t first_basic = 0x430;
constexpr auto basic_cyrillic = [] {
    std::array<char32_t, 32> letters{};
    for (std::size_t at = 0; at < letters.size(); ++at)
        letters[at] = find_lookalike(first_basic + static_cast<char32_t>(at));
    return letters;
}();

} // namespace

char32_t lookalike_of(char32_t letter) noexcept {
    if (letter < 0x80) return letter;
    if (letter >= first_basic && letter < first_basic + basic_cyrillic.size())
        return basic_cyrillic[letter - first_basic];
    return find_lookalike(letter);
}

char32_t letter_of_sign(char32_t sign) noexcept {
    switch (sign) {
    case U'0':
        return U'o';
    case U'1':
        return U'i';
    case U'4':
        return U'a';
    case U'5':
        return U's';
    case U'7':
        return U't';
    case U'8':
        return U'b';
    case U'@':
        return U'a';
    case U'$':
        return U's';
    case U'3': // as letters they stand for themselves: lookalikes of Cyrillic ones
    case U'6':
        return sign;
    default:
        return 0;
    }
}

} // namespace postrider::agent::spam
