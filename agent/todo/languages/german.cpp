#include "agent/todo/language.hpp"

namespace postrider::agent::todo {

namespace {

using enum intent::kind;
using entry = time_words::entry;

constexpr std::array german_forms{
    // Create
    form{create, "(füge|fuege) [bitte] <title> hinzu"},
    form{
        create,
        "(füge|fuege) [bitte] <title> (zur|zu der|zu meiner|der|meiner|auf die|auf meine) "
        "(liste|aufgabenliste|todo liste|todoliste|einkaufsliste) hinzu"},
    form{
        create,
        "(füge|fuege) [eine|einen] [neue|neuen] (aufgabe|todo|eintrag) [namens|mit dem titel] "
        "<title> hinzu"},
    form{
        create,
        "(füge|fuege|setz|setze|schreib|schreibe|pack|packe|tu|nimm|notier|notiere) <title> [mit] "
        "(auf|zu|in) [meine|meiner|die|der|unsere] "
        "(liste|aufgabenliste|todo liste|todoliste|einkaufsliste|aufgaben) [hinzu|auf]"},
    form{create, "<title> (hinzufügen|hinzufuegen|notieren|aufschreiben)"},
    form{
        create,
        "<title> (auf|zu|zur) [die|meine|meiner|der] (liste|todo liste|aufgabenliste) "
        "[setzen|schreiben|hinzufügen|packen]"},
    form{create, "(neue|neues|neuer|eine neue) (aufgabe|todo|eintrag) <title>"},
    form{create, "(neue|neues|neuer) (aufgabe|todo|eintrag)"},
    form{
        create,
        "(erstell|erstelle|mach|mache|leg|lege|erzeuge|anlegen) [mir] [eine|ein|einen] "
        "[neue|neues|neuen] (aufgabe|todo|eintrag|erinnerung) [an] [namens|für|fuer|zu|mit dem "
        "titel] <title> [an]"},
    form{create, "(erinner|erinnere) mich [bitte] (an|daran|dran) <title>", list_filter::all, true},
    form{
        create,
        "(erinner|erinnere) mich [bitte] <time> (an|daran|dran) <title>",
        list_filter::all,
        true},
    form{create, "<time> (an|daran) <title> erinnern", list_filter::all, true},
    form{create, "mich (an|daran) <title> (erinnern|zu erinnern)", list_filter::all, true},
    form{create, "mich <time> (an|daran) <title> erinnern", list_filter::all, true},
    form{create, "(notier|notiere|merk dir|merke dir|schreib auf|schreibe auf) <title>"},
    form{create, "(notier|notiere|schreib|schreibe) [dir|mir] <title> [auf]"},
    form{create, "vergiss nicht <title>", list_filter::all, true},

    form{
        create,
        "(leg|lege|leg mir|lege mir) [bitte] [eine|ein] [neue|neues] (aufgabe|todo) an <title>"},
    form{create, "(aufgabe|todo) <title>", list_filter::all, false, true},
    // Get
    form{get, "(zeig|zeige) [mir] [die] (details|einzelheiten) (von|zu|für|fuer|der) <task>"},
    form{get, "(zeig|zeige) [mir] (aufgabe|todo|nummer|eintrag) <task>"},
    form{get, "(zeig|zeige|öffne|oeffne) [mir] <task> [an]"},
    form{get, "(details|einzelheiten|infos) (von|zu|für|fuer|zur) <task>"},
    form{get, "(was ist|was steht in) (aufgabe|nummer|todo) <task>"},
    form{get, "(aufgabe|todo) <task> (zeigen|anzeigen)"},
    form{get, "wann ist <task> fällig"},
    // What the person is going to do, or asks for, is not done yet.
    form{
        get,
        "(ich muss|ich will|ich möchte|ich moechte|ich soll|ich würde gern|ich würde gerne|ich "
        "wollte|kann ich|könnte ich|koennte ich|darf ich|können wir) <task> "
        "(erledigen|abschließen|abschliessen|beenden|fertig machen|fertigmachen|fertigstellen)"},

    // List
    form{list, "was steht [alles|noch] auf [meiner|der] [todo] (liste|aufgabenliste|todoliste)"},
    form{list, "was (steht|liegt) [heute|noch|alles] an"},
    form{list, "was (muss|soll|habe|hab) ich [noch|alles] [zu] (tun|erledigen|machen)"},
    form{
        list,
        "(zeig|zeige|liste|nenn|nenne) [mir] [alle|alles|meine|die] [meine|offenen] "
        "(aufgaben|todos|liste|aufgabenliste|todo liste|todoliste) [an|auf]"},
    form{list, "(zeig|zeige) [mir] alles [an]"},
    form{list, "liste alles auf"},
    form{
        list,
        "[meine|alle|die] (aufgaben|todos|aufgabenliste|todo liste|liste) "
        "[zeigen|anzeigen|auflisten]"},
    form{list, "welche (aufgaben|todos) (habe ich|hab ich|gibt es|stehen an|sind offen) [noch]"},
    form{
        list,
        "(zeig|zeige) [mir] [alle|die|meine] (offenen|unerledigten) (aufgaben|todos)",
        list_filter::open},
    form{list, "was ist noch (offen|zu tun|übrig)", list_filter::open},
    form{
        list,
        "(zeig|zeige) [mir] [alle|die|meine] (erledigten|fertigen) (aufgaben|todos)",
        list_filter::completed},
    form{list, "was (habe|hab) ich [schon] (erledigt|geschafft)", list_filter::completed},
    form{
        list,
        "(zeig|zeige|sortier|sortiere|archivier|archiviere|verstecke|zähle|exportiere|drucke|leere|"
        "verschiebe|speichere) [mir] [alle|alles|die|meine] (erledigt|erledigte|erledigten|fertig|"
        "fertige|fertigen) [aufgaben|todos]",
        list_filter::completed},
    form{list, "was ist (überfällig|ueberfaellig)", list_filter::overdue},
    form{
        list,
        "was (muss ich|steht|ist|habe ich) heute [noch] (an|tun|machen|fällig|erledigen|zu "
        "tun|vor)",
        list_filter::today},
    form{
        list,
        "was (muss ich|steht|ist|habe ich) morgen [noch] (an|tun|machen|fällig|erledigen|zu "
        "tun|vor)",
        list_filter::tomorrow},
    form{list, "(suche|such|finde) [nach|aufgaben mit] <search>"},

    form{list, "welche (aufgaben|todos) sind [noch] (offen|unerledigt|übrig)", list_filter::open},
    form{list, "welche (aufgaben|todos) sind [schon] (erledigt|fertig)", list_filter::completed},
    form{list, "welche (aufgaben|todos) sind (überfällig|ueberfaellig)", list_filter::overdue},
    // Update
    form{update, "(benenn|benenne|nenn|nenne) <task> (in|zu) <title> um"},
    form{update, "(benenn|benenne) <task> um (in|zu) <title>"},
    form{
        update, "(ändere|aendere|änder|bearbeite) [den titel von] <task> (zu|in|auf|nach) <title>"},
    form{update, "<task> (in|zu) <title> (umbenennen|ändern|aendern)"},
    form{update, "<task> umbenennen (in|zu) <title>"},
    form{update, "<task> umbenennen"},
    form{update, "(benenn|benenne) <task> um"},
    form{update, "<task> soll <title> heißen"},

    // Complete
    form{
        complete,
        "<task> (ist|sind|wurde) [schon|jetzt|nun] "
        "(erledigt|fertig|gemacht|geschafft|abgeschlossen)"},
    form{complete, "<task> (erledigt|fertig|abhaken|erledigen|abschließen|abschliessen|geschafft)"},
    form{complete, "[ich bin] (fertig|durch) mit <task>"},
    form{complete, "[ich] bin mit <task> (fertig|durch)"},
    form{
        complete,
        "(ich habe|ich hab|hab|habe) <task> "
        "(erledigt|gemacht|fertig|geschafft|abgeschlossen|fertiggestellt)"},
    form{complete, "(hak|hake|haken) <task> ab"},
    form{complete, "(schließ|schließe|schliesse) <task> ab"},
    form{complete, "(erledige|erledigt|beende|abgehakt) <task>"},
    form{complete, "(markier|markiere|setz|setze) <task> als (erledigt|fertig)"},
    form{complete, "<task> als (erledigt|fertig) markieren"},

    // Delete
    form{remove, "(lösche|lösch|loesche|loesch|entferne|entfern|streich|streiche|verwirf) <task>"},
    form{
        remove,
        "(lösche|lösch|loesche|entferne|entfern|streich|streiche|nimm) <task> (von|aus) "
        "[der|meiner] liste"},
    form{remove, "<task> (löschen|loeschen|entfernen|streichen)"},
    form{
        remove,
        "<task> (von|aus) [der|meiner] liste (löschen|loeschen|entfernen|streichen|nehmen)"},
    form{remove, "weg mit <task>"},
    form{remove, "<task> kann weg"},
    form{remove, "(schmeiß|schmeiss|wirf) <task> (weg|raus)"},

    // The rest
    form{help, "(hilfe|hilf mir|befehle)"},
    form{help, "was kannst du [alles|für mich] [tun|machen]"},
    form{help, "wie (funktioniert das|geht das|funktionierst du)"},
    form{
        greeting,
        "(hallo|guten tag|guten morgen|guten abend|moin|servus|grüß gott|grüezi|na|guten)"},
    form{
        thanks,
        "(danke|vielen dank|dankeschön|danke schön|danke dir|besten dank|super|prima|toll|klasse) "
        "[danke|dir]"},
};

constexpr std::array german_numbers{
    entry{"null", 0},
    entry{"eins|ein|eine|einer|einem|einen", 1},
    entry{"zwei|zwo", 2},
    entry{"drei", 3},
    entry{"vier", 4},
    entry{"fünf|fuenf", 5},
    entry{"sechs", 6},
    entry{"sieben", 7},
    entry{"acht", 8},
    entry{"neun", 9},
    entry{"zehn", 10},
    entry{"elf", 11},
    entry{"zwölf|zwoelf", 12},
    entry{"zwanzig", 20},
};

constexpr std::array german_ordinals{
    entry{"erste|ersten|erstes|erster", 1},
    entry{"zweite|zweiten|zweites|zweiter", 2},
    entry{"dritte|dritten|drittes|dritter", 3},
    entry{"vierte|vierten|viertes|vierter", 4},
    entry{"fünfte|fünften|fünftes|fuenfte", 5},
    entry{"sechste|sechsten", 6},
    entry{"siebte|siebten", 7},
    entry{"achte|achten", 8},
    entry{"neunte|neunten", 9},
    entry{"zehnte|zehnten", 10},
    entry{"letzte|letzten|letztes|letzter", -1},
    entry{"vorletzte|vorletzten", -2},
};

constexpr std::array german_priorities{
    entry{
        "hohe priorität|hohe prioritaet|mit hoher priorität|mit hoher prioritaet|priorität "
        "hoch|prio hoch|dringend|eilig|wichtig",
        2},
    entry{"normale priorität|mittlere priorität|mit normaler priorität", 1},
    entry{
        "niedrige priorität|mit niedriger priorität|priorität niedrig|prio niedrig|nicht dringend",
        0},
};

constexpr std::array german_days{
    entry{"gestern", -1},
    entry{"heute", 0},
    entry{"morgen", 1},
    entry{"übermorgen|uebermorgen", 2},
};

constexpr std::array german_parts{
    entry{"früh|frueh|vormittag|am vormittag|am morgen|morgens", 9 * 60},
    entry{"mittag|mittags|am mittag", 12 * 60},
    entry{"nachmittag|nachmittags|am nachmittag", 15 * 60},
    entry{"abend|abends|am abend", 18 * 60},
    entry{"nacht|nachts", 21 * 60},
};

constexpr std::array german_units{
    entry{"minute|minuten|min", 1},
    entry{"stunde|stunden|std", 60},
    entry{"tag|tage|tagen", 1440},
    entry{"woche|wochen", 7 * 1440},
    entry{"monat|monate|monaten", -1},
    entry{"jahr|jahre|jahren", -12},
};

} // namespace

extern constinit language const german{
    .code = "de",
    .forms = german_forms,
    .openings =
        "bitte|hallo|hey|hi|ok|okay|also|dann|und|jetzt|nun|mal|bitte mal|ich möchte|ich möchte "
        "bitte|"
        "ich will|ich würde gern|ich würde gerne|guten morgen|guten tag|außerdem|danach|doch bitte",
    .corrections = "nein|nee|nö|nein nein|falsch",
    .requests = "kannst du|könntest du|koenntest du|kannst du bitte|könntest du bitte|koenntest du "
                "bitte|würdest du|"
                "würdest du bitte|kannst du mal|könntest du mal|können sie|könnten sie|könnten sie "
                "bitte|kann ich",
    .closings = "bitte|mal|bitte mal",
    .afterthoughts = "danke|dankeschön|vielen dank|bitte danke|ok|🙏|👍|🙂|😊",
    .confirmations = "ja|ja bitte|ich bin sicher|bin sicher|ich bin mir sicher|ja ich bin "
                     "sicher|ja ich bin mir sicher|"
                     "ja wirklich|bestätigt|ich bestätige|ohne nachfrage|ohne rückfrage|ohne zu "
                     "fragen|ja sicher|"
                     "ganz sicher|frag nicht nach|frag nicht|sicher|und ja",
    .conjunctions = "und|dann|und dann|außerdem|und danach|danach|sowie|und bitte",
    .neighbours =
        "gelöscht|löschte|entfernt|erledigte|benannte|zeigt|zeigte|streicht|listen|lösung|lösen|"
        "erinnert|erinnerte|fugt|fügt|fügte|fragen|sagen|tragen|kaufen|laufen|suchen|buchen|kochen|"
        "machen|lachen|"
        "milch|brot|karte|warte|nicht|nichts|keine|kein|niemals|vielleicht|wenn|falls|hätte|würde|"
        "sollte|soll|"
        "wirklich|warum|wieso|weiß|habe|haben|hatte",
    .doubts = "moment|quatsch|oder|nicht|nichts|kein|keine|keinen|nie|niemals|wenn|falls|ob|sollte|"
              "sollten|soll "
              "ich|würde|hätte|vielleicht|"
              "eventuell|warte|stopp|stop|halt|sagte|sagt|gesagt|sobald|bevor|nachdem|außer|statt|"
              "fast|beinahe",
    .past = "gestern|vorgestern|letzte woche|letzten monat|letztes jahr|neulich|früher|damals|vor "
            "tagen|morgen|später|bald|demnächst",
    .provisos =
        "falls noch nicht da|falls es noch nicht da ist|falls noch nicht vorhanden|falls nicht "
        "vorhanden|wenn es noch nicht da ist|wenn noch nicht da|wenn noch nicht vorhanden|falls "
        "noch nicht drauf|falls es noch nicht drauf ist|wenn es noch nicht drauf ist|falls es noch "
        "nicht auf der liste steht|wenn es noch nicht auf der liste steht|falls nicht da",
    .retractions = "ich meine|ich meinte|mein fehler|nur wenn|aber nicht|aber kein|aber keine|aber "
                   "keinen|streich das|doch nicht|ach nein|nein warte|warte nein|vergiss es|nur "
                   "spaß|war nur spaß|lieber nicht|"
                   "oder doch nicht|oder nicht|nein doch nicht|moment nein",
    .numbers = german_numbers,
    .ordinals = german_ordinals,
    .number_marks = "nummer|nr|die nummer|id",
    .pronouns = "es|das|sie|ihn|diese|diesen|dieses|die da|das da|den da|die hier|das "
                "hier|letzteres|diese da|diese aufgabe",
    .everything = "alles|alle|alle aufgaben|alle todos|aufgaben|meine aufgaben|die "
                  "aufgaben|sämtliche aufgaben|"
                  "die ganze liste|die liste|meine liste|beide|todos|etwas|was",
    .exceptions = "außer|ausser|bis auf|ausgenommen|nur nicht|ohne",
    .articles = "die|der|das|den|dem|meine|mein|meinen|meiner|eine|ein|einen|diese|dieses|diesen",
    .nouns = "aufgabe|aufgaben|todo|todos|eintrag|punkt|auf der liste|auf meiner liste|von der "
             "liste|von meiner liste|"
             "namens|schon|jetzt|bereits",
    .plurals = "aufgaben|todos|einträge|punkte|erinnerungen",
    .no_titles =
        "zu|dass|daran|das|es|etwas|nichts|alles|kein|keine|keinen|keins|was|wie|warum|wann|wo|wer|"
        "nicht|nie|und|oder|aber|mit|für|an",
    .priorities = german_priorities,
    .times =
        {
            .weekdays =
                {"montag|mo",
                 "dienstag|di",
                 "mittwoch|mi",
                 "donnerstag|do",
                 "freitag|fr",
                 "samstag|sonnabend|wochenende",
                 "sonntag"},
            .months =
                {"januar|jänner|jan",
                 "februar|feb",
                 "märz|maerz",
                 "april|apr",
                 "mai",
                 "juni|jun",
                 "juli|jul",
                 "august|aug",
                 "september|sept",
                 "oktober|okt",
                 "november|nov",
                 "dezember|dez"},
            .days = german_days,
            .parts = german_parts,
            .units = german_units,
            .seconds = "sekunde|sekunden|sek",
            .next = "nächsten|nächste|nächster|nächstes|naechsten|naechste|kommenden|kommende|"
                    "diesen|diese|dieses",
            .within = "in|innerhalb von",
            .at = "um|gegen|ab",
            .on = "am|an|bis|bis zum|fällig am|fällig|für|den|im|bis zu|zum|vor",
            .behind = "",
            .hours = "uhr",
            .before_noon = "vormittags|früh morgens",
            .after_noon = "nachmittags",
            .half = "einer halben|halbe|halben",
            .recurring = "jeden|jede|jedes|täglich|taeglich|wöchentlich|monatlich|jährlich|montags|"
                         "dienstags|mittwochs|"
                         "donnerstags|freitags|samstags|sonntags",
        },
};

} // namespace postrider::agent::todo
