#include "agent/todo/claims.hpp"

#include "agent/language/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <span>
#include <utility>

namespace postrider::agent::todo {

namespace {

using kind = intent::kind;

// Phrases divided by |, read like a person's words.
struct claim_words {
    kind claimed;
    std::string_view phrases;
};

constexpr std::array<claim_words, 4> claims{{
    {kind::create,
     "i created|i've created|have created|been created|was created|is created|created the|"
     "created a|created task|task created|added|on your list now|now on your list|now on the list|"
     "on your list as|made a task|jotted down|"
     "erstellt|hinzugefügt|angelegt|notiert|"
     "creado|creada|añadido|añadida|agregado|agregada|he anotado|"
     "créé|créée|ajouté|ajoutée|noté|"
     "создал|создала|создана|создано|добавил|добавила|добавлена|добавлено|"
     "شامل کر دیا|بنا دیا|شامل کر دی|بنا دی"},
    {kind::update,
     "renamed|changed the|changed its|changed task|updated|rescheduled|postponed|is now due|is now "
     "called|"
     "umbenannt|geändert|aktualisiert|verschoben|"
     "renombrado|renombrada|cambiado|cambiada|actualizado|actualizada|aplazado|aplazada|"
     "renommé|renommée|modifié|modifiée|décalé|décalée|"
     "переименовал|переименовала|переименована|изменил|изменила|изменена|обновлена|перенёс|"
     "перенесла|перенесена|"
     "نام بدل دیا|تبدیل کر دیا"},
    {kind::complete,
     "i completed|i've completed|have completed|been completed|was completed|is completed now|is "
     "now completed|is now complete|is now done|"
     "is done now|is finished now|is now finished|"
     "completed the|completed task|task completed|i have completed|and completed|marked|checked "
     "off|"
     "ticked off|crossed off|"
     "erledigt markiert|abgehakt|abgeschlossen|als erledigt|"
     "completado|completada|marcado como|marcada como|"
     "terminé|terminée|marqué comme|marquée comme|"
     "выполнена|выполнено|завершил|завершила|завершена|отметил|отметила|"
     "مکمل کر دیا|مکمل کر دی"},
    {kind::remove,
     "deleted|removed|wiped|erased|is gone|are gone|it's gone|gone now|now gone|got rid of|no "
     "longer "
     "appears|no longer on|no longer in|"
     "gelöscht|entfernt|"
     "eliminado|eliminada|borrado|borrada|"
     "supprimé|supprimée|effacé|effacée|retiré|"
     "удалил|удалила|удалена|удалено|"
     "حذف کر دیا|ہٹا دیا|حذف کر دی|ہٹا دی"},
}};

// With one of them before it nothing is claimed.
constexpr std::string_view hedges =
    "not|no|never|nothing|cannot|cant|couldnt|didnt|havent|hasnt|wasnt|isnt|dont|unable|failed|if|"
    "would|will|can|could|shall|should|want|wants|like me to|before|once|"
    "nicht|kein|keine|keinen|nie|nichts|wenn|würde|werde|soll|kann|möchtest|"
    "nunca|nada|si|quieres|puedo|ningún|ninguna|"
    "ne|pas|jamais|rien|voulez|veux|peux|aucun|aucune|"
    "не|нет|никогда|ничего|если|хотите|хочешь|могу|"
    "نہیں|اگر|کیا";

// Who acts in such a clause: the speaker; somebody else; nobody who is named.
constexpr std::string_view speakers =
    "i|i've|ive|we|we've|weve|ich|wir|he|hemos|yo|j ai|je|nous|я|мы|میں نے|میں|main|maine";
constexpr std::string_view other_people = "you|youve|you've|he's|she|she's|they|they've|du|ihr|er|"
                                          "sie|has|ha|han|habéis|tu|il|elle|vous|ils|ты|"
                                          "вы|он|она|они|تم نے|آپ نے|اس نے|tum ne|aap ne";
constexpr std::string_view passives = "been|was|were|is|are|got|wurde|wurden|ist|sind|sido|se "
                                      "ha|se han|été|est|была|было|были|گیا|گئی";

// Some day, and not now; the second list voids only what nobody is named to have done: "I've already
// deleted it" is a claim.
constexpr std::string_view other_times =
    "yesterday|ago|earlier today|last week|last month|last year|last night|last "
    "time|previously|gestern|"
    "vorhin|letzte woche|letzten monat|damals|ayer|la semana pasada|el mes "
    "pasado|anteriormente|hier soir|hier matin|la "
    "semaine dernière|le mois dernier|auparavant|вчера|ранее|назад|на прошлой неделе|گزشتہ|پچھلے";
constexpr std::string_view earlier_words =
    "already|earlier|before|on monday|on tuesday|on wednesday|on thursday|on friday|on saturday|on "
    "sunday|"
    "schon|bereits|früher|am montag|am dienstag|am mittwoch|am donnerstag|am freitag|am samstag|am "
    "sonntag|"
    "ya|antes|déjà|уже|раньше|پہلے";

// An English participle claims only where a verb stands: "Send updated contract" does not.
constexpr std::string_view bare_participles =
    "added|renamed|updated|rescheduled|postponed|marked|deleted|removed|wiped|erased";
constexpr std::string_view verb_marks = "i|i've|ive|we|we've|weve|have|has|been|was|were|is|are|"
                                        "got|and|then|just|also|now|successfully|it|them";

// What a claim of the tasks is about.
constexpr std::string_view task_names =
    "task|tasks|todo|todos|to "
    "do|item|items|it|them|both|list|entry|aufgabe|aufgaben|liste|es|tarea|"
    "tareas|lista|tâche|tâches|задачу|задача|задачи|список|её|کام|فہرست|kaam";

// Claims only where something was asked for.
constexpr std::string_view vague_claims =
    "done|all done|all set|finished|completed|sorted|taken care of|took care of|wiped|noted|there "
    "you "
    "go|✅|"
    "erledigt|fertig|gemacht|hecho|listo|fait|c'est bon|готово|сделано|ہو گیا|ho gaya";

// With one of them a question is politeness.
constexpr std::string_view further =
    "else|more|sonst|noch etwas|algo más|otra cosa|autre chose|что нибудь ещё|ещё|aur kuch|اور کچھ";

struct number_words {
    std::size_t value;
    std::string_view words;
};

constexpr std::array<number_words, 5> number_table{{
    {2, "two|2|zwei|dos|deux|два|две"},
    {3, "three|3|drei|tres|trois|три"},
    {4, "four|4|vier|cuatro|quatre|четыре"},
    {5, "five|5|fünf|cinco|cinq|пять"},
    {6, "six|6|sechs|seis|шесть"},
}};

constexpr std::string_view several_tasks =
    "tasks|new tasks|todos|items|new items|entries|reminders|aufgaben|neue aufgaben|tareas|tâches|"
    "nouvelles tâches|задачи|задач";

using phrase = std::vector<std::string>;

std::vector<phrase> phrases_of(std::string_view list) {
    std::vector<phrase> phrases;
    while (!list.empty()) {
        auto const end = std::min(list.find('|'), list.size());
        auto& added = phrases.emplace_back();
        for (auto& read : words_of(list.substr(0, end)).words)
            added.push_back(std::move(read.text));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return phrases;
}

// Where the first of the phrases begins; words.size(): none is there.
std::size_t first_of(phrase const& words, std::vector<phrase> const& sought) {
    auto first = words.end();
    for (auto const& part : sought)
        if (!part.empty())
            first =
                std::min(first, std::search(words.begin(), words.end(), part.begin(), part.end()));
    return static_cast<std::size_t>(first - words.begin());
}

bool begins_with(std::span<std::string const> words, std::vector<phrase> const& sought) {
    return std::ranges::any_of(sought, [&](phrase const& part) {
        return part.size() <= words.size() && std::ranges::equal(part, words.first(part.size()));
    });
}

struct compiled_words {
    std::array<std::vector<phrase>, claims.size()> claimed;
    std::array<std::vector<phrase>, number_table.size()> counted;
    std::vector<phrase> hedging = phrases_of(hedges);
    std::vector<phrase> vague = phrases_of(vague_claims);
    std::vector<phrase> several = phrases_of(several_tasks);
    std::vector<phrase> speaker = phrases_of(speakers);
    std::vector<phrase> other_person = phrases_of(other_people);
    std::vector<phrase> passive = phrases_of(passives);
    std::vector<phrase> other_time = phrases_of(other_times);
    std::vector<phrase> earlier = phrases_of(earlier_words);
    std::vector<phrase> participle = phrases_of(bare_participles);
    std::vector<phrase> verb_mark = phrases_of(verb_marks);
    std::vector<phrase> task_name = phrases_of(task_names);

    compiled_words() {
        for (std::size_t i = 0; i < claims.size(); ++i) claimed[i] = phrases_of(claims[i].phrases);
        for (std::size_t i = 0; i < number_table.size(); ++i)
            counted[i] = phrases_of(number_table[i].words);
    }
};

compiled_words const& compiled() {
    static compiled_words const instance;
    return instance;
}

// "two new tasks": 2; 0: no number is said.
std::size_t number_in(phrase const& words) {
    std::size_t largest = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
        auto const rest = std::span(words).subspan(at);
        if (words[at] == "both") largest = std::max<std::size_t>(largest, 2);
        if (!begins_with(rest.subspan(1), compiled().several)) continue;
        for (std::size_t i = 0; i < number_table.size(); ++i)
            if (begins_with(rest.first(1), compiled().counted[i]))
                largest = std::max(largest, number_table[i].value);
    }
    return largest;
}

bool holds(std::span<std::string const> words, std::vector<phrase> const& sought) {
    for (std::size_t at = 0; at < words.size(); ++at)
        if (begins_with(words.subspan(at), sought)) return true;
    return false;
}

// What stands at `at` is said of this turn, by whoever says it.
bool is_of_this_turn(phrase const& words, std::size_t at) {
    constexpr std::size_t near = 3;
    auto const all = std::span<std::string const>(words);
    auto const before = all.first(at);
    auto const& known = compiled();
    if (holds(all, known.other_time)) return false;
    bool const speaks = holds(before, known.speaker);
    bool const is_passive = holds(before, known.passive);
    if (!speaks && holds(all, known.earlier)) return false;
    if (!speaks && !is_passive && holds(before, known.other_person)) return false;
    if (!begins_with(all.subspan(at), known.participle)) return true;
    return at == 0 || at + 1 == all.size() ||
           holds(before.last(std::min(near, at)), known.verb_mark);
}

// Whole words of titles are blanked: they claim nothing. A title of one word is no mask.
std::string without_titles(std::string_view text, std::vector<std::string> const& titles) {
    std::string masked(text);
    for (auto const& title : titles) {
        if (title.find(' ') == std::string::npos) continue;
        for (auto at = masked.find(title); at != masked.npos; at = masked.find(title, at + 1))
            std::fill_n(masked.begin() + static_cast<std::ptrdiff_t>(at), title.size(), ' ');
    }
    return masked;
}

// "#3 Send updated contract", "• buy milk": a line of a list. One that speaks of the speaker, or in the words of
// the decision table, may claim.
bool is_listed(std::string_view line) {
    auto const text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    constexpr std::array<std::string_view, 4> bullets{"- ", "• ", "– ", "* "};
    bool const marked = text.starts_with('#');
    auto const begin = marked ? std::size_t{1} : std::size_t{0};
    auto const end = std::min(text.find_first_not_of("0123456789", begin), text.size());
    bool const is_closed = end < text.size() && (text[end] == '.' || text[end] == ')');
    bool const numbered = end > begin && (marked || is_closed);
    bool const is_item = numbered || std::ranges::any_of(bullets, [&](auto bullet) {
                             return text.starts_with(bullet);
                         });
    if (!is_item) return false;
    phrase words;
    for (auto& read : words_of(text).words) words.push_back(std::move(read.text));
    auto const first = std::min(words.size(), numbered ? std::size_t{1} : std::size_t{0});
    auto const said = std::span<std::string const>(words).subspan(first);
    static auto const opening =
        phrases_of("created task|completed task|renamed task|changed task|deleted task");
    // "#3 has been deleted" lists no task.
    static auto const verbs = phrases_of(
        "has|have|was|is|wurde|wurden|ist|sind|ha|han|fue|est|sont|a été|ont été|был|была|было|были"
    );
    return !begins_with(said, compiled().speaker) && !begins_with(said, opening) &&
           !(marked && begins_with(said, verbs));
}

std::string without_lists(std::string_view text) {
    std::string kept;
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        auto const line = text.substr(0, end);
        if (!is_listed(line)) kept += line;
        kept += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return kept;
}

class claim_reader {
public:
    claim_reader(std::string_view text, bool others_acted)
        : text_(text),
          others_acted_(others_acted) {}

