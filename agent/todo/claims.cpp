#include "agent/todo/claims.hpp"

#include "agent/words.hpp"

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

class claim_reader {
public:
    explicit claim_reader(std::string_view text) : text_(text) {}

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
            if (at == size || at > hedge) continue;
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
    phrase clause_;
    std::map<kind, std::size_t> sentence_; // what it claims, and of how many tasks
    std::vector<std::string> titles_;
    std::vector<task_id> tasks_;
    bool vague_ = false;
    change_claims found_;
};

} // namespace

change_claims claims_in(std::string_view text) {
    auto const list = words_of(text);
    claim_reader reader(text);
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
