// Words of the server as people read them.

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Of a name such as `not_reached`. */
export const titleOf = (name: string): string => capital(name.replaceAll("_", " "));

/** Of what the server says of an operation; undefined where it says nothing. */
export const sentence = (text: string | null | undefined): string | undefined => (text ? capital(text) + (/[.!?]$/.test(text) ? "" : ".") : undefined);
