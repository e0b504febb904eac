#pragma once
// One language as data: what its words mean to the rules, how it says yes, no and stop, how it claims that
// something was done, and what we say in it. A language is one JSON file in languages/, whose members have the
// names of these, and one line in languages.def. Immutable once read; threads: any.
//
// All words are read like a person's message: folded, without punctuation.
//
// A form is a whole clause, without politeness before and behind:
//     remind me to <title>          a slot takes any words: <title>, <task>, <search>, <time>
//     <verb> <priority> <level>     one verb of the past; one of `priorities`; one of `levels`
//     (add|create) [a new] task     (one of them), [at most one of them]
// A clause must match a form from its first word to its last: what negates, asks, tells or imposes
// a condition matches none, and so does nothing. Of several forms the one with the most words of
// its own wins. A form has a word of its own, or a priority.
#include "agent/language/notices.hpp"
#include "agent/language/replies.hpp"
#include "agent/language/request.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::language {

using phrases = std::vector<std::string>;

struct form {
    intent::kind action = intent::kind::unknown; // what no tool does: it is not understood
    std::string text;
    list_filter filter = list_filter::all;
    // The title is a sentence ("remind me to …"), so that an "and" in it hardly ends it.
    bool verbal = false;
    bool colon = false; // the title must stand behind a colon: "todo: …"
    std::optional<priority> urgency = {};
    // Behind a colon several titles may follow: "add these: …"; with `colon` it is no clause by itself.
    bool heads_titles = false;
    bool numbered = false; // the task must be named by its number or be "it": "make task 3 urgent"
    bool titled = false;   // the task must not be "it": "that is urgent" speaks of something else
    // The time is how far the due date moves: 1 = to later, -1 = to earlier.
    int shift = 0;
    // It asks for something only where it says when: "I need to call Ann tomorrow", "friday's tasks".
    bool timed = false;
    // The priority must stand behind a colon or a dash: "gym: high priority". It is the weakest reading.
    bool set_off = false;
    // The new title may be a time, which is no title then: "change 3 to friday".
    bool may_date = false;
    std::string verb = {}; // of the task's title: "I bought the milk" is "buy the milk"
};

// "*ed" is the past of "*": words that are a verb's past, and that verb; "" = what no task says. A star stands for
// any letters; two stars in both for a part before the verb and its stem.
struct past_verb {
    std::string past;
    std::string verb;
};

struct valued_words {
    phrases words;
    int value = 0;
};

struct part_of_day {
    phrases words;
    int value = 0;             // minutes of the day
    bool stands_alone = false; // "noon"
    bool is_of_today = false;  // "tonight"
};

