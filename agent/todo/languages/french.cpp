#include "agent/todo/language.hpp"

namespace postrider::agent::todo {

namespace {

using enum intent::kind;
using entry = time_words::entry;

constexpr std::array french_forms{
    // Create
    form{
        create,
        "(ajoute|ajouter|ajoutez|note|noter|notez|mets|mettre|crée|créer|inscris|ajoute moi|note "
        "moi) <title>"},
    form{
        create,
        "(ajoute|ajouter|ajoutez|mets|mettre|mettez|note|inscris|écris) <title> (à|sur|dans) "
        "[ma|la|mes|les] (liste|tâches|todo list|liste de tâches|liste de courses|liste des "
        "tâches)"},
    form{
        create,
        "(ajoute|ajouter|ajoutez|crée|créer|créez|fais) [moi] [une|la|un] [nouvelle] "
        "(tâche|rappel) [nouvelle] [appelée|intitulée|pour|de|d] <title>"},
    form{create, "(ajoute|crée) [une] [nouvelle] tâche"},
    form{create, "(nouvelle|nouveau) (tâche|rappel) <title>"},
    form{create, "nouvelle tâche"},
    form{
        create,
        "(rappelle moi|rappelez moi|fais moi penser|rappelles moi|me rappeler) (de|d|que je "
        "dois|à|qu il faut|le|la|les|l) <title>",
        list_filter::all,
        true},
    form{
        create,
        "(rappelle moi|rappelez moi) <time> (de|d|que je dois|qu il faut) <title>",
        list_filter::all,
        true},
    form{create, "(rappelle moi|rappelez moi) <title>", list_filter::all, true},
    form{create, "(n oublie pas|n oublie pas de|n oubliez pas de) <title>", list_filter::all, true},

    form{
        .action = create,
        .text = "(je dois|il faut que je|il faut|j ai besoin de) <title>",
        .verbal = true,
        .timed = true},
    // Get
    form{
        get,
        "(montre|montrez|affiche|affichez|ouvre|voir|donne) [moi] [les] [détails] [de|sur|pour] "
        "<task>"},
    form{
        get,
        "(montre|affiche|donne|voir|montrez) [moi] [les|le] (détails|détail|infos) (de|sur|pour|de "
        "la|du) <task>"},
    form{get, "(montre|affiche|ouvre|voir|montrez) [moi] [la] (tâche|numéro) <task>"},
    form{
        list,
        "(vider|vide|archiver|archive|masquer|masque|cacher|cache|trier|trie|"
        "exporter|"
        "imprimer|déplacer|filtrer) [les|la|le] [tâches] (fait|faits|faites|terminé|terminés|"
        "terminée|terminées|fini|finis|finie|finies)",
        list_filter::completed},
    form{get, "[les] (détails|détail|infos) (de|sur|pour|de la|du) <task>"},
    form{get, "(qu est ce que|c est quoi|quelle est) la (tâche|numéro) <task>"},
    // What the person is going to do, or asks for, is not done yet.
    form{
        get,
        "(je veux|je voudrais|j aimerais|je dois|il faut|puis je|je peux|est ce que je peux) "
        "(terminer|finir|compléter|clôturer) <task>"},

    // List
    form{
        list,
        "(qu est ce qu il y a|qu y a t il|quoi|il y a quoi|qu est ce que j ai) (sur|dans) [ma|la] "
        "(liste|todo list|liste de tâches|liste des tâches)"},
    form{
        list,
        "(qu ai je|qu est ce que j ai|j ai quoi|que dois je|qu est ce que je dois|que me reste t "
        "il|qu est ce qu il me reste|qu est ce qui me reste) (à faire|faire) [encore]"},
    form{list, "que dois je faire"},
    form{
        list,
        "(montre|affiche|liste|lister|voir|donne|montrez|affichez|montrer|afficher) [moi] "
        "[toutes|tout] [mes|les|ma|la] (tâches|liste|todo list|liste de tâches|liste des "
        "tâches|todos)"},
    form{list, "(montre|affiche|liste|montrez|affichez) [moi] tout"},
    form{list, "[mes|les|ma|toutes mes|toutes les] (tâches|liste|todo list|liste de tâches)"},
    form{list, "quelles sont mes tâches"},
    form{
        list,
        "(montre|affiche|liste|voir) [moi] [les|mes] tâches (en cours|ouvertes|restantes|à faire)",
        list_filter::open},
    form{list, "(qu est ce qui|que) reste [t il] [à faire]", list_filter::open},
    form{
        list,
        "(montre|affiche|liste|voir) [moi] [les|mes] tâches (terminées|faites|finies)",
        list_filter::completed},
    form{list, "(qu est ce que j ai|qu ai je) [déjà] (fait|fini|terminé)", list_filter::completed},
    form{list, "(qu est ce qui est en retard|tâches en retard)", list_filter::overdue},
    form{
        list,
        "(qu est ce que j ai|qu ai je|que dois je|qu est ce que je dois) [à] [faire] aujourd'hui",
        list_filter::today},
    form{
        list,
        "(qu est ce que j ai|qu ai je|que dois je|qu est ce que je dois) [à] [faire] demain",
        list_filter::tomorrow},
    form{list, "(cherche|chercher|trouve|recherche) [les tâches] [sur|avec] <search>"},

    // Update
    form{update, "(renomme|renommer|renommez) <task> (en|par|pour|à) <title>"},
    form{
        .action = update,
        .text =
            "(change|changer|modifie|modifier|changez) <task> (en|par|pour|à|au|pour le) <title>",
        .may_date = true},
    form{
        update,
        "(déplace|déplacer|reporte|reporter|repousse|repousser|décale|décaler) <task> (à|au|pour|"
        "pour le) <time>"},
    form{
        update, "(change|changer|modifie|modifier) le (nom|titre) de <task> (en|par|pour) <title>"},
    form{update, "(renomme|renommer) <task>"},

    // Complete
    form{
        complete,
        "(termine|terminer|terminez|finis|finir|complète|compléter|coche|cocher|terminé|fini|"
        "clôture) <task>"},
    form{.action = complete, .text = "j ai [déjà|bien] acheté <task>", .verb = "acheter"},
    form{
        .action = complete,
        .text = "j ai [déjà|bien] (appelé|téléphoné à) <task>",
        .verb = "appeler"},
    form{.action = complete, .text = "j ai [déjà|bien] payé <task>", .verb = "payer"},
    form{.action = complete, .text = "j ai [déjà|bien] envoyé <task>", .verb = "envoyer"},
    form{.action = complete, .text = "j ai [déjà|bien] (nettoyé|lavé) <task>", .verb = "nettoyer"},
    form{complete, "[j ai] (fini|terminé) (avec|de|d) <task>"},
    form{complete, "j ai (fini|terminé|fait|accompli|déjà fait|déjà fini|bien fait) <task>"},
    form{
        complete,
        "(marque|marquer|marquez|mets) <task> comme "
        "(fait|faite|terminé|terminée|fini|finie|complète)"},
    form{
        complete,
        "<task> (est|c est|sont) [déjà] (fait|faite|terminé|terminée|fini|finie|faits|terminées)"},
    form{complete, "<task> (fait|faite|terminée|terminé|finie)"},

    // Delete
    form{
        remove,
        "(supprime|supprimer|supprimez|efface|effacer|effacez|enlève|enlever|enlevez|retire|"
        "retirer|retirez|vire|jette) <task>"},
    form{
        remove,
        "(supprime|supprimer|efface|enlève|enlever|retire|retirer|raye|ôte) <task> de [ma|la] "
        "(liste|liste de tâches)"},
    form{remove, "débarrasse toi de <task>"},

    // The rest
    form{help, "(aide|aide moi|commandes)"},
    form{
        help,
        "(que peux tu faire|que sais tu faire|qu est ce que tu peux faire|tu peux faire quoi)"},
    form{help, "comment ça marche"},
    form{greeting, "(bonjour|salut|bonsoir|coucou|ça va)"},
    form{thanks, "(merci|merci beaucoup|super|parfait|génial) [merci|beaucoup]"},
};

constexpr std::array french_numbers{
    entry{"zéro", 0},
    entry{"un|une", 1},
    entry{"deux", 2},
    entry{"trois", 3},
    entry{"quatre", 4},
    entry{"cinq", 5},
    entry{"six", 6},
    entry{"sept", 7},
    entry{"huit", 8},
    entry{"neuf", 9},
    entry{"dix", 10},
    entry{"onze", 11},
    entry{"douze", 12},
    entry{"vingt", 20},
};

constexpr std::array french_ordinals{
    entry{"première|premier|1ère|1er|1re", 1},
    entry{"deuxième|second|seconde|2e|2ème", 2},
    entry{"troisième|3e|3ème", 3},
    entry{"quatrième|4e|4ème", 4},
    entry{"cinquième|5e|5ème", 5},
    entry{"sixième", 6},
    entry{"septième", 7},
    entry{"huitième", 8},
    entry{"neuvième", 9},
    entry{"dixième", 10},
    entry{"dernière|dernier", -1},
    entry{"avant dernière|avant dernier", -2},
};

constexpr std::array french_priorities{
    entry{
        "haute priorité|priorité haute|en priorité haute|avec priorité haute|urgent|urgente|très "
        "important",
        2},
    entry{"priorité normale|priorité moyenne", 1},
    entry{"basse priorité|priorité basse|faible priorité", 0},
};

constexpr std::array french_days{
    entry{"hier", -1},
    entry{"aujourd'hui", 0},
    entry{"demain", 1},
    entry{"après demain", 2},
};

constexpr std::array french_parts{
    entry{"matin|du matin|au matin|le matin", 9 * 60},
    entry{"ce matin", 9 * 60 + is_of_today},
    entry{"midi|à midi", 12 * 60},
    entry{"après midi|de l après midi|l après midi", 15 * 60},
    entry{"cet après midi", 15 * 60 + is_of_today},
    entry{"soir|du soir|au soir|le soir", 19 * 60},
    entry{"minuit|à minuit", 24 * 60 + stands_alone},
    entry{"ce soir", 19 * 60 + is_of_today},
};

constexpr std::array french_clock{
    entry{"et demie|et demi|heures et demie|heure et demie", 30},
    entry{"et quart|heures et quart|heure et quart", 15},
    entry{"moins le quart|heures moins le quart|heure moins le quart", -15},
};

constexpr std::array french_units{
    entry{"minute|minutes|min", 1},
    entry{"heure|heures|h", 60},
    entry{"jour|jours", 1440},
    entry{"semaine|semaines", 7 * 1440},
    entry{"mois", -1},
    entry{"an|ans|année|années", -12},
};

} // namespace

extern constinit language const french{
    .code = "fr",
    .forms = french_forms,
    .openings = "s'il te plaît|s'il vous "
                "plaît|stp|svp|bonjour|salut|ok|alors|et|puis|ensuite|maintenant|aussi|"
                "je veux|je voudrais|j'aimerais|il faut",
    .corrections = "non|non non|pas ça",
    .requests = "peux tu|pourrais tu|peux tu me|pourrais tu me|tu peux|tu pourrais|pouvez "
                "vous|pourriez vous|"
                "est ce que tu peux|est ce que tu pourrais|peux tu s'il te plaît",
    .closings = "s'il te plaît|s'il vous plaît|stp|svp",
    .afterthoughts = "merci|merci beaucoup|ok|🙏|👍|🙂|😊",
    .confirmations =
        "oui|oui s'il te plaît|je suis sûr|je suis sûre|oui je suis sûr|oui je suis sûre|je "
        "confirme|"
        "confirmé|oui je confirme|sans demander|sans confirmation|ne demande pas|vas y|oui vas y",
    .conjunctions = "et|puis|et puis|ensuite|et ensuite|et aussi|aussi",
    .neighbours = "supprimé|supprimée|supprimes|effacé|effacée|renommé|renommée|ajouté|ajoutée|"
                  "ajoutes|enlevé|retiré|"
                  "montré|affiché|marqué|terminera|acheter|appeler|payer|faire|lait|pain|jamais|"
                  "rien|quand|peut|être|"
                  "porter|noté|notes|change|chante|mange|manger",
    .doubts = "pas|ne|n|jamais|rien|si|quand|lorsque|peut être|devrais|dois "
              "je|devrait|attends|arrête|dit|disait|"
              "presque|mais|au lieu|avant de|après avoir|aurait|aurais",
    .past = "hier|avant hier|la semaine dernière|le mois dernier|il y a|auparavant|demain|plus "
            "tard|bientôt",
    .provisos = "s'il n'y est pas|s'il n'y est pas déjà|si elle n'y est pas|si elle n'y est pas "
                "déjà|si ça n'y est pas|si ce n'est pas sur la liste|si ce n'est pas déjà sur la "
                "liste|si pas déjà là|s'il n'est pas déjà là",
    .retractions = "je veux dire|je voulais dire|enfin non|mais pas|mais sans|seulement si|non "
                   "attends|attends non|laisse tomber|oublie|je plaisante|ou pas|finalement "
                   "non|en fait non",
    .numbers = french_numbers,
    .ordinals = french_ordinals,
    .number_marks = "numéro|n|no|id|le numéro|la numéro",
    .pronouns = "le|la|ça|cela|ceci|celle là|celui là|celle ci|celui ci|cette tâche|la même|c",
    .everything = "tout|toutes|tous|toutes les tâches|toutes mes tâches|tâches|mes tâches|les "
                  "tâches|toute la liste|"
                  "ma liste|la liste|les deux|quelque chose",
    .exceptions = "sauf|excepté|à part|hormis|à l'exception de",
    .ranges = "à",
    .articles = "la|le|les|l|ma|mon|mes|une|un|cette|ce|du|de la",
    .nouns = "tâche|tâches|élément|point|de la liste|de ma liste|sur la liste|appelée|déjà",
    .plurals = "tâches|todos|rappels|choses",
    .no_titles = "que|de|d|à|ça|cela|rien|tout|quoi|comment|quand|où|qui|ne|pas|et|ou|en|pour|avec",
    .priorities = french_priorities,
    .times =
        {
            .weekdays =
                {"lundi",
                 "mardi",
                 "mercredi",
                 "jeudi",
                 "vendredi",
                 "samedi|week end|weekend",
                 "dimanche"},
            .months =
                {"janvier|janv|jan",
                 "février|févr|fév",
                 "mars",
                 "avril|avr",
                 "mai",
                 "juin",
                 "juillet|juil",
                 "août",
                 "septembre|sept",
                 "octobre|oct",
                 "novembre|nov",
                 "décembre|déc"},
            .days = french_days,
            .parts = french_parts,
            .units = french_units,
            .seconds = "seconde|secondes|sec",
            .next = "prochain|prochaine|ce|cette|suivant",
            .within = "dans|d ici",
            .at = "à|vers",
            .on = "pour le|pour|avant le|avant|d ici|jusqu'au|au",
            .inside = "le|la|de|du",
            .day_leads = "le|pour le|avant le|jusqu'au|d ici le",
            .numbered = "version|chapitre|verset|psaume|salle|chambre|porte|vol|page|pages|python|"
                        "modèle|question|bogue|bug|numéro|ligne|étape|section|saison|épisode|"
                        "taille|quai|bus|étage|table|partie",
            .topics = "depuis|depuis le|sur|de|du|dernier|dernière|à propos de",
            .turns = "après|après le|entre|ou|pas|début|fin|mi|courant|à partir de|à partir du",
            .behind = "prochain|prochaine|qui vient",
            .hours = "heures|heure|h|pile",
            .before_noon = "am",
            .after_noon = "pm",
            .half = "une demi|demi|demie",
            .clock_behind = french_clock,
            .recurring = "chaque|tous les|toutes les|quotidien|hebdomadaire|mensuel",
        },
    .titles_begin_with_verb = true,
};

} // namespace postrider::agent::todo
