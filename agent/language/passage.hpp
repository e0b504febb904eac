#pragma once
// A stretch of a message: its words, their numbers, and the text they stand in. Private to
// agent/todo. A view: the message's own values outlive it.
#include "agent/language/vocabulary.hpp"

#include <algorithm>

namespace postrider::agent::language {

class passage {
public:
    passage(std::string_view message, std::span<word const> words, word_span numbers)
        : message_(message),
          words_(words),
          numbers_(numbers),
          end_(words.size()) {}

    std::size_t size() const noexcept { return end_ - begin_; }
    bool empty() const noexcept { return begin_ == end_; }
    word const& operator[](std::size_t index) const { return words_[begin_ + index]; }
    word_span numbers() const { return numbers_.subspan(begin_, size()); }

    passage part(std::size_t begin, std::size_t end) const {
        auto result = *this;
        result.begin_ = begin_ + begin;
        result.end_ = begin_ + std::max(begin, end);
        return result;
    }
    passage without_first(std::size_t count) const { return part(std::min(count, size()), size()); }
    passage without_last(std::size_t count) const {
        return part(0, size() - std::min(count, size()));
    }

    // With the word of the message before it, where there is one.
    passage with_word_before() const {
        auto result = *this;
        if (begin_ > 0) --result.begin_;
        return result;
    }

    // From here to the end of another passage of the same message.
    passage joined_with(passage const& last) const {
        auto result = *this;
        result.end_ = last.end_;
        return result;
    }

    bool holds_quotation() const {
        return std::ranges::any_of(words_.subspan(begin_, size()), &word::quoted);
    }

    // What stands between a word and the one before it, which there is.
    std::string_view between(std::size_t index) const {
        auto const previous_end = words_[begin_ + index - 1].end;
        return message_.substr(previous_end, words_[begin_ + index].begin - previous_end);
    }

    // The message's text behind the last word, of which there is one.
    std::string_view behind_last() const { return message_.substr(words_[end_ - 1].end); }

    // A comma or more stands behind the last word, or nothing.
    bool is_set_off() const { return end_ == words_.size() || words_[end_].before >= gap::comma; }

    // The same of another word.
    std::string_view behind_word(std::size_t index) const {
        return message_.substr(words_[begin_ + index].end);
    }

    // What the person wrote, with the punctuation that belongs to it.
    std::string text() const;

    // The same words with other numbers: slips of the finger put right.
    passage with_numbers(word_span numbers) const {
        auto result = *this;
        result.numbers_ = numbers;
        return result;
    }
    std::size_t begin() const noexcept { return begin_; }
    std::size_t end() const noexcept { return end_; }

private:
    std::string_view message_;
    std::span<word const> words_;
    word_span numbers_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

} // namespace postrider::agent::language
