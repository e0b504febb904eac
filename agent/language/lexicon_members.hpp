#pragma once
// The members of a language by their names in JSON, for read_lexicon.cpp alone.
#include "agent/language/lexicon.hpp"

namespace postrider::agent::language {

void each_member(form& of, auto&& member) {
    member("action", of.action);
    member("text", of.text);
    member("filter", of.filter);
    member("verbal", of.verbal);
    member("colon", of.colon);
    member("urgency", of.urgency);
    member("heads_titles", of.heads_titles);
    member("numbered", of.numbered);
    member("titled", of.titled);
    member("shift", of.shift);
    member("timed", of.timed);
    member("set_off", of.set_off);
    member("may_date", of.may_date);
    member("verb", of.verb);
}

void each_member(past_verb& of, auto&& member) {
    member("past", of.past);
    member("verb", of.verb);
}

void each_member(valued_words& of, auto&& member) {
    member("words", of.words);
    member("value", of.value);
}

void each_member(part_of_day& of, auto&& member) {
    member("words", of.words);
    member("value", of.value);
    member("stands_alone", of.stands_alone);
    member("is_of_today", of.is_of_today);
}

void each_member(time_words& of, auto&& member) {
    member("weekdays", of.weekdays);
    member("short_weekdays", of.short_weekdays);
    member("months", of.months);
    member("days", of.days);
    member("parts", of.parts);
    member("day_parts", of.day_parts);
    member("units", of.units);
    member("seconds", of.seconds);
    member("next", of.next);
    member("current", of.current);
    member("within", of.within);
    member("at", of.at);
    member("on", of.on);
    member("inside", of.inside);
    member("day_leads", of.day_leads);
    member("day_marks", of.day_marks);
    member("numbered", of.numbered);
    member("topics", of.topics);
    member("turns", of.turns);
    member("until", of.until);
    member("bounds", of.bounds);
    member("through", of.through);
    member("aims", of.aims);
    member("named_days", of.named_days);
    member("behind", of.behind);
    member("hours", of.hours);
    member("before_noon", of.before_noon);
    member("after_noon", of.after_noon);
    member("half", of.half);
    member("clock_before", of.clock_before);
    member("clock_behind", of.clock_behind);
    member("clock_named", of.clock_named);
    member("spans", of.spans);
    member("recurring", of.recurring);
    member("twelve_hours", of.twelve_hours);
    member("hours_need_mark", of.hours_need_mark);
    member("months_may_lead", of.months_may_lead);
    member("only_first_is_ordinal", of.only_first_is_ordinal);
}

void each_member(stretch_words& of, auto&& member) {
    member("weeks", of.weeks);
    member("weekends", of.weekends);
    member("months", of.months);
    member("days", of.days);
    member("weekdays", of.weekdays);
    member("parts", of.parts);
    member("until", of.until);
    member("before", of.before);
    member("since", of.since);
}

void each_member(assent_words& of, auto&& member) {
    member("yes", of.yes);
    member("bare_yes", of.bare_yes);
    member("no", of.no);
    member("fillers", of.fillers);
    member("idioms", of.idioms);
}

void each_member(stop_words& of, auto&& member) {
    member("words", of.words);
}

void each_member(claim_words& of, auto&& member) {
    member("created", of.created);
    member("updated", of.updated);
    member("completed", of.completed);
    member("removed", of.removed);
    member("hedges", of.hedges);
    member("speakers", of.speakers);
    member("other_people", of.other_people);
    member("second_subjects", of.second_subjects);
    member("passives", of.passives);
    member("other_times", of.other_times);
    member("earlier", of.earlier);
    member("general", of.general);
    member("participles", of.participles);
    member("determiners", of.determiners);
    member("verb_marks", of.verb_marks);
    member("fillers", of.fillers);
    member("tasks", of.tasks);
    member("own_list", of.own_list);
    member("vague", of.vague);
    member("further", of.further);
    member("counts", of.counts);
    member("several", of.several);
    member("broad", of.broad);
    member("now", of.now);
    member("makers", of.makers);
    member("asked_list", of.asked_list);
    member("citing", of.citing);
    member("headings", of.headings);
    member("list_verbs", of.list_verbs);
}

void each_member(other_language& of, auto&& member) {
    member("code", of.code);
    member("common", of.common);
    member("letters", of.letters);
}

void each_member(lexicon& of, auto&& member) {
    member("code", of.code);
    member("forms", of.forms);
    member("openings", of.openings);
    member("corrections", of.corrections);
    member("requests", of.requests);
    member("closings", of.closings);
    member("afterthoughts", of.afterthoughts);
    member("confirmations", of.confirmations);
    member("common", of.common);
    member("stands_for", of.stands_for);
    member("conjunctions", of.conjunctions);
    member("neighbours", of.neighbours);
    member("doubts", of.doubts);
    member("past", of.past);
    member("past_verbs", of.past_verbs);
    member("negations", of.negations);
    member("contrasts", of.contrasts);
    member("concessions", of.concessions);
    member("provisos", of.provisos);
    member("retractions", of.retractions);
    member("numbers", of.numbers);
    member("ordinals", of.ordinals);
    member("ordinal_leads", of.ordinal_leads);
    member("number_marks", of.number_marks);
    member("pronouns", of.pronouns);
    member("everything", of.everything);
    member("exceptions", of.exceptions);
    member("ranges", of.ranges);
    member("articles", of.articles);
    member("nouns", of.nouns);
    member("plurals", of.plurals);
    member("no_titles", of.no_titles);
    member("priorities", of.priorities);
    member("levels", of.levels);
    member("stretches", of.stretches);
    member("times", of.times);
    member("titles_begin_with_verb", of.titles_begin_with_verb);
    member("assent", of.assent);
    member("stop", of.stop);
    member("claims", of.claims);
    member("number_forms", of.number_forms);
    member("replies", of.replies);
    member("notices", of.notices);
}

void each_member(replies& of, auto&& member) {
    member("created", of.created);
    member("completed", of.completed);
    member("deleted", of.deleted);
    member("renamed", of.renamed);
    member("changed", of.changed);
    member("due", of.due);
    member("no_due", of.no_due);
    member("priority", of.priority);
    member("title", of.title);
    member("priorities", of.priorities);
    member("nothing_changed", of.nothing_changed);
    member("nothing_else_changed", of.nothing_else_changed);
    member("may_delete", of.may_delete);
    member("may_rename", of.may_rename);
    member("may_change", of.may_change);
    member("which_get", of.which_get);
    member("which_rename", of.which_rename);
    member("which_change", of.which_change);
    member("which_complete", of.which_complete);
    member("which_remove", of.which_remove);
    member("ask_which", of.ask_which);
    member("say_which", of.say_which);
    member("what_to_add", of.what_to_add);
    member("what_to_call", of.what_to_call);
    member("details", of.details);
    member("open", of.open);
    member("done", of.done);
    member("detail_due", of.detail_due);
    member("line_due", of.line_due);
    member("more", of.more);
    member("empty_list", of.empty_list);
    member("none_today", of.none_today);
    member("none_tomorrow", of.none_tomorrow);
    member("none_this_week", of.none_this_week);
    member("none_high", of.none_high);
    member("none_open", of.none_open);
    member("none_completed", of.none_completed);
    member("none_overdue", of.none_overdue);
    member("none_then", of.none_then);
    member("unread_days", of.unread_days);
    member("none_found", of.none_found);
    member("unknown_id", of.unknown_id);
    member("gone", of.gone);
    member("no_place", of.no_place);
    member("no_list", of.no_list);
    member("nothing_mentioned", of.nothing_mentioned);
    member("not_all", of.not_all);
    member("no_title", of.no_title);
    member("too_long", of.too_long);
    member("is_there", of.is_there);
    member("passed", of.passed);
    member("passed_for", of.passed_for);
    member("unread_time", of.unread_time);
    member("no_repetition", of.no_repetition);
    member("stays", of.stays);
    member("stays_unanswered", of.stays_unanswered);
    member("stays_unclear", of.stays_unclear);
    member("untouched", of.untouched);
    member("not_renamed", of.not_renamed);
    member("unreadable", of.unreadable);
    member("doubtful", of.doubtful);
    member("doubtful_rest", of.doubtful_rest);
    member("partly", of.partly);
    member("not_understood", of.not_understood);
    member("nothing_waits", of.nothing_waits);
    member("kept", of.kept);
    member("unfinished", of.unfinished);
    member("message_too_long", of.message_too_long);
    member("tasks_stay", of.tasks_stay);
    member("hello", of.hello);
    member("welcome", of.welcome);
    member("examples", of.examples);
    member("weekdays", of.weekdays);
    member("months", of.months);
    member("day", of.day);
    member("time", of.time);
}

void each_member(notices& of, auto&& member) {
    member("may_do", of.may_do);
    member("may_do_several", of.may_do_several);
    member("answer_or_press", of.answer_or_press);
    member("press", of.press);
    member("approve", of.approve);
    member("reject", of.reject);
    member("show_all", of.show_all);
    member("no_arguments", of.no_arguments);
    member("more_bytes", of.more_bytes);
    member("approved", of.approved);
    member("approved_by", of.approved_by);
    member("rejected", of.rejected);
    member("rejected_by", of.rejected_by);
    member("unanswered", of.unanswered);
    member("withdrawn", of.withdrawn);
    member("an_owner", of.an_owner);
    member("not_open", of.not_open);
    member("not_yours", of.not_yours);
    member("not_set_up", of.not_set_up);
    member("limit_reached", of.limit_reached);
    member("conversation_too_long", of.conversation_too_long);
    member("not_accepted", of.not_accepted);
    member("busy", of.busy);
    member("slow", of.slow);
    member("unreachable", of.unreachable);
    member("later", of.later);
    member("in_minutes", of.in_minutes);
    member("after", of.after);
    member("tools_not_set_up", of.tools_not_set_up);
    member("empty_budget", of.empty_budget);
    member("went_wrong", of.went_wrong);
    member("meanwhile", of.meanwhile);
    member("does_start", of.does_start);
    member("does_help", of.does_help);
    member("does_new", of.does_new);
    member("does_stop", of.does_stop);
    member("does_usage", of.does_usage);
    member("does_approvals", of.does_approvals);
    member("does_settings", of.does_settings);
    member("does_memory", of.does_memory);
    member("does_knowledge", of.does_knowledge);
    member("help", of.help);
    member("new_conversation", of.new_conversation);
    member("stopped_for_new", of.stopped_for_new);
    member("nothing_to_stop", of.nothing_to_stop);
    member("stopped", of.stopped);
    member("answer_stopped", of.answer_stopped);
    member("may_not_stop", of.may_not_stop);
    member("no_usage", of.no_usage);
    member("no_approvals", of.no_approvals);
    member("approvals_wait", of.approvals_wait);
    member("approval_line", of.approval_line);
    member("how_to_approve", of.how_to_approve);
    member("approvals_unread", of.approvals_unread);
    member("timezone_is", of.timezone_is);
    member("no_timezone", of.no_timezone);
    member("language_is", of.language_is);
    member("no_language", of.no_language);
    member("how_to_set", of.how_to_set);
    member("no_such_timezone", of.no_such_timezone);
    member("no_such_language", of.no_such_language);
    member("no_such_setting", of.no_such_setting);
    member("no_settings", of.no_settings);
    member("no_memories", of.no_memories);
    member("my_memories", of.my_memories);
    member("how_to_add_document", of.how_to_add_document);
    member("may_not_add_documents", of.may_not_add_documents);
    member("no_collection", of.no_collection);
    member("document_is_read", of.document_is_read);
    member("document_ready", of.document_ready);
    member("document_failed", of.document_failed);
    member("document_stopped", of.document_stopped);
    member("own_name", of.own_name);
    member("english_name", of.english_name);
    member("unread", of.unread);
    member("too_large", of.too_large);
    member("no_answer", of.no_answer);
    member("declined", of.declined);
    member("cut_short", of.cut_short);
    member("never_began", of.never_began);
    member("cut_off", of.cut_off);
    member("ended_early", of.ended_early);
    member("unfinished", of.unfinished);
    member("found_nothing", of.found_nothing);
    member("found_so_far", of.found_so_far);
    member("used", of.used);
    member("used_for_this", of.used_for_this);
    member("and_more", of.and_more);
    member("kept_calling", of.kept_calling);
    member("back_and_forth", of.back_and_forth);
    member("nothing_new", of.nothing_new);
    member("long_conversation", of.long_conversation);
    member("used_no_model", of.used_no_model);
    member("used_today", of.used_today);
    member("used_today_for", of.used_today_for);
    member("not_answered_yet", of.not_answered_yet);
    member("not_counted_yet", of.not_counted_yet);
    member("used_up", of.used_up);
    member("left", of.left);
    member("of_most", of.of_most);
    member("total_budget", of.total_budget);
    member("own_budget", of.own_budget);
    member("chat_budget", of.chat_budget);
    member("other_budget", of.other_budget);
    member("calls", of.calls);
    member("tokens", of.tokens);
    member("cents", of.cents);
    member("comma", of.comma);
    member("decimal_mark", of.decimal_mark);
    member("too_many_messages", of.too_many_messages);
    member("messages", of.messages);
    member("seconds", of.seconds);
    member("reminded_late", of.reminded_late);
    member("built_in", of.built_in);
    member("can_calculate", of.can_calculate);
    member("where_tasks_are", of.where_tasks_are);
    member("keeps_no_tasks", of.keeps_no_tasks);
    member("cannot_answer", of.cannot_answer);
    member("how_to_configure", of.how_to_configure);
    member("did_not_work", of.did_not_work);
    member("time_is", of.time_is);
}

} // namespace postrider::agent::language
