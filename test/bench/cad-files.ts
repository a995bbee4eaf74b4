import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { computeOn } from "../../src/api/endpoint.ts";
import { importOnThreads } from "../../src/feature/import/import-on-threads.ts";
import { newTaskState } from "../../src/core/progress.ts";
import { stepOfBreps } from "../../src/format/rhino/brep-step.ts";
import { rhinoLibrary } from "../../src/format/rhino/rhino-library.ts";
import type { ImportedFile } from "../../src/feature/import/import-file.ts";
import { newPool } from "../../src/worker/pool.ts";
import { brepText } from "../fixture/brep-file.ts";
import { boxFaces, igesText, movedFaces } from "../fixture/iges-file.ts";
import { attributes, boxBrep, rhinoFile, rhinoMesh } from "../fixture/rhino-file.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { type Row, mib, ms, peakBeyondRest, processorMs, ratio, timed, withFolder } from "./measure.ts";

/** OpenCASCADE takes some milliseconds for each solid: with `--large` the files of boxes have 10 MB too. */
const MEGABYTES = process.argv.includes("--large") ? 10 : 1;
/** Boxes per megabyte of each format. A BREP file is one shape; OpenCASCADE takes 0.4 MiB for each box, so that 10 MB exceed its bound. */
const BOXES = {
  step: 230 * MEGABYTES,
  iges: 500 * MEGABYTES,
  brep: 500 * Math.min(2, MEGABYTES),
  "3dm": 79 * MEGABYTES,
};
/** A sphere of 10 MB in Rhino's file. */
const [SEGMENTS, RINGS] = [610, 406];
const at = (i: number): [number, number, number] => [20 * (i % 100), 40 * Math.floor(i / 100), 0];

const FILES: Readonly<Record<string, () => Promise<string | Uint8Array> | string | Uint8Array>> = {
  "boxes.step": async () => {
    const rhino = await rhinoLibrary(0);
    const breps = Array.from({ length: BOXES.step }, (_, i) => ({
      name: String(i),
      brep: boxBrep(rhino, at(i), [at(i)[0] + 10, at(i)[1] + 20, 30]),
      unitMm: 1,
    }));
    return stepOfBreps(breps, 1e-3);
  },
  "boxes.igs": () =>
    igesText(Array.from({ length: BOXES.iges }, (_, i) => movedFaces(boxFaces([10, 20, 30]), at(i))).flat()),
  "boxes.brep": () =>
    brepText(...Array.from({ length: BOXES.brep }, (_, i) => ({ size: [10, 20, 30] as const, at: at(i) }))),
  "boxes.3dm": () =>
    rhinoFile((rhino, file) => {
      for (let i = 0; i < BOXES["3dm"]; i++) {
        file.objects().addBrep(boxBrep(rhino, at(i), [at(i)[0] + 10, at(i)[1] + 20, 30]), attributes(rhino));
      }
    }),
  "mesh.3dm": () =>
    rhinoFile(
      (rhino, file) => void file.objects().addMesh(rhinoMesh(rhino, uvSphere(50, SEGMENTS, RINGS)), attributes(rhino)),
    ),
};

const OPTIONS = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };

/**
 * Import on all threads, with loaded libraries, of the formats that WebAssembly libraries read. Compared with reading the bare file,
 * and memory with the mesh.
 */
export const benchCadFiles = (): Promise<Row[]> =>
  withFolder(async (folder) => {
    const rows: Row[] = [];
    const pool = newPool(new URL("../../src/worker.ts", import.meta.url));
    for (const [name, make] of Object.entries(FILES)) {
      const file = join(folder, name);
      writeFileSync(file, await make());
      let imported: ImportedFile | undefined;
      const importOnce = async (): Promise<void> => {
        const request = { file, repairBehavior: "ERROR", split: false, options: OPTIONS } as const;
        imported = await importOnThreads(request, computeOn(pool, newTaskState()));
      };
      await importOnce();
      const before = processorMs(process.pid);
      const ours = await timed(importOnce);
      const used = processorMs(process.pid) - before;
      const bare = await timed(() => readFileSync(file));
      const peak = await peakBeyondRest(importOnce);
      const meshBytes = imported!.parts.reduce(
        (sum, { mesh }) => sum + mesh.vertices.byteLength + mesh.triangles.byteLength,
        0,
      );
      rows.push({
        what: `import of ${name} (${mib(statSync(file).size)})`,
        ours: `${ms(ours)} (${ms(used)} of processors)`,
        beside: `${ratio(ours, bare)} of the bare file (${ms(bare)}); ${mib(peak)} at its peak, ${ratio(peak, meshBytes)} of the mesh`,
        aim: "≤ 5 s for 10 MB on two cores",
      });
    }
    await pool.close();
    return rows;
  });
