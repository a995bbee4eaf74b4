import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { noProgress } from "../../src/core/progress.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { amfFile } from "../fixture/amf-file.ts";
import { catiaPart } from "../fixture/catia-file.ts";
import { creoPart } from "../fixture/creo-file.ts";
import { curvedFaces } from "../fixture/display-faces.ts";
import { glb, gltfParts } from "../fixture/gltf-file.ts";
import { inventorPart } from "../fixture/inventor-file.ts";
import { jtPart } from "../fixture/jt-part-file.ts";
import { objText } from "../fixture/obj-file.ts";
import { offText } from "../fixture/off-file.ts";
import { asciiPly, binaryPly } from "../fixture/ply-file.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { solidworksPart } from "../fixture/solidworks-file.ts";
import { asciiStl, binaryStl } from "../fixture/stl-file.ts";
import { threeMf } from "../fixture/three-mf-file.ts";
import { type Row, mib, ms, peakBeyondRest, ratio, timed, withFolder } from "./measure.ts";

/** A mesh of 10.8 MiB, in files of about 10 MB and more; and a small one, which makes a process load the reader. */
const large = (): Surface => uvSphere(50, 700, 450);
const small = (): Surface => uvSphere(50, 40, 30);
/** Facets in a face, as the display meshes of curved faces have. */
const FACES = curvedFaces(60);
/** Creo stores a part in a few blocks. */
const FACES_IN_BLOCK = 100_000;
const asItIs = (bytes: Uint8Array): Uint8Array => bytes;

const FORMATS: Readonly<Record<string, (surface: Surface) => string | Uint8Array>> = {
  stl: (surface) => binaryStl(surface),
  "ascii.stl": (surface) => asciiStl(surface),
  obj: (surface) => objText(surface),
  ply: (surface) => binaryPly(surface, true),
  "ascii.ply": (surface) => asciiPly(surface),
  off: (surface) => offText(surface),
  "3mf": (surface) => threeMf([{ surface }]),
  amf: (surface) => amfFile(surface),
  glb: (surface) => glb(gltfParts([surface])),
  sldprt: (surface) => solidworksPart(surface, asItIs, FACES),
  prt: (surface) => creoPart(surface, { facesOf: FACES, facesInBlock: FACES_IN_BLOCK }),
  CATPart: (surface) => catiaPart([surface], [], asItIs, FACES),
  ipt: (surface) => inventorPart(surface, asItIs, FACES),
  jt: (surface) => jtPart(surface),
};

/**
 * Import of a large mesh in each format that our own code reads, each in a fresh process. Compared with reading the bare file, and
 * memory with the mesh.
 */
export const benchModelFiles = (): Promise<Row[]> =>
  withFolder((folder) => {
    const rows = Object.entries(FORMATS).map(([extension, make]): Row => {
      const [file, smallFile] = [join(folder, `large.${extension}`), join(folder, `small.${extension}`)];
      writeFileSync(file, make(large()));
      writeFileSync(smallFile, make(small()));
      const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), file, smallFile], {
        encoding: "utf8",
      });
      const [peak, meshBytes, importMs, processorMs, bareMs] = stdout.split(" ").map(Number);
      return {
        what: `import of large.${extension} (${mib(statSync(file).size)})`,
        ours: `${ms(importMs)} (${ms(processorMs)} of processors)`,
        beside: `${ratio(importMs, bareMs)} of the bare file; ${mib(peak)} at its peak, ${ratio(peak, meshBytes)} of the mesh (${mib(meshBytes)})`,
        aim: "≤ 3 s for 10 MB, ≤ 10× the mesh",
      };
    });
    return Promise.resolve(rows);
  });

const request = (file: string) =>
  ({
    file,
    repairBehavior: "ERROR",
    split: false,
    options: { chordalToleranceMm: 0.01, angleToleranceDeg: 5 },
  }) as const;

/** Prints the peak memory of an import in bytes, the bytes of its mesh, and the times of the import and of reading the bare file (Linux). */
async function measureImport(file: string, smallFile: string): Promise<void> {
  await importFile(request(smallFile), noProgress);
  let meshBytes = 0;
  let importMs = 0;
  let began = process.cpuUsage();
  const peak = await peakBeyondRest(async () => {
    began = process.cpuUsage();
    importMs = await timed(async () => {
      const { parts } = await importFile(request(file), noProgress);
      for (const { mesh } of parts) meshBytes += mesh.vertices.byteLength + mesh.triangles.byteLength;
    });
  });
  const { user, system } = process.cpuUsage(began);
  const bareMs = await timed(() => readFileSync(file));
  console.log(peak, meshBytes, importMs, (user + system) / 1000, bareMs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measureImport(process.argv[2], process.argv[3]);
