import { USAGE } from "../src/arguments.ts";
import { describedCommands } from "../src/command/commands.ts";
import { HEADLINE, type Release } from "./release.ts";

/** A manual page in the macros of man(7), of which `file` is the name. */
export interface ManPage {
  readonly file: string;
  readonly text: string;
}

/** The manual pages of the program and of each command, made from the texts of `--help`. */
export async function manPages(release: Release): Promise<ManPage[]> {
  const commands = await describedCommands();
  const names = commands.map(({ name }) => `printwright-${name}`);
  return [
    pageOf("printwright", HEADLINE.replace("P", "p"), USAGE, names, release),
    ...commands.map(({ name, summary, usage }) =>
      pageOf(`printwright-${name}`, summary, usage, ["printwright"], release),
    ),
  ];
}

function pageOf(
  name: string,
  summary: string,
  usage: string,
  others: readonly string[],
  { version, date }: Release,
): ManPage {
  const [synopsis = "", ...paragraphs] = usage.trim().split(/\n{2,}/);
  const lines = [
    `.TH ${name.toUpperCase()} 1 ${date.toISOString().slice(0, 10)} "Printwright ${version}" "User Commands"`,
    ".SH NAME",
    `${escaped(name)} \\- ${escaped(summary.replace(/\.$/, ""))}`,
    ".SH SYNOPSIS",
    ...asTyped(synopsis.replace(/^Usage: /, "").replaceAll("\n       ", "\n")),
    ".SH DESCRIPTION",
    ...paragraphs.flatMap(paragraphOf),
    ".SH SEE ALSO",
    others.map((other) => `.BR ${escaped(other)} (1)`).join(",\n"),
  ];
  return { file: `${name}.1`, text: `${lines.join("\n")}\n` };
}

const OPTION = /^ {2}(-\S.*?)(?: {2,}(.*))?$/;
const CONTINUED = /^ {8,}(\S.*)$/;

/** Options become tagged paragraphs, other indented lines stay as they are, and the rest is filled. */
function paragraphOf(paragraph: string): string[] {
  const out = [".PP"];
  for (const line of paragraph.split("\n")) {
    const option = OPTION.exec(line);
    const continued = out.length > 1 ? CONTINUED.exec(line) : null;
    if (option) out.push(".TP", `.B ${escaped(option[1] ?? "")}`, ...(option[2] ? [escaped(option[2])] : []));
    else if (continued && out.includes(".TP")) {
      const text = escaped(continued[1] ?? "");
      // A row of a table.
      out.push(...(text.includes("  ") ? [".br", text, ".br"] : [text]));
    } else if (line.startsWith(" ")) out.push(...asTyped(line.trimStart()));
    else out.push(escaped(line));
  }
  return out;
}

/** Lines of which each stays a line. */
const asTyped = (text: string): string[] => [".nf", ...text.split("\n").map(escaped), ".fi"];

/** Backslashes, hyphens that can be searched and copied, and lines that begin as a macro would. */
const escaped = (text: string): string =>
  text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^[.']/, "\\&$&").replaceAll('"', "\\(dq");
