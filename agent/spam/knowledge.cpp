#include "agent/spam/knowledge.hpp"

#include "agent/spam/features.hpp"

namespace postrider::agent::spam {

void knowledge::add(sample const& sample) {
    auto const text = normalize(sample.text);
    classifier_.add(sample.kind, features_of(message_of(sample.text), text));
    samples_.add(sample.kind, text);
}

base::result<void> knowledge::remove(sample const& sample) {
    auto const text = normalize(sample.text);
    if (!samples_.remove(sample.kind, text))
        return base::error(base::errc::invalid, "there is no such sample");
    return classifier_.remove(sample.kind, features_of(message_of(sample.text), text));
}

void knowledge::set_stop_words(std::vector<std::string> const& words) {
    stop_words_.clear();
    for (auto const& written : words) {
        stop_word word{written, {}, written.starts_with('=')};
        word.folded = folded_text(std::string_view(written).substr(word.is_exact ? 1 : 0));
        if (!word.folded.empty()) stop_words_.push_back(std::move(word));
    }
}

knowledge const& default_knowledge() {
    static auto const learned = [] {
        knowledge fresh;
        for (auto const* samples : {&public_samples(), &everyday_samples()})
            for (auto const& sample : *samples) fresh.add(sample);
        fresh.set_stop_words(default_stop_words());
        return fresh;
    }();
    return learned;
}

} // namespace postrider::agent::spam
