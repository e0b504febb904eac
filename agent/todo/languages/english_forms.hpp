#pragma once
// What people say in English, as forms. Private to english.cpp.
#include "agent/todo/languages/english_questions.hpp"
#include "agent/todo/languages/english_updates.hpp"

#include <algorithm>

namespace postrider::agent::todo {

inline constexpr auto english_creations = [] {
    using enum intent::kind;
    return std::array{
        form{create, "(add|ad|create|make|put|record|insert|enter) [a new task called] <title>"},
        form{create, "(put|write|jot|note|get) <title> down"},
        form{
            create,
            "(add|ad|create|make|put|write|note|set|enter) [me] [a|an|another|one more|the|new|my] "
            "[new] "
            "(task|todo|to do|item|entry|reminder) [for me] [called|named|titled|saying|that "
            "says|for|to|about|of] "
            "<title>"},
        form{
            create,
            "(add|ad|create|make|put|enter) [me] [a|an|another] [new] (task|todo|to "
            "do|item|reminder)"},
        form{
            create,
            "(add|put|write|get|throw|stick|place) <title> [down] (on|onto|to|in|into) "
            "[my|the|our] [todo|to do|task|shopping] (list|tasks|todos|to dos|todo)"},
        form{
            create,
            "(new|another) (task|todo|to do|item|reminder|entry) [called|named|to|for] <title>"},
        form{create, "(new|another) (task|todo|to do|item|reminder)"},
        form{
            create,
            "remind me [that i|i] (to|that i need to|that i have to|that i must|i need to|i have "
            "to|"
            "about|of|i must|i should) <title>",
            list_filter::all,
            true},
        form{
            create,
            "remind me <time> (to|that i need to|that i have to|about|of|i need to|i have to) "
            "<title>",
            list_filter::all,
            true},
        form{
            create,
            "<time> remind me [that i] (to|that i need to|about|of) <title>",
            list_filter::all,
            true},
        form{create, "remind me"},
        form{
            .action = create,
            .text = "i (need to|have to|must|should|ought to|gotta|got to|have got to|ve got to) "
                    "<title>",
            .verbal = true,
            .timed = true},
        form{create, "remember to <title>", list_filter::all, true},
        form{
            create,
            "(do not|don't) (let me forget|forget) (to|about) <title>",
            list_filter::all,
            true},
        form{
            create, "don't let me forget [that i need] (to|about) <title>", list_filter::all, true},
        form{
            create,
            "(make|take|jot down|write down) [a] note [that i need|that i have] (to|of|about|that) "
            "<title>",
            list_filter::all,
            true},
        form{create, "(jot down|write down|note down|note) <title>"},
        form{
            create,
            "i (need|want|would like|have) [you] to (remember|be reminded) (to|of|about) <title>",
            list_filter::all,
            true},
        form{create, "set [a] reminder [for me] (to|for|about) <title>", list_filter::all, true},
        form{
            create, "set [a] reminder [for] <time> (to|for|about) <title>", list_filter::all, true},

        form{
            create,
            "(task|todo|to do|reminder|tasks|todos|remember|remember this|note to self|jot this "
            "down|"
            "write this down|note this down|write down|note) <title>",
            list_filter::all,
            false,
            true},
        form{create, "(add|create|make) (one more|another|another one|one more task) <title>"},
        form{
            .action = create,
            .text = "(add|create|make) [a|an] (high priority|urgent|top priority) "
                    "(task|todo|item|reminder) [to|for|called] <title>",
            .urgency = priority::high},
        form{
            .action = create,
            .text = "(add|create|make) [a] (low priority) (task|todo|item|reminder) "
                    "[to|for|called] <title>",
            .urgency = priority::low},
        form{
            .action = create,
            .text = "(add|create|make) [a] (medium priority|normal priority) "
                    "(task|todo|item|reminder) [to|for|called] <title>",
            .urgency = priority::medium},
        form{
            .action = create,
            .text = "(add|create|make|put|enter|note|note down|write down) [me] "
                    "[these|the following|the|following|all these|those] "
                    "[two|three|four|five|six|seven|eight|nine|ten|2|3|4|5|6|7|8|9|10] [new|more] "
                    "(tasks|todos|to dos|items|reminders)",
            .heads_titles = true},
        form{
            .action = create,
            .text = "(add|create|make|note|note down|write down) (these|the following)",
            .heads_titles = true},
        form{
            create,
            "(add|create|make|put|enter|note) [me] [the|these|the following|new] "
            "(tasks|todos|to dos|items|reminders) <title>",
            list_filter::all,
            false,
            true},
        form{.action = create, .text = "(new) (tasks|todos|to dos|items)", .heads_titles = true},
        form{.action = create, .text = "(todo|to do)", .colon = true, .heads_titles = true},
    };
}();

inline constexpr auto english_changes = [] {
    using enum intent::kind;
    auto const done = [](std::string_view text, std::string_view verb) {
        return form{.action = complete, .text = text, .verb = verb};
    };
    return std::array{
        // Complete
        form{
            complete,
            "(finish|complete|finished|completed|close|resolve|tick|tick off|check off|cross off|"
            "cross out|strike|toggle) <task>"},
        form{complete, "(tick|check|cross|strike|mark) <task> off [my|the] list"},
        form{complete, "(tick|check|cross|mark) <task> off"},
        form{complete, "(tick|check|cross) off <task> [from|on] [my|the] [list]"},
        form{
            complete,
            "(mark|set|flag|count|consider) <task> [as|to] "
            "(done|complete|completed|finished|closed|resolved)"},
        form{
            .action = complete,
            .text = "(mark|set|put) (task|todo|item|reminder|number) <task> [as|to] "
                    "(done|complete|completed|finished|closed|resolved)",
            .numbered = true},
        form{complete, "mark (done|complete|completed|finished) <task>"},
        form{complete, "mark as (done|complete|completed|finished) <task>"},
        form{complete, "[i'm|i am|im|we're|all|am] (done|finished|through) with <task>"},
        form{complete, "done <task>"},
        form{complete, "<task> (done|completed|finished)"},
        form{
            complete,
            "<task> (is|are|was|has been|have been|got|is now|are now|is all|is already) "
            "(done|finished|complete|completed|taken care of|dealt with)"},
        form{
            complete,
            "i (finished|completed|did|have done|have finished|have completed|just finished|just "
            "completed|just did|managed|"
            "got done|already did|already finished|took care of|have just finished|have already "
            "done|have already finished) [with] <task>"},
        form{
            complete,
            "i've (done|finished|completed|just done|just finished|just completed|already "
            "done|already "
            "finished|taken care of) [with] <task>"},
        form{complete, "i (got|have) <task> done"},
        form{complete, "i've got <task> done"},
        form{complete, "(finish up|wrap up|finalize|finalise) <task>"},

        // Told, as it was called: "I bought the milk".
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (bought) <task>",
            "buy"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] "
            "(called|phoned|rang) <task>",
            "call"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (paid) <task>",
            "pay"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (sent) <task>",
            "send"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (wrote) <task>",
            "write"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (cleaned) <task>",
            "clean"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (washed) <task>",
            "wash"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (watered) <task>",
            "water"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (booked) <task>",
            "book"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (ordered) <task>",
            "order"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (fixed) <task>",
            "fix"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (emailed) <task>",
            "email"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (picked up) <task>",
            "pick up"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (returned) <task>",
            "return"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (submitted) <task>",
            "submit"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (cooked) <task>",
            "cook"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (fed) <task>",
            "feed"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (visited) <task>",
            "visit"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (printed) <task>",
            "print"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (signed) <task>",
            "sign"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (filed) <task>",
            "file"
        ),
        done(
            "i [just|already|have|have just|have already|ve|ve just|ve already] (renewed) <task>",
            "renew"
        ),

