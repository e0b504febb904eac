// The grammar of flows.
#include "server/cli/argument_groups.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace postrider::cli {

namespace {

CLI::App* add_named(
    CLI::App& parent, arguments& into, char const* name, char const* help, command means
) {
    auto* sub = add_command(parent, into, name, help, means);
    sub->add_option("NAME", into.flow.name, "The flow's name")->required();
    return sub;
}

void add_file(CLI::App* to, arguments& into) {
    to->add_option("FILE", into.flow.file, "A flow as JSON; - reads standard input")->required();
}

CLI::Option* add_version(CLI::App* to, arguments& into, char const* help) {
    return to->add_option("--version", into.flow.version, help)->type_name("N");
}

void add_note(CLI::App* to, arguments& into) {
    to->add_option("--note", into.flow.note, "For people: what is new")->type_name("TEXT");
}

void add_documents(CLI::App& all, arguments& into) {
    auto* validate = add_command(
        all, into, "validate", "Every problem of a file; needs no database", command::flows_validate
    );
    add_file(validate, into);
    add_json(validate, into);
    auto* import = add_command(
        all, into, "import", "Make a flow of a file, or replace its draft", command::flows_import
    );
    add_file(import, into);
    import->add_flag("--publish", into.flow.publish, "Publish it as well");
    import->add_flag(
        "--overwrite", into.flow.overwrite, "Also over another draft that was never published"
    );
    add_note(import, into);
    add_json(import, into);
    add_version(
        add_named(all, into, "export", "Print the document", command::flows_export),
        into,
        "A number, draft or published (published)"
    );
}

void add_life(CLI::App& all, arguments& into) {
    auto* publish =
        add_named(all, into, "publish", "Make the draft the next version", command::flows_publish);
    add_note(publish, into);
    add_json(publish, into);
    add_json(add_named(all, into, "versions", "What was published", command::flows_versions), into);
    auto* diff = add_named(all, into, "diff", "What differs", command::flows_diff);
    diff->add_option("--from", into.flow.from, "A number, draft or published (published)");
    diff->add_option("--to", into.flow.to, "Likewise (draft)");
    add_json(diff, into);
    auto* restore =
        add_named(all, into, "restore", "Make a version the draft again", command::flows_restore);
    restore->add_option("VERSION", into.flow.version, "Its number")
        ->required()
        ->check(version_number());
    add_json(restore, into);
    add_named(all, into, "archive", "Let nothing start it any more", command::flows_archive);
    add_named(all, into, "unarchive", "Take it out of the archive", command::flows_unarchive);
    add_named(all, into, "delete", "Delete one that nothing needs", command::flows_delete);
}

bool is_above_zero(std::string const& text) {
    std::int64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    return ec == std::errc{} && end == text.data() + text.size() && number > 0;
}

} // namespace

CLI::Validator version_number() {
    auto const refuse = [](std::string const& text) -> std::string {
        if (is_above_zero(text)) return {};
        return fmt::format("a version is a whole number such as 3, not {}", text);
    };
    return {refuse, ""};
}

CLI::Validator id_number() {
    auto const refuse = [](std::string const& text) -> std::string {
        if (is_above_zero(text)) return {};
        return fmt::format(
            "an id is a whole number from 1 to {}, not {}",
            std::numeric_limits<std::int64_t>::max(),
            text
        );
    };
    return {refuse, ""};
}

void add_flows(CLI::App& app, arguments& into) {
    auto& all = *add_group(app, "flows", "What agents are made of, as data");
    auto* list = add_command(all, into, "list", "All of them", command::flows_list);
    list->add_flag("--archived", into.flow.archived, "Archived ones too");
    add_json(list, into);
    add_json(add_named(all, into, "show", "One, with its versions", command::flows_show), into);
    add_documents(all, into);
    add_life(all, into);
    auto* run = add_named(all, into, "run", "Start what is published", command::flows_run);
    run->add_option("--input", into.flow.input, "What the trigger passes on")->type_name("JSON");
    run->add_option("--trigger", into.flow.trigger, "Its id or name (the manual one)");
    add_version(run, into, "Another version")->check(version_number());
    add_json(run, into);
}

} // namespace postrider::cli
