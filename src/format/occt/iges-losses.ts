import { Buffer } from "node:buffer";
import { countSentence } from "../message-names.ts";
import type { CadCheck } from "./cad-parts.ts";
import { DATA_COLUMNS, PARAMETER_COLUMNS } from "./iges-columns.ts";

const FIELD_COLUMNS = 8;

/** Surfaces that count as a face unless another entity uses them (IGES 5.3, table 3). */
const SURFACES: ReadonlySet<number> = new Set([114, 118, 120, 122, 128, 140, 143, 144]);
const [SOLID, SHELL] = [186, 514];
/** Solids without faces. OpenCASCADE makes no shapes of them. */
const OTHER_SOLIDS: Readonly<Record<number, string>> = {
  150: "block",
  152: "wedge",
  154: "cylinder",
  156: "cone",
  158: "sphere",
  160: "torus",
  162: "solid of revolution",
  164: "solid of linear extrusion",
  168: "ellipsoid",
  180: "boolean tree",
};

/** An entity of the directory. */
interface Entity {
  readonly type: number;
  /** The entity is independent of others, visible, and geometry (IGES 5.3, 2.2.4.4.9). */
  readonly isFree: boolean;
  /** Number of the first line of its parameters, 1-based, and their number of lines. */
  readonly from: number;
  readonly lines: number;
}

/** Checks an IGES file in fixed-length ASCII lines: by the line counts in its last line, and by the faces and solids of its directory. */
export function checkIges(bytes: Uint8Array): CadCheck {
  const sections = sectionsOf(bytes);
  const entities = entitiesOf(sections.D);
  const free = entities.filter(({ isFree }) => isFree);
  const faces = free.reduce((sum, entity) => sum + facesOf(entity, entities, sections.P), 0);
  const others = free.flatMap(({ type }) => OTHER_SOLIDS[type] ?? []);
  return {
    damage: damageOf(sections),
    lossesIn(meshes) {
      const made = meshes.reduce((sum, { brep_faces: some }) => sum + some.length, 0);
      const losses = [
        ...countSentence(`Faces that the file places and the model lacks, of ${faces}`, Math.max(0, faces - made)),
        ...countSentence("Solids of kinds that are not read, which the model lacks", others.length, others),
      ];
      return { losses: losses.length === 0 ? [] : [...losses, WAY_OUT], warnings: [] };
    },
  };
}

const WAY_OUT = "Export the model as STEP AP214 or AP242.";

type Sections = Readonly<Record<"S" | "G" | "D" | "P" | "T", readonly string[]>>;

/** The data columns of the lines of each section. */
function sectionsOf({ buffer, byteOffset, byteLength }: Uint8Array): Sections {
  const sections: Record<string, string[]> = { S: [], G: [], D: [], P: [], T: [] };
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\n", at);
    const line = bytes.toString("latin1", at, Math.min(end < 0 ? bytes.length : end, at + DATA_COLUMNS + 1));
    sections[line[DATA_COLUMNS]]?.push(line.slice(0, DATA_COLUMNS));
    at = end < 0 ? bytes.length : end + 1;
  }
  return sections as unknown as Sections;
}

/** The sections whose number of lines differs from the count in the last line of the file. */
function damageOf(sections: Sections): string | undefined {
  const [end = ""] = sections.T;
  const wrong = [...end.matchAll(/([SGDP]) *(\d+)/g)].flatMap(([, letter, count]) => {
    const found = sections[letter as keyof Sections].length;
    return found === Number(count) ? [] : [`${found} lines in section ${letter} in place of ${count}`];
  });
  if (wrong.length === 0) return undefined;
  return `The IGES file is damaged: it has ${wrong.join(", ")}. Take another copy of it, or export the model again.`;
}

/** Each entity has two lines of nine fields. */
function entitiesOf(directory: readonly string[]): Entity[] {
  const field = (line: string, k: number): string => line.slice(FIELD_COLUMNS * k, FIELD_COLUMNS * (k + 1));
  return Array.from({ length: directory.length >> 1 }, (_, i) => {
    const [first, second] = [directory[2 * i], directory[2 * i + 1]];
    const status = field(first, 8).padStart(FIELD_COLUMNS).replaceAll(" ", "0");
    return {
      type: Number(field(first, 0)),
      // Digits of the status: blank status, subordinate entity switch, use.
      isFree: status.startsWith("00") && !/^..(?:01|03)/.test(status) && status.slice(4, 6) === "00",
      from: Number(field(first, 1)),
      lines: Number(field(second, 3)),
    };
  });
}

/** Least number of faces of an entity. */
function facesOf(entity: Entity, entities: readonly Entity[], parameters: readonly string[]): number {
  if (SURFACES.has(entity.type)) return 1;
  if (entity.type !== SOLID && entity.type !== SHELL) return 0;
  const values = valuesOf(entity, parameters);
  if (entity.type === SHELL) return values[1] ?? 0;
  // The parameters: the outer shell, its sense, the number of voids, then each void with its sense.
  const shells = [values[1], ...Array.from({ length: values[3] ?? 0 }, (_, k) => values[4 + 2 * k])];
  return shells.reduce((sum, pointer) => {
    const shell = entities[((pointer ?? 0) - 1) / 2];
    return shell?.type === SHELL ? sum + (valuesOf(shell, parameters)[1] ?? 0) : sum;
  }, 0);
}

/** The integer parameters of a solid or shell, from its type on; text after the semicolon is a comment. */
function valuesOf({ from, lines }: Entity, parameters: readonly string[]): number[] {
  const text = parameters.slice(from - 1, from - 1 + lines).map((line) => line.slice(0, PARAMETER_COLUMNS));
  return Array.from(
    text
      .join("")
      .match(/^[^;]*/)![0]
      .matchAll(/-?\d+/g),
    ([number]) => Number(number),
  );
}
