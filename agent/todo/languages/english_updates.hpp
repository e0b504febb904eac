#pragma once
// How people change a task in English, as forms. Private to english.cpp.
#include "agent/todo/language.hpp"

namespace postrider::agent::todo {

inline constexpr auto english_updates = [] {
    using enum intent::kind;
    return std::array{
        // When it is due
        form{
            update,
            "(move|postpone|reschedule|delay|defer|push|shift|push back) <task> [back] "
            "(to|until|till|for) <time>"},
        form{update, "put off <task> (to|until|till) <time>"},
        form{
            update,
            "(set|change|move|update|edit) [the] (due date|deadline|due time) (of|for|on) <task> "
            "(to|for) <time>"},
        form{
            update,
            "(set|change|move|update|edit) <task> (due date|deadline|due time) (to|for) <time>"},
        form{update, "(set|change|move|update|edit) <task> [to be|to|as] due <time>"},
        form{
            .action = update,
            .text = "(set|change|move|update|edit|make|put) [the] (task|todo|item|reminder|number) "
                    "<task> [to be|to|as] due <time>",
            .numbered = true},
        form{update, "give <task> [a|the] [new] (due date|deadline) [of|on] <time>"},
        form{
            .action = update,
            .text = "(task|todo|item|reminder|number) <task> [is|is now|should be] due <time>",
            .numbered = true},
        form{update, "<task> (is now due|should be due) <time>"},

        // How urgent it is
        form{
            .action = update,
            .text = "(set|mark|flag) <task> [to|as|with|at] (high|top|highest) priority",
            .urgency = priority::high},
        form{
            .action = update,
            .text = "(change|update|edit|move|switch|raise|lower) <task> to (high|top|highest) "
                    "priority",
            .urgency = priority::high},
        form{
            .action = update,
            .text = "(set|change|update|edit|raise|lower|make) [the] priority (of|for|on) <task> "
                    "[to|as] (high|top|highest) [priority]",
            .urgency = priority::high},
        form{
            .action = update,
            .text =
                "(set|change|update|edit|raise|lower) <task> priority [to|as] (high|top|highest)",
            .urgency = priority::high},
        form{
            .action = update,
            .text = "(set|change|update|edit) <task> to priority (high|top|highest)",
            .urgency = priority::high},
        form{
            .action = update,
            .text = "(set|mark|flag) <task> [as|to] (urgent|important|very important)",
            .urgency = priority::high},
        form{.action = update, .text = "(prioritize|prioritise) <task>", .urgency = priority::high},
        form{
            .action = update,
            .text = "(set|change|put|make) [the] (task|todo|item|reminder|number) <task> "
                    "[a|at|to|as] (high|top|highest) [priority]",
            .urgency = priority::high,
            .numbered = true},
        form{
            .action = update,
            .text = "(task|todo|item|reminder|number) <task> [is|is now|has] (high|top|highest) "
                    "priority",
            .urgency = priority::high,
            .numbered = true},
        form{
            .action = update,
            .text = "(set|change|put|make|task|todo|item|reminder|number) [the] "
                    "[task|todo|item|reminder|number] <task> [is|is now|to|as] "
                    "(urgent|important|very important)",
            .urgency = priority::high,
            .numbered = true},
        form{
            .action = update,
            .text = "(set|mark|flag) <task> [to|as|with|at] (medium|normal) priority",
            .urgency = priority::medium},
        form{
            .action = update,
            .text =
                "(change|update|edit|move|switch|raise|lower) <task> to (medium|normal) priority",
            .urgency = priority::medium},
        form{
            .action = update,
            .text = "(set|change|update|edit|raise|lower|make) [the] priority (of|for|on) <task> "
                    "[to|as] (medium|normal) [priority]",
            .urgency = priority::medium},
        form{
            .action = update,
            .text = "(set|change|update|edit|raise|lower) <task> priority [to|as] (medium|normal)",
            .urgency = priority::medium},
        form{
            .action = update,
            .text = "(set|change|update|edit) <task> to priority (medium|normal)",
            .urgency = priority::medium},
        form{
            .action = update,
            .text = "(set|change|put|make) [the] (task|todo|item|reminder|number) <task> "
                    "[a|at|to|as] (medium|normal) [priority]",
            .urgency = priority::medium,
            .numbered = true},
        form{
            .action = update,
            .text =
                "(task|todo|item|reminder|number) <task> [is|is now|has] (medium|normal) priority",
            .urgency = priority::medium,
            .numbered = true},
        form{
            .action = update,
            .text = "(set|mark|flag) <task> [to|as|with|at] (low|lowest) priority",
            .urgency = priority::low},
        form{
            .action = update,
            .text = "(change|update|edit|move|switch|raise|lower) <task> to (low|lowest) priority",
            .urgency = priority::low},
        form{
            .action = update,
            .text = "(set|change|update|edit|raise|lower|make) [the] priority (of|for|on) <task> "
                    "[to|as] (low|lowest) [priority]",
            .urgency = priority::low},
        form{
            .action = update,
            .text = "(set|change|update|edit|raise|lower) <task> priority [to|as] (low|lowest)",
            .urgency = priority::low},
        form{
            .action = update,
            .text = "(set|change|update|edit) <task> to priority (low|lowest)",
            .urgency = priority::low},
        form{
            .action = update,
            .text = "(set|change|put|make) [the] (task|todo|item|reminder|number) <task> "
                    "[a|at|to|as] (low|lowest) [priority]",
            .urgency = priority::low,
            .numbered = true},
        form{
            .action = update,
            .text = "(task|todo|item|reminder|number) <task> [is|is now|has] (low|lowest) priority",
            .urgency = priority::low,
            .numbered = true},

        // What it is called
        form{update, "(rename|retitle|reword) <task> (to|as|into) <title>"},
        form{update, "(rename|retitle|reword) (task|todo|item|number) <task> (to|as|into) <title>"},
        form{
            .action = update,
            .text = "(edit|update|change) (task|todo|item|number) <task> (to|as|into) <title>",
            .may_date = true},
        form{
            .action = update,
            .text = "(change|update|edit|modify|correct) <task> (to|into) <title>",
            .may_date = true},
        form{
            update,
            "(change|update|edit|set|modify) [the] (title|name|text|wording) of <task> (to|into) "
            "<title>"},
        form{update, "(change|update|edit|set|modify) <task> (title|name|text) (to|into) <title>"},
        form{update, "(give|make) <task> [a|the] [new] (title|name) <title>"},
        form{update, "<task> should (be called|be named|say|read|be) <title>"},
        form{update, "<task> should be (called|named|renamed to|renamed) <title>"},
        form{
            .action = update,
            .text = "(rename|retitle|edit|update|reword|change) <task> <title>",
            .colon = true},
        form{update, "replace <task> (with|by) <title>"},
        form{update, "(rename|retitle) <task>"},
        form{update, "(rename|retitle) <task> (to|as|into)"},

        // What no tool does: "set task 5 to blue" is no new task. Of as many words the forms above win.
        form{
            .text = "(set|put) (task|todo|item|reminder|number) <task> <search>", .numbered = true},
        form{
            .text = "(set|put|make|note) (task|todo|item|reminder|number) <task> "
                    "(to|as|due|for|with|at|on|is) <search>",
            .numbered = true},
    };
}();

} // namespace postrider::agent::todo