// What times are made of; a number is the value of its words.
struct time_words {
    std::array<phrases, 7> weekdays = {};       // from Monday
    std::array<phrases, 7> short_weekdays = {}; // such only before a full stop: "mon."
    std::array<phrases, 12> months = {};        // from January
    std::vector<valued_words> days = {};        // "tomorrow": 1
    std::vector<part_of_day> parts = {};        // "evening": 1080
    std::vector<valued_words> day_parts = {};   // such only behind a day: "Freitag Morgen"
    std::vector<valued_words> units = {};       // minutes: "hour": 60; months are -1, years -12
    phrases seconds = {};                       // "second"
    phrases next = {};                          // "next", "coming"
    phrases current = {};                       // those of `next` that mean the week it is: "this"
    phrases within = {};                        // "in", before or behind a span
    phrases at = {};                            // before a time of day: "at"
    phrases on = {};                            // before a day: "on", "by"
    phrases inside = {};      // between the words of a time: "of"; an article may begin it
    phrases day_leads = {};   // before a day of the month whose number is a plain one: "am 5."
    phrases day_marks = {};   // beside such a number, make a day of it: "día 5"
    phrases numbered = {};    // what has a number, which is no time then: "version", "room"
    phrases topics = {};      // before a time, make a thing of it: "since", "about"
    phrases turns = {};       // before a time, make another one of it: "after", "from"
    phrases until = {};       // those of `on` that stand before an hour as well: "by 9 tomorrow"
    phrases bounds = {};      // before an hour, make it an end of a stretch: "from 9 to 11"
    phrases through = {};     // before the last day of a stretch: "3 to 5 December"
    phrases aims = {};        // those of `on` that say what it is for as well: "for christmas"
    phrases named_days = {};  // days whose date is not known: "christmas eve"
    phrases behind = {};      // behind a time: postpositions
    phrases hours = {};       // behind a time of day: "o'clock"
    phrases before_noon = {}; // "am"
    phrases after_noon = {};  // "pm"
    phrases half = {};        // "half an hour"
    std::vector<valued_words> clock_before = {}; // before an hour, minutes from it: "half past": 30
    std::vector<valued_words> clock_behind = {}; // behind it: "y media": 30
    std::vector<valued_words> clock_named =
        {}; // minutes of the day in one word: "полвосьмого": 450
    // Units without a number, behind `within`: "полчаса". Days that are counted with the first: "quinze jours".
    std::vector<valued_words> spans = {};
    phrases recurring = {};             // "every", "daily"
    bool twelve_hours = false;          // "at 5" is the afternoon
    bool hours_need_mark = false;       // a plain number behind `at` is as often a price: "à 3"
    bool months_may_lead = false;       // "5/6" may be in May: it is not understood
    bool only_first_is_ordinal = false; // of the days of a month: "le 1er mai", "le 2 mai"
};

// Days that a list is asked for and that are not one day. What may stand before any time ("on", "the") is left out.
struct stretch_words {
    std::vector<valued_words> weeks =
        {}; // by how many lie between: "this week": 0, "last week": -1
    std::vector<valued_words> weekends = {}; // the same
    std::vector<valued_words> months = {};   // the same
    std::vector<valued_words> days = {};     // before what is listed: "tomorrow's": 1
    std::array<phrases, 7> weekdays = {};    // the same from Monday: "friday's"
    phrases parts = {};                      // of a day, the same: "friday | morning's"
    phrases until = {};                      // the last day stands beside: "by friday"
    phrases before = {};                     // the day behind the last: "before friday"
    phrases since = {};                      // the first: "from friday on"
};

// A clear yes and a clear no (assent.hpp). Where several begin with the same words, the longest is read.
struct assent_words {
    phrases yes;
    phrases bare_yes; // where no filler stands beside: "confirm", not "confirm, please"
    phrases no;
    phrases fillers; // change no answer, and are none alone: "please", "delete it"
    phrases idioms;  // wherever one stands, the message is neither: "yeah yeah"
};

// The word that ends a turn (stop_words.hpp).
struct stop_words {
    phrases words;
};

// How somebody says that something was done (claims.hpp).
struct claim_words {
    phrases created, updated, completed, removed;
    phrases hedges; // with one of them before it nothing is claimed
    // Who acts in such a clause: the speaker; somebody else; nobody who is named.
    phrases speakers, other_people, passives;
    phrases second_subjects; // behind the speaker, act instead: "I know that you …"
    // Some day, and not now. What is earlier, or by somebody, voids only what nobody is named to have done: "I've
    // already deleted it" is a claim.
    phrases other_times, earlier;
    phrases general;     // with one of them it holds of all: "when …", "every task"
    phrases participles; // claim only where a verb stands: "Send updated contract" does not
    phrases determiners; // make an adjective of a participle: "the updated list"
    phrases verb_marks;  // that a verb stands
    phrases fillers;     // before a verb without its subject: "just deleted it"
    phrases tasks;       // what a claim of the tasks is about
    phrases own_list;    // the same, unless another tool may have a list of its own
    phrases asked_list;  // own_list as the person says it: "my list"
    phrases vague;       // claims only where something was asked for
    phrases now;         // the same, beside a task: "milk is now on the list"
    phrases further;     // with one of them a question is politeness
    std::vector<valued_words> counts; // "two": 2, before one of `several`
    phrases several;
    phrases broad;      // make or change anything, so that a claim must name a task: "created"
    phrases makers;     // ask for any work: "make"
    phrases citing;     // what follows is words, and no claim: "means"
    phrases headings;   // of the lines of a list that claim: "created task"
    phrases list_verbs; // behind a number: "#3 has been deleted" lists no task
};

