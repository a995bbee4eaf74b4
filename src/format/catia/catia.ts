import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { displayMeshWarning } from "../display-mesh.ts";
import type { ModelReader } from "../model-reader.ts";
import { MAX_CAD_FILE_BYTES, claimModelBytes, claimModelSize } from "../model-size.ts";
import { largestStream } from "./catia-streams.ts";
import { findBodies } from "./display-bodies.ts";

const MAIN_STREAM = "MainDataStream";

/** Catia V5 parts (`.CATPart`), by their display meshes. Each body is a part. */
export const catiaReader: ModelReader = {
  async read(file, _options, progress) {
    progress.report(0);
    const refuse: ErrorFactory = (why) => fileError("read", file, why);
    const whole = readWholeFile(file, MAX_CAD_FILE_BYTES, (size) => claimModelBytes(file, 2 * size));
    const stream = largestStream(Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength), MAIN_STREAM, refuse);
    if (!stream) throw refuse(`it holds no display mesh; ${ADVICE}`);
    const claim = (facets: number, vertices: number): void =>
      claimModelSize(file, { facets, vertices, parts: 1 }, refuse);
    const bytes = stream.length === 1 ? stream[0] : Buffer.concat(stream);
    if (bytes.buffer !== whole.buffer) releaseArrays(whole);
    const bodies = findBodies(bytes, claim, progress);
    // Small buffers share their memory with others.
    if (bytes.buffer.byteLength > Buffer.poolSize) releaseArrays(bytes);
    if (bodies.length === 0) throw refuse(`it holds no solid or surface to display that is read here; ${ADVICE}`);
    const solids = bodies.filter(({ isClosed }) => isClosed);
    // Sheets next to solids are those from which the solids were constructed.
    const printed = solids.length > 0 ? solids : bodies;
    const sags = printed.flatMap(({ sagMm }) => sagMm ?? []);
    const deviationMm = sags.length > 0 ? Math.max(...sags) : undefined;
    const left = bodies.length - printed.length;
    return {
      parts: printed.map(({ surface }, index) => ({ index, surface })),
      unitMm: 1,
      separateFaces: deviationMm === undefined ? {} : { deviationMm },
      warnings: [displayMeshWarning("Catia", deviationMm), ...(left > 0 ? [sheetsWarning(left)] : [])],
    };
  },
};

const ADVICE = "in Catia, update it and save it again with its tessellation, or save it as STEP";

const sheetsWarning = (count: number): string =>
  count === 1
    ? "A surface of the file that bounds no solid was left out: give it a thickness in Catia, or save it in a separate file."
    : `${count} surfaces of the file that bound no solid were left out: give them a thickness in Catia, or save them in a separate file.`;
