#include "agent/loop/prompt.hpp"

#include "base/time_zone.hpp"

namespace postrider::agent {

namespace {

// The tools are declared to the provider as well; naming them here tells the model what it can do
// when a user asks.
std::string tools_section(tool_list const& tools, tool_names const& described_by_others) {
    if (tools.empty()) return "You have no tools. Do not claim that you looked something up.";
    std::string text = "You have these tools; call one whenever it gives a surer answer than your "
                       "own knowledge:";
    for (auto const& tool : tools) {
        text += "\n- " + tool.name;
        if (!described_by_others.contains(tool.name)) text += ": " + tool.description;
    }
    return text;
}

} // namespace

std::string system_prompt(
    std::string_view persona, tool_list const& tools, tool_names const& described_by_others
) {
    std::string prompt(persona.empty() ? default_persona : persona);
    return prompt + "\n\n" + tools_section(tools, described_by_others);
}

std::string current_time_note(base::sys_time now, std::string_view timezone) {
    auto note = "(The current date and time is " + base::to_iso8601(now) + ".";
    if (timezone.empty()) return note + ")";
    if (auto const zone = base::find_time_zone(timezone))
        note +=
            " For the person it is " + base::to_iso8601(now, *zone) + " (" + zone->name() + ").";
    return note + ")";
}

std::string chosen_language_note(std::string_view language) {
    return "(The person has chosen " + std::string(language) + ": answer in that language.)";
}

} // namespace postrider::agent
