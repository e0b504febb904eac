#include "agent/todo/languages/german_forms.hpp"

namespace postrider::agent::todo {

namespace {

using entry = time_words::entry;

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
    entry{"mittag|mittags|am mittag|zu mittag", 12 * 60},
    entry{"mitternacht", 24 * 60 + stands_alone},
    entry{"nachmittag|nachmittags|am nachmittag", 15 * 60},
    entry{"abend|abends|am abend", 18 * 60},
    entry{"nacht|nachts", 21 * 60},
};

constexpr std::array german_clock{
    entry{"halb", -30},
    entry{"viertel nach", 15},
    entry{"viertel vor|dreiviertel", -15},
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
                 "dienstag|di|dinstag",
                 "mittwoch|mi|mitwoch",
                 "donnerstag|do|donerstag",
                 "freitag|fr|freitga",
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
            .on = "am|an|bis|bis zum|fällig am|fällig|für|im|bis zu|zum|vor|vor dem|spätestens|"
                  "spätestens am",
            .inside = "den|der|dem|des",
            .day_leads = "am|zum|bis zum|fällig am|spätestens am|vor dem|bis",
            .numbered =
                "version|release|kapitel|vers|psalm|raum|zimmer|gleis|flug|seite|seiten|python|"
                "modell|frage|fehler|ticket|nummer|nr|bus|linie|abschnitt|schritt|folge|staffel|"
                "lektion|größe|haus|platz|tisch|halle|stock|etage|teil|band|tor|psalm",
            .topics = "seit|über|von|vom|letzten|letzte|letztem|vorigen|seit dem",
            .turns = "nach|nach dem|zwischen|oder|nicht|anfang|ende|mitte|ausser|früh am|spät am",
            .behind = "",
            .hours = "uhr",
            .before_noon = "vormittags|früh morgens",
            .after_noon = "nachmittags",
            .half = "einer halben|halbe|halben",
            .clock_before = german_clock,
            .recurring = "jeden|jede|jedes|täglich|taeglich|wöchentlich|monatlich|jährlich|montags|"
                         "dienstags|mittwochs|"
                         "donnerstags|freitags|samstags|sonntags",
        },
};

} // namespace postrider::agent::todo
