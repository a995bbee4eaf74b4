import { basename } from "node:path";
import { ELSEWHERE_FORMATS } from "./cad-elsewhere.ts";
import type { ModelFormat, ModelReader } from "./reader.ts";

/** Every model format: those that are read, and those of other programs that are refused with the way out. */
const FORMATS: readonly ModelFormat[] = [
  { extensions: ["stl"], load: async () => (await import("./stl.ts")).stlReader },
  { extensions: ["obj"], load: async () => (await import("./obj.ts")).objReader },
  { extensions: ["3mf"], load: async () => (await import("./3mf/reader.ts")).threeMfReader },
  { extensions: ["step", "stp"], load: async () => (await import("./step.ts")).stepReader },
  ...ELSEWHERE_FORMATS,
];

/** Every extension that an import may have. */
export const MODEL_EXTENSIONS: readonly string[] = FORMATS.flatMap(({ extensions }) => extensions);

/** The reader of the files with an extension as {@link extensionOf} gives it; undefined for an unknown one. */
export const readerFor = (extension: string): Promise<ModelReader> | undefined =>
  FORMATS.find(({ extensions }) => extensions.includes(extension))?.load();

/** The extension of a path, lower case, without the dot; empty where there is none. Creo's `.prt.3` is `prt`. */
export function extensionOf(file: string): string {
  const [, extension = ""] = /.\.(\w+)(?:(?<=\.(?:prt|asm))\.\d+)?$/i.exec(basename(file)) ?? [];
  return extension.toLowerCase();
}
