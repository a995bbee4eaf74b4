import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { triangleCount, vertexCount } from "../../mesh/mesh.ts";
import { displayMeshWarning } from "../display-mesh.ts";
import type { ModelReader } from "../model-reader.ts";
import { MAX_CAD_FILE_BYTES, claimModelBytes, claimModelSize } from "../model-size.ts";
import { readViewData } from "./view-data.ts";

const METRE_MM = 1000;

/** Files of PTC Creo begin with this and their kind: `PART`, `ASSEMBLY`, … */
const HEAD = /^#UGC:\d+ (\w+)/;
const SECTION = "\n#CGFPersistTable\n";
/** The table of contents has a row for each section: name, position, and the size with and without its head, hexadecimal. */
const CONTENTS_ROW = /^CGFPersistTable [0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) /m;

/** Parts of PTC Creo (`.prt`, `.prt.1`, …), by the view data that are stored with them. */
export const creoReader: ModelReader = {
  async read(file, _options, progress) {
    progress.report(0);
    const refuse: ErrorFactory = (why) => fileError("read", file, why);
    const whole = readWholeFile(file, MAX_CAD_FILE_BYTES, (size) => claimModelBytes(file, 2 * size));
    const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
    const [, kind] = HEAD.exec(bytes.toString("latin1", 0, 64)) ?? [];
    if (kind === undefined) {
      throw refuse(`it is no PTC Creo file (NX calls its parts .prt, too); ${ADVICE}`);
    }
    if (kind !== "PART") throw refuse(`it is no part but of the kind ${kind}; import its parts, or ${ADVICE}`);
    const section = sectionOf(bytes);
    if (!section) throw refuse(`it was saved without its view data; ${ADVICE}`);
    const claim = (size: number): void => claimModelBytes(file, 2 * bytes.length + size);
    const surface = readViewData(section, claim, refuse, progress);
    releaseArrays(whole);
    const facets = triangleCount(surface);
    if (facets === 0) throw refuse(`it holds no solid or surface to display; ${ADVICE}`);
    claimModelSize(file, { facets, vertices: vertexCount(surface), parts: 1 }, refuse);
    return {
      parts: [{ index: 0, surface }],
      unitMm: METRE_MM,
      separateFaces: {},
      warnings: [displayMeshWarning("PTC Creo")],
    };
  },
};

const ADVICE = "in the program that wrote it, save a copy as STEP, and import that";

/** The section with the view data. Its size is in the table of contents; without that, the section ends with the file. */
function sectionOf(bytes: Buffer): Buffer | undefined {
  const at = bytes.indexOf(SECTION, 0, "latin1");
  if (at < 0) return undefined;
  const row = bytes.indexOf("\nCGFPersistTable ", 0, "latin1");
  const [, size] = (row < 0 ? undefined : CONTENTS_ROW.exec(bytes.toString("latin1", row, row + 80))) ?? [];
  const from = at + SECTION.length;
  return bytes.subarray(from, size === undefined ? undefined : from + Number.parseInt(size, 16));
}
