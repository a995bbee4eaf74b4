import type { PrintJob } from "./printer.ts";

/** Our own caution: no limit is published. */
const MAX_NAME_CHARACTERS = 60;
/** How many characters of the job's id make a name unique: the first ones do, unless a file of that name is there already. */
const ID_CHARACTERS = [8, 13, 18, 23, 36];

/**
 * The name of a job's file on a printer: of the job's own name what is a letter, a digit or one of `_ - .`, which all firmware takes, and
 * enough of its id that no file in `taken` has it. A printer cannot tell files of one name apart.
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
  return names.find((one) => !taken.has(one)) ?? names[names.length - 1];
}
