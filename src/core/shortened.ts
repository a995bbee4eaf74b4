/** Requests may hold megabytes; a message shows so many characters of what it was given. */
const MOST_SHOWN = 500;

/** The text as messages repeat it: cut where it is longer than anybody would read. */
export const shortened = (text: string): string => (text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`);
