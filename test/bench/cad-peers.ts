import { Buffer } from "node:buffer";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { copyFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Brep, RhinoModule } from "rhino3dm";
import { stepOfBreps } from "../../src/format/rhino/brep-step.ts";
import { rhinoLibrary } from "../../src/format/rhino/rhino-library.ts";
import { brepText } from "../fixture/brep-file.ts";
import { boxFaces, igesText, movedFaces, sphereFace } from "../fixture/iges-file.ts";
import { circleCurve, drilledPlate, revolved, roundedPlate } from "../fixture/rhino-breps.ts";
import { boxBrep } from "../fixture/rhino-file.ts";
import { type Row, childrenMs, median, mib, ms, processorMs, ratio, timed, withFolder, withServer } from "./measure.ts";

// The peers are gmsh (from its Python package or a distribution) and PrusaSlicer, which reads STEP only. Each peer starts for every
// file, and our server is running, because that is how they are used.

const RUNS = 3;
/** gmsh takes more than ten minutes for plates with holes and for free forms. */
const PEER_LIMIT_MS = 30_000;
/** Facets of a circle at the angle tolerance of 5 degrees, which gmsh applies exactly. */
const FACETS_OF_CIRCLE = 72;
const BRACKET = fileURLToPath(new URL("../../assets/demo/bracket.step", import.meta.url));

const at = (i: number): [number, number, number] => [20 * (i % 20), 40 * Math.floor(i / 20), 0];
const full = 2 * Math.PI;

const stepOf = (...breps: readonly Brep[]): string =>
  stepOfBreps(
    breps.map((brep, i) => ({ name: `part ${i}`, brep, unitMm: 1 })),
    1e-3,
  );

/** One solid of a free-form surface: a wavy profile about the z axis. */
function vase(rhino: RhinoModule, waves: number): Brep {
  const count = 8 * waves + 1;
  const curve = new rhino.NurbsCurve(3, false, 4, count);
  const poles = curve.points();
  for (let i = 0; i < count; i++) poles.set(i, [20 + 4 * Math.sin((i * Math.PI) / 4), 0, i, 1]);
  curve.knots().createUniformKnots(1);
  return revolved(rhino, curve, 0, full, [true, true]);
}

const FILES: Readonly<Record<string, (rhino: RhinoModule) => string>> = {
  "drilled-25.step": (rhino) => stepOf(drilledPlate(rhino, 5)),
  "drilled-100.step": (rhino) => stepOf(drilledPlate(rhino, 10)),
  "vase-3.step": (rhino) => stepOf(vase(rhino, 3)),
  "vase-8.step": (rhino) => stepOf(vase(rhino, 8)),
  "ring.step": (rhino) => stepOf(revolved(rhino, circleCurve(rhino, 20, 5, 0.3), 0, full, [false, false])),
  "boxes.step": (rhino) =>
    stepOf(...Array.from({ length: 230 }, (_, i) => boxBrep(rhino, at(i), [at(i)[0] + 10, at(i)[1] + 20, 30]))),
  "plate.step": (rhino) => stepOf(roundedPlate(rhino)),
  "boxes.igs": () => igesText(Array.from({ length: 250 }, (_, i) => movedFaces(boxFaces([10, 20, 30]), at(i))).flat()),
  "sphere.igs": () => igesText(sphereFace(20)),
  "boxes.brep": () => brepText(...Array.from({ length: 500 }, (_, i) => ({ size: [10, 20, 30] as const, at: at(i) }))),
};

/** Import of CAD files at the usual tolerances. Compared with the time in which the peers mesh the same file. */
export const benchCadPeers = (): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(async ({ scene_id, post, call, pid }) => {
      const rhino = await rhinoLibrary(0);
      const rows: Row[] = [];
      const bracket = join(folder, "bracket.step");
      copyFileSync(BRACKET, bracket);
      for (const [name, make] of Object.entries(FILES)) writeFileSync(join(folder, name), make(rhino));
      const importOnce = (file: string): Promise<unknown> =>
        post("/v1/scene/model/import/", { scene_id, file, repair_behavior: "IGNORE" });
      // The first import compiles the kernel.
      await importOnce(bracket);
      for (const name of ["bracket.step", ...Object.keys(FILES)]) {
        const file = join(folder, name);
        const [times, used]: [number[], number[]] = [[], []];
        for (let run = 0; run < RUNS; run++) {
          const before = processorMs(pid);
          times.push(await timed(() => importOnce(file)));
          used.push(processorMs(pid) - before);
          await call("DELETE", "/v1/scene/model/delete/", { scene_id });
        }
        const ours = median(times);
        const peers = [await besideGmsh(ours, file, folder), await besidePrusaSlicer(ours, file, folder)];
        rows.push({
          what: `import of ${name} (${mib(statSync(file).size)})`,
          ours: `${ms(ours)} (${ms(median(used))} of processors)`,
          beside: peers.filter(Boolean).join(", "),
          aim: "≤ 1×",
        });
      }
      return rows;
    }),
  );

async function besideGmsh(ours: number, file: string, folder: string): Promise<string> {
  const curvature = ["-setnumber", "Mesh.MeshSizeFromCurvature", String(FACETS_OF_CIRCLE)];
  const args = [file, "-2", "-v", "0", ...curvature, "-format", "stl", "-o", join(folder, "gmsh.stl")];
  return besidePeer(ours, "gmsh", ["--version"], args);
}

async function besidePrusaSlicer(ours: number, file: string, folder: string): Promise<string | undefined> {
  if (!file.endsWith(".step")) return undefined;
  return besidePeer(ours, "prusa-slicer", ["--help"], ["--export-stl", "--output", join(folder, "prusa.stl"), file]);
}

async function besidePeer(
  ours: number,
  program: string,
  trial: readonly string[],
  args: readonly string[],
): Promise<string> {
  if (spawnSync(program, trial).error) return `${program} is not installed`;
  const times: number[] = [];
  const used: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const before = childrenMs();
    let ended: SpawnSyncReturns<Buffer> | undefined;
    times.push(await timed(() => (ended = spawnSync(program, args, { timeout: PEER_LIMIT_MS }))));
    used.push(childrenMs() - before);
    if (ended?.signal) return `${program} takes more than ${ms(PEER_LIMIT_MS)} (${ms(median(used))} of a processor)`;
    if (ended?.status !== 0) return `${program} fails`;
  }
  return `${ratio(ours, median(times))} of ${program} (${ms(median(times))}, ${ms(median(used))} of a processor)`;
}
