#pragma once
// Letters that look alike, as one letter. Pure.
//
// Source: Unicode 15.0, confusables.txt of Technical Standard 39 (what maps to one ASCII letter there, of the scripts that
// people type). Cyrillic letters that look Latin as capitals or in cursive, and small capitals, are added by hand.

namespace postrider::agent::spam {

// Of a letter in lower case without marks: the letter that stands for all that look like it. It is a Latin one
// where there is one.
char32_t lookalike_of(char32_t letter) noexcept;

// A sign or a digit that stands for a letter between letters: 0 is o, @ is a. 0 where it stands for none.
char32_t letter_of_sign(char32_t sign) noexcept;

} // namespace postrider::agent::spam