    void take(word const& read) {
        if (read.before != gap::none) end_clause();
        if (read.before == gap::stop || read.before == gap::question) end_sentence(read.before);
        if (read.quoted) { // a title is no claim
            titles_.emplace_back(text_.substr(read.begin, read.end - read.begin));
            return;
        }
        take_task(read);
        clause_.push_back(read.text);
    }
    change_claims finish(gap end) {
        end_clause();
        end_sentence(end);
        return std::move(found_);
    }

private:
    void take_task(word const& read) {
        bool const marked = read.begin > 0 && text_[read.begin - 1] == '#';
        bool const named = read.before == gap::none && !clause_.empty() && clause_.back() == "task";
        if (!marked && !named) return;
        std::int64_t number = 0;
        auto const* const end = read.text.data() + read.text.size();
        auto const [stop, failure] = std::from_chars(read.text.data(), end, number);
        if (failure == std::errc() && stop == end) tasks_.push_back(task_id{number});
    }

    void end_clause() {
        auto const hedge = first_of(clause_, compiled().hedging);
        auto const size = clause_.size();
        for (std::size_t i = 0; i < claims.size(); ++i) {
            // "no longer on your list" begins with a hedge.
            auto const at = first_of(clause_, compiled().claimed[i]);
            if (at == size || at > hedge || !is_of_this_turn(clause_, at)) continue;
            if (others_acted_ && !holds(clause_, compiled().task_name) && tasks_.empty()) continue;
            auto& number = sentence_[claims[i].claimed];
            number = std::max(number, number_in(clause_));
        }
        vague_ |= first_of(clause_, compiled().vague) < hedge;
        clause_.clear();
    }
    void end_sentence(gap by) {
        if (by != gap::question) take_sentence();
        sentence_.clear();
        titles_.clear();
        tasks_.clear();
        vague_ = false;
    }
    void take_sentence() {
        found_.vague |= vague_;
        for (auto const& [claimed, number] : sentence_) {
            found_.kinds.insert(claimed);
            auto& most = found_.numbers[claimed];
            most = std::max(most, number);
        }
        if (sentence_.empty()) return;
        std::ranges::copy(tasks_, std::back_inserter(found_.tasks));
        if (!sentence_.contains(kind::update))
            std::ranges::move(titles_, std::back_inserter(found_.titles));
    }

    std::string_view text_;
    bool others_acted_;
    phrase clause_;
    std::map<kind, std::size_t> sentence_; // what it claims, and of how many tasks
    std::vector<std::string> titles_;
    std::vector<task_id> tasks_;
    bool vague_ = false;
    change_claims found_;
};

} // namespace

change_claims claims_in(std::string_view said, claim_context const& context) {
    auto const text = without_lists(said);
    // As long as the text: what stands in quotes is read where it is not blanked.
    auto const masked = without_titles(text, context.titles);
    auto const list = words_of(masked);
    claim_reader reader(text, context.others_acted);
    for (auto const& read : list.words) reader.take(read);
    return reader.finish(list.end);
}

bool asks_back(std::string_view text) {
    static auto const polite = phrases_of(further);
    auto const list = words_of(text);
    phrase words;
    for (auto const& read : list.words) words.push_back(read.text);
    return list.asks && first_of(words, polite) == words.size();
}

} // namespace postrider::agent::todo
