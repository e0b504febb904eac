#include "agent/language/stop_words.hpp"

#include "agent/language/folded_words.hpp"
#include "agent/language/words.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace postrider::agent {

namespace {

constexpr std::size_t longest_phrase = 64; // bytes

// Two languages that share a word: the first one answers.
constexpr std::array all_stop_words{
    stop_words{
        .language = "en",
        .phrases = "stop|stop it|stop that|stop now|please stop|stop please|abort",
        .ended = "I stopped. Nothing more comes of that message."},
    stop_words{
        .language = "de",
        .phrases = "stopp|halt|anhalten|abbrechen|hör auf|aufhören|bitte stopp|stopp bitte",
        .ended = "Ich habe aufgehört. Zu dieser Nachricht kommt nichts mehr."},
    stop_words{
        .language = "fr",
        .phrases = "arrête|arrêtez|arrête ça|arrêtez ça|arrête-toi|arrêtez-vous",
        .ended = "Je me suis arrêté. Il n'y aura pas de suite à ce message."},
    stop_words{
        .language = "es",
        .phrases = "para|pare|para ya|alto|detente|deténgase|basta",
        .ended = "He parado. No habrá más respuesta a ese mensaje."},
    stop_words{
        .language = "ru",
        .phrases = "стоп|стой|остановись|остановитесь|хватит|прекрати|прекратите",
        .ended = "Я остановился. По этому сообщению больше ничего не будет."},
    stop_words{
        .language = "ur",
        .phrases = "رکو|رک جاؤ|رک جائیں|بس کرو|روکو|ruko|ruk jao|bas karo",
        .ended = "میں رک گیا۔ اس پیغام پر اب اور کچھ نہیں آئے گا۔"},
};

std::map<std::string, stop_words const*, std::less<>> languages_by_phrase() {
    std::map<std::string, stop_words const*, std::less<>> all;
    for (auto const& language : all_stop_words)
        for (auto rest = language.phrases; !rest.empty();) {
            auto const end = std::min(rest.find('|'), rest.size());
            all.try_emplace(folded_words(rest.substr(0, end)), &language);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    return all;
}

} // namespace

std::span<stop_words const> stop_table() noexcept {
    return all_stop_words;
}

stop_words const* find_stop_word(std::string_view message) {
    if (message.size() > longest_phrase || message.starts_with('/')) return nullptr;
    static auto const languages = languages_by_phrase();
    auto const read = words_of(message);
    bool const quotes = std::ranges::any_of(read.words, &word::quoted);
    if (read.words.empty() || read.asks || quotes) return nullptr;
    auto const found = languages.find(folded_words(message));
    return found == languages.end() ? nullptr : found->second;
}

stop_words const* find_stop_language(std::string_view language) noexcept {
    auto const* const found = std::ranges::find(all_stop_words, language, &stop_words::language);
    return found == all_stop_words.end() ? nullptr : found;
}

} // namespace postrider::agent
