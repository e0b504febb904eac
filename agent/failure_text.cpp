#include "agent/failure_text.hpp"

namespace postrider::agent {

std::string_view failure_text(base::errc code) noexcept {
    using base::errc;
    switch (code) {
    case errc::unauthorized:
    case errc::not_found:
        return "I cannot answer: my language model is not set up correctly. Please tell the person "
               "who runs me. Your message is saved.";
    case errc::budget:
        return "I cannot answer: the spending limit for my language model is reached. Please tell "
               "the person who runs me. Your message is saved.";
    case errc::refused:
    case errc::invalid:
    case errc::too_large:
        return "I could not answer this message: my language model did not accept it. Your message "
               "is saved.";
    case errc::rate_limited:
    case errc::overloaded:
        // It may have asked for hours.
        return "My language model is too busy right now. Your message is saved; please ask again "
               "later.";
    case errc::timeout:
        return "My language model took too long to answer. Your message is saved; please ask "
               "again in a few minutes.";
    default:
        return "I cannot reach my language model right now. Your message is saved; please ask "
               "again in a few minutes.";
    }
}

} // namespace postrider::agent
