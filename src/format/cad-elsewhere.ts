import { fileFault } from "../core/system-error.ts";
import type { ModelFormat } from "./reader.ts";

/** A format that only its maker's own programs read. */
interface ElsewhereFormat {
  readonly extensions: readonly string[];
  readonly what: string;
  readonly wayOut: string;
}

const FORMATS: readonly ElsewhereFormat[] = [
  { extensions: ["sldprt", "sldasm"], what: "a Solidworks", wayOut: "in Solidworks, save it as STEP AP214 or 3MF" },
  { extensions: ["prt", "asm"], what: "a PTC Creo", wayOut: "in PTC Creo, save a copy as STEP" },
  { extensions: ["jt"], what: "a JT", wayOut: "in the program that wrote it, export it as STEP" },
  { extensions: ["catpart", "catproduct"], what: "a Catia V5", wayOut: "in Catia, save it as STEP" },
  { extensions: ["ipt", "iam"], what: "an Inventor", wayOut: "in Inventor, export it as STEP" },
  { extensions: ["3dm"], what: "a Rhino", wayOut: "in Rhino, export it as STEP, 3MF or STL" },
];

/** Known formats that cannot be read yet: reading ends in a fault OPERATION_FAILED that tells what to do instead. */
export const ELSEWHERE_FORMATS: readonly ModelFormat[] = FORMATS.map(({ extensions, what, wayOut }) => ({
  extensions,
  load: async () => ({
    read: async (file) => {
      throw fileFault("read", file, `it is ${what} file, which this version does not read; ${wayOut} and import that`);
    },
  }),
}));