        // Delete
        form{
            remove,
            "(deleting|removing|delete|remove|erase|drop|trash|discard|scrap|kill|destroy|bin|"
            "ditch|cancel) <task>"},
        form{
            remove,
            "(delete|remove|erase|drop|scratch|take|clear|strike|wipe|throw) <task> (from|off|off "
            "of|out of) [my|the|our] [todo|to do|task] (list|tasks|todos)"},
        form{remove, "(get rid of|throw away|throw out|do away with|dispose of) <task>"},
        form{
            remove,
            "i (don't|do not) (need|want) <task> (any more|anymore|any longer|on my list anymore)"},
        form{remove, "(delete|remove|erase)"},
        form{
            remove,
            "(clear|wipe|empty|purge) [out] (everything|all|all tasks|all my tasks|my list|the "
            "list|the whole list)"},

        // The rest
        form{.action = create, .text = "(add|create|new)", .heads_titles = true},
        form{update, "(rename|retitle)"},
        form{complete, "(complete|finish|done)"},
        form{help, "(help|commands|menu|usage|start)"},
        form{help, "help me"},
        form{help, "i need [some] help"},
        form{help, "what can (you|i) (do|say|ask|type|tell you) [here|for me|with this]"},
        form{help, "what (do|are) you [do]"},
        form{help, "(how does this|how do you|how does it) work"},
        form{
            help,
            "how (do|can) i (use you|use this|add a task|add tasks|delete a task|delete "
            "tasks|rename a "
            "task|complete a task|finish a task|start|add something)"},
        form{help, "who are you"},
        form{
            help,
            "(can|could|do) you (add|delete|remove|rename|complete|finish|list|create|manage) "
            "(tasks|todos|items|things)"},
        form{
            greeting,
            "(hi|hello|hey|hiya|howdy|greetings|good morning|good afternoon|good "
            "evening|morning|evening|yo|hi there|hello there|hey there) [bot|there]"},
        form{greeting, "(how are you|how's it going|what's up|sup)"},
        form{
            thanks,
            "(thanks|thank you|thx|ty|cheers|many thanks|thanks a lot|thank you very much|thank "
            "you so "
            "much|thanks so much|great|perfect|awesome|nice|cool|good job|well done) [thanks|thank "
            "you|bot|so much|a lot|a bunch]"},
    };
}();

template<std::size_t... Sizes>
constexpr auto joined(std::array<form, Sizes> const&... parts) {
    std::array<form, (Sizes + ...)> all{};
    auto at = all.begin();
    ((at = std::ranges::copy(parts, at).out), ...);
    return all;
}

inline constexpr auto english_forms =
    joined(english_updates, english_creations, english_questions, english_changes);

} // namespace postrider::agent::todo
