const MAX_NAME_LENGTH = 60;

/** The name, reduced to characters that are valid in file names on every system; `job` if none are left. */
export const plainName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, "_")
    .replace(/^[_.]+/, "")
    .slice(0, MAX_NAME_LENGTH) || "job";
