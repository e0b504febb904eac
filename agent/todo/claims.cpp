#include "agent/todo/claims.hpp"

#include "agent/words.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

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
     "created a|created task|task created|added|on your list now|made a task|"
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
     "completed the|completed task|task completed|marked|checked off|ticked off|crossed off|"
     "erledigt markiert|abgehakt|abgeschlossen|als erledigt|"
     "completado|completada|marcado como|marcada como|"
     "terminé|terminée|marqué comme|marquée comme|"
     "выполнена|выполнено|завершил|завершила|завершена|отметил|отметила|"
     "مکمل کر دیا|مکمل کر دی"},
    {kind::remove,
     "deleted|removed|"
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

struct compiled_words {
    std::array<std::vector<phrase>, claims.size()> claimed;
    std::vector<phrase> hedging = phrases_of(hedges);

    compiled_words() {
        for (std::size_t i = 0; i < claims.size(); ++i) claimed[i] = phrases_of(claims[i].phrases);
    }
};

class claim_reader {
public:
    void take(word const& read) {
        if (read.before != gap::none) end_clause();
        if (read.before == gap::stop || read.before == gap::question) end_sentence(read.before);
        if (!read.quoted) clause_.push_back(read.text); // a title is no claim
    }
    std::set<kind> finish(gap end) {
        end_clause();
        end_sentence(end);
        return std::move(found_);
    }

private:
    void end_clause() {
        static compiled_words const compiled;
        auto const hedge = first_of(clause_, compiled.hedging);
        for (std::size_t i = 0; i < claims.size(); ++i)
            if (first_of(clause_, compiled.claimed[i]) < hedge) sentence_.insert(claims[i].claimed);
        clause_.clear();
    }
    void end_sentence(gap by) {
        if (by != gap::question) found_.insert(sentence_.begin(), sentence_.end());
        sentence_.clear();
    }

    phrase clause_;
    std::set<kind> sentence_;
    std::set<kind> found_;
};

} // namespace

std::set<kind> claims_in(std::string_view text) {
    auto const list = words_of(text);
    claim_reader reader;
    for (auto const& read : list.words) reader.take(read);
    return reader.finish(list.end);
}

} // namespace postrider::agent::todo
