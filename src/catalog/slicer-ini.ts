import type { ErrorFactory } from "../core/api-error.ts";

/** A value of an `.ini` file, and the line of its key, 1-based. */
export interface IniValue {
  readonly text: string;
  readonly line: number;
}

/** A section of an `.ini` file: `[kind:name]`. The values before the first section are one without kind and name. */
export interface IniSection {
  readonly kind: string;
  readonly name: string;
  readonly line: number;
  readonly values: ReadonlyMap<string, IniValue>;
}

/** A config has some hundred lines, a bundle of a vendor some ten thousand. */
const MAX_LINES = 1_000_000;

/**
 * Parses the configs and config bundles of PrusaSlicer: `key = value` lines in sections, comments with # or ;. A value in quotes may have
 * line breaks, and escapes as in C. Throws the error of `refuse`, with the line, for other lines and for keys with two values.
 */
export function parseSlicerIni(text: string, refuse: ErrorFactory): IniSection[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/, MAX_LINES);
  let values = new Map<string, IniValue>();
  const sections: IniSection[] = [{ kind: "", name: "", line: 1, values }];
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1;
    const content = (lines[at] ?? "").trim();
    if (content === "" || /^[#;]/.test(content)) continue;
    const [, head] = /^\[(.*)\]$/.exec(content) ?? [];
    if (head !== undefined) {
      const [kind = "", ...name] = head.split(":");
      values = new Map();
      sections.push({ kind: kind.trim(), name: name.join(":").trim(), line, values });
      continue;
    }
    const [, key, first] = /^([\w.:-]+)\s*=\s*(.*)$/.exec(content) ?? [];
    if (key === undefined || first === undefined)
      throw refuse(`line ${line}: neither a [section] nor a line with a key, = and a value`);
    const raw = first.startsWith('"') ? quotedLines(lines, at, first) : [first];
    if (!raw) throw refuse(`line ${line}: the quotes of ${key} are not closed`);
    at += raw.length - 1;
    const old = values.get(key);
    const value = { text: unquoted(raw.join("\n")), line };
    if (old && old.text !== value.text)
      throw refuse(`line ${line}: ${key} has another value than in line ${old.line}: remove one of them`);
    values.set(key, value);
  }
  return sections;
}

/** The lines of a value that begins with a quote, up to the one that closes it; undefined if none does. */
function quotedLines(lines: readonly string[], at: number, first: string): string[] | undefined {
  if (endsQuotes(first.slice(1))) return [first];
  const end = lines.findIndex((line, i) => i > at && endsQuotes(line));
  return end < 0 ? undefined : [first, ...lines.slice(at + 1, end + 1)];
}

/** Whether a line ends quotes that were open before it. PrusaSlicer writes quotes within a text without escapes. */
const endsQuotes = (line: string): boolean =>
  line.trimEnd().endsWith('"') || (line.match(/\\.|"/gs)?.filter((one) => one === '"').length ?? 0) % 2 === 1;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** The text of a value in quotes, else the value, without escapes. */
function unquoted(value: string): string {
  const [, inside] = /^"(.*)"$/s.exec(value) ?? [];
  return (inside ?? value).replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}

/** Depth to which sections inherit; bundles of vendors have about five. */
const MAX_DEPTH = 50;

/**
 * The values of a section with those that it inherits: `inherits` names sections of its kind, separated by semicolons, of which later ones
 * count more. Throws the error of `refuse`, with the line, for a section that is missing and for circles.
 */
export function inheritedValues(
  section: IniSection,
  all: ReadonlyMap<string, IniSection>,
  refuse: ErrorFactory,
  depth = 0,
): ReadonlyMap<string, IniValue> {
  const { text = "", line = section.line } = section.values.get("inherits") ?? {};
  if (depth > MAX_DEPTH) throw refuse(`line ${line}: [${section.kind}:${section.name}] inherits from itself`);
  const parents = text
    .split(";")
    .map((name) => name.trim().replace(/^"(.*)"$/, "$1"))
    .filter((name) => name !== "");
  const inherited = parents.flatMap((name) => {
    const parent = all.get(name);
    if (!parent) throw refuse(`line ${line}: there is no section [${section.kind}:${name}] to inherit from`);
    return [...inheritedValues(parent, all, refuse, depth + 1)];
  });
  return new Map([...inherited, ...section.values]);
}