// A language that is not understood, by what tells it from those that are.
struct other_language {
    std::string code;
    phrases common = {};
    phrases letters = {}; // that none has which is understood
};

struct lexicon {
    std::string code; // "en"
    std::vector<form> forms = {};
    phrases openings = {};      // politeness before a clause
    phrases corrections = {};   // before a comma, takes back what stands before: "no, …"
    phrases requests = {};      // "could you": makes a request of a question
    phrases closings = {};      // politeness behind it
    phrases afterthoughts = {}; // the same, behind a comma only: "thanks"
    phrases confirmations = {}; // "yes", "I'm sure": the question is answered already
    phrases common = {};        // words that tell the language alone: "the", "am"
    std::vector<other_language> stands_for = {}; // who writes them is answered in this one
    phrases conjunctions = {};                   // "and", "then"
    phrases neighbours = {}; // words like a command's with one letter changed: no slips
    phrases doubts = {};     // "don't", "if", "never mind": in what is no title: nothing is done
    phrases past = {};       // "yesterday", "ago"
    std::vector<past_verb> past_verbs = {}; // whole words before patterns
    phrases negations = {};                 // before a request, refuse it: "don't"
    phrases contrasts = {};                 // behind a comma, tell apart: "but"
    phrases concessions = {};               // begin what is no request: "I know"
    phrases provisos = {};                  // behind a new title: "if it is not there yet"
    phrases retractions = {}; // take back what stands before: "never mind", "just kidding"

    std::vector<valued_words> numbers = {};  // "two": 2
    std::vector<valued_words> ordinals = {}; // "second": 2; "last": -1
    phrases ordinal_leads =
        {}; // before a number with a full stop, make an ordinal of it: "im 3. Stock"
    phrases number_marks = {}; // "number", "no"
    phrases pronouns = {};     // "it", "that one"
    phrases everything = {};   // "all tasks"
    phrases exceptions = {};   // behind "everything": "except"
    phrases ranges = {};       // between two numbers: "to"
    phrases articles = {};     // "the", "my"
    phrases nouns = {};        // "task", "one"
    phrases plurals = {};      // of nouns: a number before one is a count
    phrases no_titles =
        {}; // words that are no title alone, nor begin one; with its verb: "make sure"
    std::vector<valued_words> priorities = {}; // value: 0 low, 1 medium, 2 high
    std::vector<valued_words> levels = {};     // the same, beside "priority": "high"
    stretch_words stretches = {};
    time_words times = {};
    bool titles_begin_with_verb = false; // "buy milk", not "Milch kaufen"

    assent_words assent = {};
    stop_words stop = {};
    claim_words claims = {};
    language::number_forms number_forms = language::number_forms::singular;
    language::replies replies = {};
    language::notices notices = {};
};

// The languages of the product, read once. A file that is not as it should be throws std::logic_error: it is a
// part of the program.
std::span<lexicon const> lexicons();

// By its code. Null: there is none.
lexicon const* find_lexicon(std::string_view code);
// Or else English, the first.
lexicon const& lexicon_of(std::string_view code);

// By its code; false of one that is not there.
bool begins_titles_with_verbs(std::string_view code);

// What a file in languages/ says. Throws std::logic_error: it is no JSON, a member is unknown, or has another type.
lexicon read_lexicon(std::string_view json);

} // namespace postrider::agent::language
