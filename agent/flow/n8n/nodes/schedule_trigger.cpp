#include "agent/flow/n8n/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view schedule_trigger_types[]{"scheduleTrigger", "interval", "cron"};

constexpr renamed_member schedule_members[]{{"timestamp", "at"}};

renamed_members schedule_trigger_members(translation const&) {
    return schedule_members;
}

int entry_of(boost::json::object const& rule, std::string_view key, int usual) {
    auto const* value = rule.if_contains(key);
    if (!value || !value->is_number()) return usual;
    auto const number = value->to_number<double>();
    return number >= 0 && number < 1000 ? static_cast<int>(number) : usual;
}

std::string word_of(boost::json::object const& rule, std::string_view key, std::string_view usual) {
    auto const* value = rule.if_contains(key);
    return value && value->is_string() ? std::string(value->get_string()) : std::string(usual);
}

// Every so many of a unit, such as */5; every one is a *.
std::string every(int count) {
    return count <= 1 ? "*" : fmt::format("*/{}", count);
}

// Days of the week by their numbers.
std::string weekdays_of(boost::json::object const& rule) {
    auto const* value = rule.if_contains("triggerAtDay");
    auto const* list = value ? value->if_array() : nullptr;
    std::string days;
    for (std::size_t i = 0; list && i < list->size(); ++i)
        if ((*list)[i].is_int64() && (*list)[i].get_int64() >= 0 && (*list)[i].get_int64() <= 7)
            days += fmt::format("{}{}", days.empty() ? "" : ",", (*list)[i].get_int64());
    return days.empty() ? "0" : days;
}

std::string cron_of(boost::json::object const& rule) {
    auto const unit = word_of(rule, "field", "days");
    int const minute = entry_of(rule, "triggerAtMinute", 0);
    int const hour = entry_of(rule, "triggerAtHour", 0);
    if (unit == "cronExpression") return word_of(rule, "expression", "0 0 * * *");
    if (unit == "seconds") return "* * * * *";
    if (unit == "minutes") return every(entry_of(rule, "minutesInterval", 5)) + " * * * *";
    if (unit == "hours")
        return fmt::format("{} {} * * *", minute, every(entry_of(rule, "hoursInterval", 1)));
    if (unit == "weeks") return fmt::format("{} {} * * {}", minute, hour, weekdays_of(rule));
    if (unit == "months")
        return fmt::format(
            "{} {} {} {} *",
            minute,
            hour,
            entry_of(rule, "triggerAtDayOfMonth", 1),
            every(entry_of(rule, "monthsInterval", 1))
        );
    return fmt::format("{} {} {} * *", minute, hour, every(entry_of(rule, "daysInterval", 1)));
}

void map_schedule_trigger(translation& in) {
    in.become("schedule");
    auto const* rules = in.find("rule.interval");
    auto const* list = rules ? rules->if_array() : nullptr;
    boost::json::object rule;
    if (list && !list->empty() && list->front().is_object()) rule = list->front().get_object();
    if (in.node().short_type() == "interval") {
        rule = in.node().parameters;
        rule["field"] = in.word("unit", "seconds");
        rule["minutesInterval"] = rule["hoursInterval"] = in.number("interval").value_or(1);
    }
    auto cron = cron_of(rule);
    // n8n's may have seconds in front.
    if (std::count(cron.begin(), cron.end(), ' ') == 5) cron.erase(0, cron.find(' ') + 1);
    in.put_value("cron", boost::json::value(cron));
    auto const* zone = in.flow().settings.if_contains("timezone");
    if (zone && zone->is_string() && zone->get_string() != "DEFAULT")
        in.put_value("timezone", *zone);
    if (list && list->size() > 1)
        in.warn("n8n_parameter", "cron", "it has several rules; the first one is taken");
    if (word_of(rule, "field", "") == "seconds")
        in.warn("n8n_parameter", "cron", "a schedule counts minutes; it starts every minute");
}

} // namespace

extern constinit mapping const schedule_trigger_mapping{
    .types = schedule_trigger_types,
    .map = map_schedule_trigger,
    .renamed = schedule_trigger_members};

} // namespace postrider::agent::flow::n8n
