import { parseArgs } from "node:util";
import { excerpt, inputError } from "../core/api-error.ts";
import type { Options } from "./command-module.ts";

const OPTION = /^--[a-z]/;
const NEGATIVE = /^-[.\d]/;

/**
 * Parses the options and the other words of a command. Values may begin with a minus, as in `--rotate -90,0,0`, which `parseArgs` would
 * read as options. Throws for unknown ones.
 */
export function parseWords<const O extends Options>(argv: readonly string[], options: O) {
  const args: string[] = [];
  for (const word of argv) {
    const last = args.at(-1) ?? "";
    const isValue = NEGATIVE.test(word) && OPTION.test(last) && !last.includes("=");
    if (isValue) args[args.length - 1] = `${last}=${word}`;
    else args.push(word);
  }
  return parseArgs({ args, allowPositionals: true, options });
}

/** Parses a number of an option, such as "2", "0.05" or "2mm" with the unit; undefined where the option is missing. */
export function numberOf(option: string, text: string | undefined, unit = "mm"): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[-+.\de]+/i.exec(text)?.[0] ?? "";
  const value = number === "" ? Number.NaN : Number(number);
  if (Number.isFinite(value) && ["", unit].includes(text.slice(number.length).trim())) return value;
  throw inputError(`--${option} must be a number, not "${excerpt(text)}"`);
}

/** Parses three numbers separated by commas, as x, y and z. */
export function vectorOf(option: string, text: string): { x: number; y: number; z: number } {
  const [x, y, z, ...others] = text.split(",");
  if (x === undefined || y === undefined || z === undefined || others.length > 0)
    throw inputError(`--${option} must be three numbers as in 0,90,0, not "${excerpt(text)}"`);
  const axis = (part: string): number => numberOf(option, part)!;
  return { x: axis(x), y: axis(y), z: axis(z) };
}
