/** Settings as lines `key = value`. Control characters, line breaks among them, become spaces. */
export const ini = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([key, value]) => `${key} = ${String(value).replaceAll(/\p{Cc}/gu, " ")}\n`)
    .join("");
