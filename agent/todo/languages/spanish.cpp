#include "agent/todo/language.hpp"

namespace postrider::agent::todo {

namespace {

using enum intent::kind;
using entry = time_words::entry;

constexpr std::array spanish_forms{
    // Create
    form{
        create,
        "(añade|añadir|agrega|agregar|anota|anotar|apunta|apuntar|pon|crea|crear|mete|añádeme|"
        "agrégame|anótame|apúntame|ponme) <title>"},
    form{
        create,
        "(añade|añadir|agrega|agregar|anota|apunta|pon|mete|poner|escribe) <title> (a|en) [mi|la] "
        "[lista] (lista|tareas|pendientes|lista de tareas|lista de la compra|lista de pendientes)"},
    form{
        create,
        "(añade|añadir|agrega|agregar|crea|crear|haz|anota|apunta|pon) [me] [una|la|un] "
        "[nueva|nuevo] (tarea|pendiente|recordatorio) [nueva] [llamada|que diga|de|para|titulada] "
        "<title>"},
    form{create, "(añade|agrega|crea) [una|un] [nueva] (tarea|pendiente)"},
    form{create, "(nueva|nuevo) (tarea|pendiente|recordatorio) <title>"},
    form{create, "(nueva|nuevo) (tarea|pendiente)"},
    form{
        create,
        "(recuérdame|recuerdame|acuérdame|hazme acordar de) [que tengo que|que debo|de|que] "
        "<title>",
        list_filter::all,
        true},
    form{
        create,
        "(recuérdame|acuérdame) <time> [que tengo que|de|que] <title>",
        list_filter::all,
        true},
    form{create, "recordarme [que tengo que|que debo|de|que] <title>", list_filter::all, true},
    form{
        create,
        "(no olvides|no te olvides de|que no se me olvide|no dejes que olvide) <title>",
        list_filter::all,
        true},

    form{
        .action = create,
        .text = "(tengo que|debo|necesito|hay que) <title>",
        .verbal = true,
        .timed = true},
    // Get
    form{
        get,
        "(muestra|muéstrame|enseña|enséñame|dame|ver|ve|abre|mostrar) [los] [detalles] [de|sobre] "
        "<task>"},
    form{
        get,
        "(muestra|muéstrame|dame|ver|enséñame) [los] (detalles|información|info) (de|sobre|de "
        "la|del) <task>"},
    form{
        get,
        "(muestra|muéstrame|ver|enséñame|abre|mostrar) [la|el] (tarea|pendiente|número) <task>"},
    form{
        list,
        "(vaciar|vacía|archivar|archiva|ocultar|oculta|ordenar|ordena|contar|cuenta|exportar|"
        "imprimir|"
        "mover|filtrar) [las|los] [tareas] (hecho|hechas|hechos|terminado|terminadas|terminados|"
        "completado|completadas|completados)",
        list_filter::completed},
    form{get, "[los] (detalles|información|info) (de|sobre|de la|del) <task>"},
    form{get, "(qué es|cuál es|qué dice) la (tarea|número) <task>"},
    // What the person is going to do, or asks for, is not done yet.
    form{
        get,
        "(quiero|quisiera|me gustaría|necesito|tengo que|debo|puedo|hay que) "
        "(terminar|completar|finalizar|cerrar|acabar) <task>"},

    // List
    form{
        list,
        "(qué hay|qué tengo|qué está|qué queda) [pendiente] en [mi|la] (lista|lista de "
        "tareas|lista de pendientes)"},
    form{
        list,
        "qué (tengo que hacer|debo hacer|tengo pendiente|tengo|hay que hacer|me falta|me "
        "queda|tareas tengo|hay pendiente) [por hacer]"},
    form{
        list,
        "(muestra|muéstrame|enséñame|lista|listar|ver|dame|mostrar|dime) [todas|todo] "
        "[mis|las|mi|la] (tareas|lista|pendientes|todo|lista de tareas|lista de pendientes)"},
    form{list, "(muestra|muéstrame|enséñame|lista|listar|ver|mostrar) todo"},
    form{list, "[mis|las|mi|todas mis|todas las] (tareas|pendientes|lista|lista de tareas)"},
    form{list, "(cuáles son|cuales son) mis (tareas|pendientes)"},
    form{
        list,
        "(muestra|muéstrame|lista|ver) [las|mis] (tareas pendientes|pendientes|tareas abiertas)",
        list_filter::open},
    form{list, "qué (me queda|falta|queda) por hacer", list_filter::open},
    form{
        list,
        "(muestra|muéstrame|lista|ver) [las|mis] tareas (completadas|hechas|terminadas)",
        list_filter::completed},
    form{list, "qué (he hecho|he terminado|he completado|hice)", list_filter::completed},
    form{list, "qué (está atrasado|tareas están atrasadas|está vencido)", list_filter::overdue},
    form{list, "qué (tengo|tengo que hacer|hay) [para] hoy", list_filter::today},
    form{list, "qué (tengo|tengo que hacer|hay) [para] mañana", list_filter::tomorrow},
    form{list, "(busca|buscar|encuentra) [tareas] [sobre|con] <search>"},

    form{
        list, "qué tareas (tengo pendientes|me quedan|están pendientes|quedan)", list_filter::open},
    // Update
    form{update, "(renombra|renombrar) <task> (a|por|como|en) <title>"},
    form{
        .action = update,
        .text = "(cambia|cambiar|modifica|actualiza|edita) <task> (a|al|por|como|en|para|para el) "
                "<title>",
        .may_date = true},
    form{
        update,
        "(mueve|mover|pospón|pospon|posponer|aplaza|aplazar|pasa|cambia) <task> (a|al|para|para "
        "el|hasta|hasta el) <time>"},
    form{
        update,
        "(cambia|cambiar|modifica|actualiza) [el] (nombre|título|titulo) de <task> (a|por) "
        "<title>"},
    form{update, "(cambia|cambiar) [el] nombre (a|de la) <task> (a|por) <title>"},
    form{update, "(renombra|renombrar) <task>"},

    // Complete
    form{
        complete,
        "(termina|terminar|completa|completar|finaliza|finalizar|terminé|completé|acabé|hecho|"
        "hecha|listo|lista|terminado|terminada|completada|completado|cierra|tacha) <task>"},
    form{
        complete,
        "(terminé|acabé|he terminado|he acabado|listo|ya terminé|ya acabé|he terminado ya) "
        "[con|de] <task>"},
    form{.action = complete, .text = "[ya] (compré|he comprado) <task>", .verb = "comprar"},
    form{.action = complete, .text = "[ya] (llamé a|he llamado a) <task>", .verb = "llamar a"},
    form{.action = complete, .text = "[ya] (pagué|he pagado) <task>", .verb = "pagar"},
    form{.action = complete, .text = "[ya] (envié|mandé|he enviado) <task>", .verb = "enviar"},
    form{.action = complete, .text = "[ya] (limpié|he limpiado) <task>", .verb = "limpiar"},
    form{complete, "[ya] (hice|he hecho|he terminado|he completado|terminé|completé|acabé) <task>"},
    form{
        complete,
        "(marca|marcar|pon|poner) <task> como "
        "(hecha|hecho|hechas|hechos|terminadas|completadas|completada|completado|terminada|"
        "terminado|lista|listo)"},
    form{
        complete,
        "<task> [ya] (está|esta|están|estan) "
        "(hecha|hecho|hechas|terminada|terminado|lista|listo|completada|completado)"},
    form{complete, "<task> (hecha|hecho|terminada|terminado|completada|completado)"},

    // Delete
    form{
        remove,
        "(borra|borrar|elimina|eliminar|quita|quitar|suprime|bórrame|elimíname|quítame|descarta) "
        "<task>"},
    form{
        remove,
        "(borra|borrar|elimina|eliminar|quita|quitar|saca|tacha) <task> de [mi|la] (lista|lista de "
        "tareas)"},
    form{remove, "(bórralo|bórrala|elimínalo|elimínala|quítalo|quítala)"},
    form{remove, "deshazte de <task>"},

    // The rest
    form{help, "(ayuda|ayúdame|comandos)"},
    form{help, "qué (puedes hacer|sabes hacer|puedo hacer)"},
    form{help, "cómo funciona [esto]"},
    form{greeting, "(hola|buenos días|buenas tardes|buenas noches|buenas|qué tal)"},
    form{thanks, "(gracias|muchas gracias|mil gracias|perfecto|genial) [gracias]"},
};

constexpr std::array spanish_numbers{
    entry{"cero", 0},
    entry{"uno|una|un", 1},
    entry{"dos", 2},
    entry{"tres", 3},
    entry{"cuatro", 4},
    entry{"cinco", 5},
    entry{"seis", 6},
    entry{"siete", 7},
    entry{"ocho", 8},
    entry{"nueve", 9},
    entry{"diez", 10},
    entry{"once", 11},
    entry{"doce", 12},
    entry{"veinte", 20},
};

constexpr std::array spanish_ordinals{
    entry{"primera|primero|primer", 1},
    entry{"segunda|segundo", 2},
    entry{"tercera|tercero|tercer", 3},
    entry{"cuarta|cuarto", 4},
    entry{"quinta|quinto", 5},
    entry{"sexta|sexto", 6},
    entry{"séptima|séptimo", 7},
    entry{"octava|octavo", 8},
    entry{"novena|noveno", 9},
    entry{"décima|décimo", 10},
    entry{"última|último", -1},
    entry{"penúltima|penúltimo", -2},
};

constexpr std::array spanish_priorities{
    entry{
        "alta prioridad|prioridad alta|con prioridad alta|con alta prioridad|urgente|muy "
        "importante",
        2},
    entry{"prioridad normal|prioridad media|con prioridad normal", 1},
    entry{"baja prioridad|prioridad baja|con prioridad baja", 0},
};

constexpr std::array spanish_days{
    entry{"ayer", -1},
    entry{"hoy", 0},
    entry{"mañana", 1},
    entry{"pasado mañana", 2},
};

constexpr std::array spanish_parts{
    entry{"por la mañana|de la mañana|en la mañana", 9 * 60},
    entry{"mediodía|al mediodía|a mediodía", 12 * 60},
    entry{"por la tarde|de la tarde|en la tarde|tarde", 16 * 60},
    entry{"medianoche|a medianoche", 24 * 60 + stands_alone},
    entry{"esta tarde", 16 * 60 + is_of_today},
    entry{"por la noche|de la noche|en la noche|noche", 20 * 60},
    entry{"esta noche", 20 * 60 + is_of_today},
};

constexpr std::array spanish_clock{
    entry{"y media", 30},
    entry{"y cuarto", 15},
    entry{"menos cuarto", -15},
};

constexpr std::array spanish_units{
    entry{"minuto|minutos|min", 1},
    entry{"hora|horas", 60},
    entry{"día|días", 1440},
    entry{"semana|semanas", 7 * 1440},
    entry{"mes|meses", -1},
    entry{"año|años", -12},
};

} // namespace

extern constinit language const spanish{
    .code = "es",
    .forms = spanish_forms,
    .openings =
        "por "
        "favor|porfa|hola|oye|ok|vale|bueno|y|ahora|luego|después|entonces|también|quiero|quisiera|"
        "me gustaría|necesito|buenos días",
    .corrections = "no|no no|eso no",
    .requests = "puedes|podrías|podrias|puede|podría|me puedes|me podrías|puedes por favor|podrías "
                "por favor",
    .closings = "por favor|porfa|porfavor",
    .afterthoughts = "gracias|muchas gracias|ok|vale|🙏|👍|🙂|😊",
    .confirmations =
        "sí|sí por favor|estoy seguro|estoy segura|sí estoy seguro|sí estoy "
        "segura|confirmo|confirmado|"
        "sin preguntar|no preguntes|seguro|sí seguro|sí confirmo|sin confirmación|de verdad",
    .conjunctions = "y|y luego|luego|y después|después|también|y también|además|e",
    .neighbours = "borró|borré|borras|borro|borrado|borraste|eliminé|eliminó|eliminado|elimino|"
                  "quité|quitó|quito|renombré|renombró|"
                  "añadí|añadió|agregué|agregó|cambié|cambió|cambio|termino|terminó|completo|"
                  "completó|muestro|mostró|"
                  "compra|comprar|leche|llama|llamar|lavar|nada|nunca|quizás|quizá|cuando|hacer|"
                  "hace|pones|puse|poner|creo|cree",
    .doubts = "digo|no|nunca|nada|si|cuando|quizás|quizá|tal "
              "vez|debería|debo|espera|para|dijo|dice|dijiste|"
              "casi|aunque|pero|hubiera|habría|en vez|antes de|después de",
    .past = "ayer|anteayer|la semana pasada|el mes pasado|hace|antes|mañana|luego",
    .provisos = "si no está|si no está ya|si aún no está|si todavía no está|si no está en la "
                "lista|si no está ya en la lista",
    .retractions = "quiero decir|quería decir|mejor dicho|pero no|pero sin|solo si|no espera|mejor "
                   "no|olvídalo|es broma|era broma|no importa|o no|no mejor no|espera no",
    .numbers = spanish_numbers,
    .ordinals = spanish_ordinals,
    .number_marks = "número|numero|n|núm|id",
    .pronouns = "eso|esto|ese|esa|este|esta|lo|la|aquello|esa tarea|esta tarea|ese mismo|esa "
                "misma|el mismo",
    .everything = "todo|todas|todos|todas las tareas|todas mis tareas|tareas|mis tareas|las "
                  "tareas|toda la lista|"
                  "mi lista|la lista|ambas|ambos|algo",
    .exceptions = "excepto|salvo|menos|a excepción de|fuera de",
    .articles = "la|el|los|las|mi|mis|una|un|lo de|lo del|lo de la|de la|del",
    .nouns = "tarea|tareas|pendiente|pendientes|punto|elemento|de la lista|de mi lista|en la "
             "lista|llamada|ya",
    .plurals = "tareas|pendientes|recordatorios|cosas",
    .no_titles = "que|a|de|eso|esto|lo|algo|nada|todo|qué|cómo|cuándo|dónde|no|y|o|en|para|con",
    .priorities = spanish_priorities,
    .times =
        {
            .weekdays =
                {"lunes",
                 "martes",
                 "miércoles",
                 "jueves",
                 "viernes",
                 "sábado|fin de semana",
                 "domingo"},
            .months =
                {"enero|ene",
                 "febrero|feb",
                 "marzo",
                 "abril",
                 "mayo",
                 "junio",
                 "julio",
                 "agosto|ago",
                 "septiembre|setiembre|sept|sep",
                 "octubre|oct",
                 "noviembre|nov",
                 "diciembre|dic"},
            .days = spanish_days,
            .parts = spanish_parts,
            .units = spanish_units,
            .seconds = "segundo|segundos|seg",
            .next = "próximo|próxima|siguiente|este|esta|que viene",
            .within = "en|dentro de",
            .at = "a las|a la|sobre las",
            .on = "para el|para|antes del|hasta el|hasta|antes de",
            .inside = "el|la|los|de|del",
            .day_leads = "el|para el|antes del|hasta el",
            .day_marks = "día",
            .numbered = "versión|capítulo|versículo|salmo|sala|habitación|puerta|vuelo|página|"
                        "páginas|python|modelo|pregunta|error|número|núm|línea|paso|sección|"
                        "temporada|episodio|talla|andén|autobús|piso|mesa|parte|calle",
            .topics = "desde|sobre|de|del|pasado|pasada|acerca de",
            .turns = "después|después del|después de|entre|o|no|principios de|finales de|mediados "
                     "de|fin de|último|última|a partir del",
            .behind = "que viene",
            .hours = "horas|h|en punto",
            .before_noon = "am|a m",
            .after_noon = "pm|p m",
            .half = "media",
            .clock_behind = spanish_clock,
            .recurring =
                "cada|todos los días|todos los|todas las|diariamente|semanalmente|mensualmente",
        },
    .titles_begin_with_verb = true,
};

} // namespace postrider::agent::todo
