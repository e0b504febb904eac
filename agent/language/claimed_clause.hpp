#pragma once
// Whether one clause claims changes of the person's tasks in this turn, by the words of one language. Private to
// claims.cpp. Pure.
#include "agent/language/claim_phrases.hpp"
#include "agent/language/claims.hpp"

#include <vector>

namespace postrider::agent::language {

struct said_clause {
    word_sequence words = {};           // of a quotation ""
    std::vector<known_task> known = {}; // that it names, by title
    std::vector<task_id> ids = {};
    bool general = false; // behind "when …"
    bool denied = false;  // behind a change that is denied: "nothing was added, deleted or …"
    bool listed = false;  // behind "your tasks:"
    bool cited = false;   // behind "that means:"
};

class clause_judge {
public:
    clause_judge(said_clause const& clause, claim_phrases const& of, claim_context const& context)
        : clause_(clause),
          words_(clause.words),
          of_(of),
          context_(context) {}

    // Beside a claim of the speaker's own, what was done to a thing describes it: "I deleted the task
    // that was added".
    std::vector<intent::kind> claimed() const;
    bool is_vague() const;
    // It says of a change that it was not made.
    bool denies() const;
    // "Your tasks": titles follow its colon.
    bool heads_titles() const;
    // "That means": words follow its colon.
    bool cites() const;

private:
    clause_part before(phrase_place verb) const { return words_.first(verb.begin); }
    clause_part around(phrase_place verb) const { return words_.first(behind(verb)); }
    std::size_t behind(phrase_place verb) const;
    std::vector<phrase_place> verbs_of(std::vector<word_sequence> const& sought, std::size_t until)
        const;
    bool is_verb(phrase_place verb) const;
    std::size_t first_verb() const;
    bool is_denied() const;

    bool is_own(phrase_place verb, intent::kind change) const;
    bool speaks(phrase_place verb) const;
    bool is_without_subject(phrase_place verb) const;
    std::size_t behind_fillers() const;
    bool is_of_tasks(phrase_place verb, intent::kind change) const;
    bool names_one() const; // a task
    bool names_tasks() const;
    bool names_another_thing(phrase_place verb) const;

    bool is_told(phrase_place verb, intent::kind change) const;
    bool is_of_another_time(intent::kind change) const;
    bool is_shown_done() const;
    bool is_surely_of_tasks(intent::kind change) const;

    said_clause const& clause_;
    clause_part words_;
    claim_phrases const& of_;
    claim_context const& context_;
};

} // namespace postrider::agent::language
