#pragma once
// A language of the todo rules as data. A new one is one value in a file of its own in languages/
// and one line in language_table.cpp.
//
// All words are read like a person's message: folded, without punctuation. Lists are divided by |.
//
// A form is a whole clause, without politeness before and behind:
//     remind me to <title>          a slot takes any words: <title>, <task>, <search>, <time>
//     (add|create) [a new] task     (one of them), [at most one of them]
// A clause must match a form from its first word to its last: what negates, asks, tells or imposes
// a condition matches none, and so does nothing. Of several forms the one with the most words of
// its own wins.
#include "agent/todo/request.hpp"

#include <array>
#include <span>
#include <string_view>

namespace postrider::agent::todo {

struct form {
    intent::kind action = intent::kind::unknown; // what no tool does: it is not understood
    std::string_view text;
    list_filter filter = list_filter::all;
    // The title is a sentence ("remind me to …"), so that an "and" in it hardly ends it.
    bool verbal = false;
    bool colon = false; // the title must stand behind a colon: "todo: …"
    std::optional<priority> urgency = {};
    // Behind a colon several titles may follow: "add these: …"; with `colon` it is no clause by itself.
    bool heads_titles = false;
    bool numbered = false; // the task must be named by its number: "make task 3 urgent"
    // It asks for something only where it says when: "I need to call Ann tomorrow".
    bool timed = false;
    bool may_date =
        false; // the new title may be a time, which is no title then: "change 3 to friday"
    std::string_view verb = {}; // of the task's title: "I bought the milk" is "buy the milk"
};

// Added to the minutes of a part of the day: it stands by itself ("noon"), or it is today's ("tonight").
inline constexpr int stands_alone = 10'000;
inline constexpr int is_of_today = 20'000;

// What times are made of; the numbers are the value of each list's words.
struct time_words {
    struct entry {
        std::string_view words;
        int value = 0;
    };
    std::array<std::string_view, 7> weekdays = {}; // from Monday
    std::array<std::string_view, 12> months = {};  // from January
    std::span<entry const> days = {};              // "tomorrow": 1
    std::span<entry const> parts = {};             // minutes of the day: "evening": 1080
    std::span<entry const> units = {};             // minutes: "hour": 60; months are -1, years -12
    std::string_view seconds = {};                 // "second"
    std::string_view next = {};                    // "next", "coming"
    std::string_view within = {};                  // "in", before or behind a span
    std::string_view at = {};                      // before a time of day: "at"
    std::string_view on = {};                      // before a day: "on", "by"
    std::string_view inside = {}; // between the words of a time: "of"; an article may begin it
    std::string_view day_leads =
        {}; // before a day of the month whose number is a plain one: "am 5."
    std::string_view day_marks = {}; // beside such a number, make a day of it: "día 5"
    std::string_view numbered = {};  // what has a number, which is no time then: "version", "room"
    std::string_view topics = {};    // before a time, make a thing of it: "since", "about"
    std::string_view turns = {};     // before a time, make another one of it: "after", "from"
    std::string_view behind = {};    // behind a time: postpositions
    std::string_view hours = {};     // behind a time of day: "o'clock"
    std::string_view before_noon = {};        // "am"
    std::string_view after_noon = {};         // "pm"
    std::string_view half = {};               // "half an hour"
    std::span<entry const> clock_before = {}; // before an hour, minutes from it: "half past": 30
    std::span<entry const> clock_behind = {}; // behind it: "y media": 30
    std::string_view recurring = {};          // "every", "daily"
    bool twelve_hours = false;                // "at 5" is the afternoon
    bool months_may_lead = false;             // "5/6" may be in May: it is not understood
};

struct language {
    std::string_view code; // "en"
    std::span<form const> forms = {};
    std::string_view openings = {};      // politeness before a clause
    std::string_view corrections = {};   // before a comma, takes back what stands before: "no, …"
    std::string_view requests = {};      // "could you": makes a request of a question
    std::string_view closings = {};      // politeness behind it
    std::string_view afterthoughts = {}; // the same, behind a comma only: "thanks"
    std::string_view confirmations = {}; // "yes", "I'm sure": the question is answered already
    std::string_view conjunctions = {};  // "and", "then"
    std::string_view neighbours = {};    // words like a command's with one letter changed: no slips
    std::string_view doubts =
        {};                     // "don't", "if", "never mind": in what is no title: nothing is done
    std::string_view past = {}; // "yesterday", "ago"
    std::string_view negations = {};   // before a request, refuse it: "don't"
    std::string_view contrasts = {};   // behind a comma, tell apart: "but"
    std::string_view concessions = {}; // begin what is no request: "I know"
    std::string_view provisos = {};    // behind a new title: "if it is not there yet"
    std::string_view retractions = {}; // take back what stands before: "never mind", "just kidding"

    std::span<time_words::entry const> numbers = {};  // "two": 2
    std::span<time_words::entry const> ordinals = {}; // "second": 2; "last": -1
    std::string_view number_marks = {};               // "number", "no"
    std::string_view pronouns = {};                   // "it", "that one"
    std::string_view everything = {};                 // "all tasks"
    std::string_view exceptions = {};                 // behind "everything": "except"
    std::string_view ranges = {};                     // between two numbers: "to"
    std::string_view articles = {};                   // "the", "my"
    std::string_view nouns = {};                      // "task", "one"
    std::string_view plurals = {};                    // of nouns: a number before one is a count
    std::string_view no_titles =
        {}; // words that are no title alone, nor begin one; with its verb: "make sure"
    std::span<time_words::entry const> priorities = {}; // value: 0 low, 1 medium, 2 high
    time_words times = {};
    bool titles_begin_with_verb = false; // "buy milk", not "Milch kaufen"
};

// The languages of the product.
std::span<language const* const> languages() noexcept;

// By its code; false of a language that is not there.
bool begins_titles_with_verbs(std::string_view code) noexcept;

} // namespace postrider::agent::todo
