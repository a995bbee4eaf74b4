import type { PrintJob } from "./printer.ts";
import { must } from "../core/must.ts";

/** Our choice: no limit is published. */
const MAX_NAME_CHARACTERS = 60;
/** Numbers of characters of the job's id that are tried: the shortest is used unless a file with that name exists already. */
const ID_CHARACTERS = [8, 13, 18, 23, 36];

/**
 * The name of a job's file on a printer: those characters of the job's name that all firmware accepts (letters, digits and `_ - .`), and as
 * much of its id as makes the name differ from those in `taken`. A printer cannot distinguish files of one name.
 */
export function jobNameOnPrinter({ name, id, extension }: PrintJob, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\w.-]+/g, "_")
    .replace(/^[._-]+|[._-]+$/g, "");
  const nameWith = (characters: number): string => {
    const end = `-${id.slice(0, characters)}${extension.toLowerCase()}`;
    return `${plain.slice(0, MAX_NAME_CHARACTERS - end.length) || "job"}${end}`;
  };
  const names = ID_CHARACTERS.map(nameWith);
  return names.find((one) => !taken.has(one)) ?? must(names.at(-1), "the longest name");
}
