#pragma once
// What people say in German, as forms. Private to german.cpp.
#include "agent/todo/language.hpp"

#include <array>

namespace postrider::agent::todo {

inline constexpr auto german_forms = [] {
    using enum intent::kind;
    return std::array{
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
            "(füge|fuege|setz|setze|schreib|schreibe|pack|packe|tu|nimm|notier|notiere) <title> "
            "[mit] "
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
        form{
            create,
            "(erinner|erinnere) mich [bitte] (an|daran|dran) <title>",
            list_filter::all,
            true},
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
            .action = create,
            .text = "ich (muss|soll|will|möchte|moechte|sollte) <title>",
            .verbal = true,
            .timed = true},

        form{
            create,
            "(leg|lege|leg mir|lege mir) [bitte] [eine|ein] [neue|neues] (aufgabe|todo) an "
            "<title>"},
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
            "(erledigen|abschließen|abschliessen|beenden|fertig "
            "machen|fertigmachen|fertigstellen)"},

        // List
        form{
            list, "was steht [alles|noch] auf [meiner|der] [todo] (liste|aufgabenliste|todoliste)"},
        form{list, "was (steht|liegt) [noch|alles] an"},
        form{list, "was (muss|soll|habe|hab) ich [noch|alles] [zu] (tun|erledigen|machen)"},
        form{
            list,
            "(zeig|zeige|liste|nenn|nenne) [mir] [bitte] [alle|alles|meine|die] [meine] "
            "(aufgaben|todos|liste|aufgabenliste|todo liste|todoliste) [an|auf]"},
        form{list, "(zeig|zeige) [mir] alles [an]"},
        form{list, "liste alles auf"},
        form{
            list,
            "[meine|alle|die] (aufgaben|todos|aufgabenliste|todo liste|liste) "
            "[zeigen|anzeigen|auflisten]"},
        form{
            list, "welche (aufgaben|todos) (habe ich|hab ich|gibt es|stehen an|sind offen) [noch]"},
        form{
            list,
            "(zeig|zeige|liste|nenn|nenne) [mir] [bitte] [alle|die|meine|nur] [meine|die] "
            "(offenen|unerledigten) (aufgaben|todos) [an|auf]",
            list_filter::open},
        form{list, "was ist noch (offen|zu tun|übrig)", list_filter::open},
        form{
            list,
            "(zeig|zeige|liste|nenn|nenne) [mir] [bitte] [alle|die|meine|nur] [meine|die] "
            "(erledigten|fertigen) (aufgaben|todos) [an|auf]",
            list_filter::completed},
        form{list, "was (habe|hab) ich [schon] (erledigt|geschafft)", list_filter::completed},
        form{
            list,
            "(zeig|zeige|sortier|sortiere|archivier|archiviere|verstecke|zähle|exportiere|drucke|"
            "leere|"
            "verschiebe|speichere) [mir] [alle|alles|die|meine] "
            "(erledigt|erledigte|erledigten|fertig|"
            "fertige|fertigen) [aufgaben|todos]",
            list_filter::completed},
        form{list, "was ist (überfällig|ueberfaellig)", list_filter::overdue},
        form{
            list,
            "(zeig|zeige|liste|nenn|nenne) [mir] [alle|die|meine] (überfälligen|ueberfaelligen) "
            "(aufgaben|todos) [an|auf]",
            list_filter::overdue},
        form{
            list,
            "was (steht|liegt|ist) [für|fuer] heute [noch|alles] (an|fällig|auf der liste|auf dem "
            "plan)",
            list_filter::today},
        form{
            list,
            "was (steht|liegt|ist) [für|fuer] morgen [noch|alles] (an|fällig|auf der liste|auf dem "
            "plan)",
            list_filter::tomorrow},
        form{
            list,
            "was (muss ich|steht|ist|habe ich|liegt) diese woche [noch|alles] "
            "(an|tun|machen|fällig|"
            "erledigen|zu tun|vor)",
            list_filter::this_week},
        form{
            list,
            "was (muss|soll|habe|hab) ich heute [noch|alles] [zu] (tun|erledigen|machen|vor)",
            list_filter::today},
        form{
            list,
            "was (muss|soll|habe|hab) ich morgen [noch|alles] [zu] (tun|erledigen|machen|vor)",
            list_filter::tomorrow},
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

