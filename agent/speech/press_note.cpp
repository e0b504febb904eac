#include "agent/speech/press_note.hpp"

#include "agent/language/notices.hpp"
#include "agent/language/reading/understand.hpp"

namespace postrider::agent {

std::string note_of(
    storage::press_outcome outcome, std::string_view shown, std::string_view usual_language
) {
    if (outcome == storage::press_outcome::taken) return {};
    // Behind its first line may stand what no person wrote.
    auto const question = shown.substr(0, shown.find('\n'));
    auto const asked_in = language::language_of(question);
    auto const& words = language::notices_in(asked_in.empty() ? usual_language : asked_in);
    return outcome == storage::press_outcome::not_yours ? words.not_yours : words.not_open;
}

} // namespace postrider::agent