        form{
            list,
            "welche (aufgaben|todos) sind [noch] (offen|unerledigt|übrig)",
            list_filter::open},
        form{
            list, "welche (aufgaben|todos) sind [schon] (erledigt|fertig)", list_filter::completed},
        form{list, "welche (aufgaben|todos) sind (überfällig|ueberfaellig)", list_filter::overdue},
        // Update
        form{update, "(benenn|benenne|nenn|nenne) <task> (in|zu) <title> um"},
        form{update, "(benenn|benenne) <task> um (in|zu) <title>"},
        form{
            .action = update,
            .text = "(ändere|aendere|änder|bearbeite) <task> (zu|in|auf|nach) <title>",
            .may_date = true},
        form{
            update,
            "(ändere|aendere|änder|bearbeite) den titel von <task> (zu|in|auf|nach) <title>"},
        form{
            update,
            "(verschieb|verschiebe|verleg|verlege|schieb|schiebe) [bitte] <task> (auf|zu|um|in) "
            "<time>"},
        form{update, "<task> (auf|zu|um) <time> (verschieben|verlegen)"},
        form{update, "<task> ist [jetzt|nun|erst] [am] <time> fällig"},
        form{
            update,
            "(setz|setze|ändere|aendere) [das] (datum|fälligkeitsdatum) (von|für) <task> auf "
            "<time>"},
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
        form{
            complete,
            "<task> (erledigt|fertig|abhaken|erledigen|abschließen|abschliessen|geschafft)"},
        form{complete, "[ich bin] (fertig|durch) mit <task>"},
        form{complete, "[ich] bin mit <task> (fertig|durch)"},
        form{
            complete,
            "(ich habe|ich hab|hab|habe) <task> "
            "(erledigt|gemacht|fertig|geschafft|abgeschlossen|fertiggestellt)"},
        form{.action = complete, .text = "[ich] (habe|hab) <task> gekauft", .verb = "kaufen"},
        form{.action = complete, .text = "[ich] (habe|hab) <task> angerufen", .verb = "anrufen"},
        form{
            .action = complete,
            .text = "[ich] (habe|hab) <task> (bezahlt|gezahlt)",
            .verb = "zahlen"},
        form{
            .action = complete,
            .text = "[ich] (habe|hab) <task> (abgeschickt|geschickt|verschickt)",
            .verb = "schicken"},
        form{
            .action = complete, .text = "[ich] (habe|hab) <task> geschrieben", .verb = "schreiben"},
        form{.action = complete, .text = "[ich] (habe|hab) <task> geputzt", .verb = "putzen"},
        form{.action = complete, .text = "[ich] (habe|hab) <task> gegossen", .verb = "gießen"},
        form{.action = complete, .text = "[ich] (habe|hab) <task> gebucht", .verb = "buchen"},
        form{.action = complete, .text = "[ich] (habe|hab) <task> abgegeben", .verb = "abgeben"},
        form{.action = complete, .text = "[ich] (habe|hab) <task> abgeholt", .verb = "abholen"},
        form{
            .action = complete,
            .text = "[ich] (habe|hab) <task> rausgebracht",
            .verb = "rausbringen"},
        form{complete, "(hak|hake|haken) <task> ab"},
        form{complete, "(schließ|schließe|schliesse) <task> ab"},
        form{complete, "(erledige|erledigt|beende|abgehakt) <task>"},
        form{complete, "(markier|markiere|setz|setze) <task> als (erledigt|fertig)"},
        form{complete, "<task> als (erledigt|fertig) markieren"},

        // Delete
        form{
            remove,
            "(lösche|lösch|loesche|loesch|entferne|entfern|streich|streiche|verwirf) <task>"},
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
            "(danke|vielen dank|dankeschön|danke schön|danke dir|besten "
            "dank|super|prima|toll|klasse) "
            "[danke|dir]"},
    };
}();

} // namespace postrider::agent::todo
