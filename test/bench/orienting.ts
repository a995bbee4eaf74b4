import { noProgress } from "../../src/core/progress.ts";
import { stlReader } from "../../src/format/stl.ts";
import { directionLattice } from "../../src/orient/part-shape.ts";
import { costsOf, orientRequest, oriented, upOf } from "../fixture/orienting.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { meshOf } from "../fixture/slices.ts";
import { type Row, f3dMs, median, ms, ratio, timed, timesOf } from "./measure.ts";
import { MODEL_FILES, subdividedFile } from "./models.ts";

/** Milliseconds of f3d for the third model on the machine of Tweaker's figures. The ratio to our time is the ratio of the machines. */
const F3D_MS = 310;

/** Models, and the seconds of Tweaker-3 with `-x` for each on another machine, including the start of Python. */
const MODELS = [
  { name: "65004", file: MODEL_FILES["65004"], peerS: 0.1 },
  { name: "472042", file: MODEL_FILES["472042"], peerS: 0.11 },
  { name: "908460", file: MODEL_FILES["908460"], peerS: 0.32 },
];

/** 4 · 35² + 2 = 4,902 directions, rotated against the axes. */
const directions = directionLattice(35, [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1]);

/** Enough runs for the engine to compile the kernels, as in a server after some models. */
const RUNS = 15;

/** Time and regret of orientation on resin. */
export async function benchOrienting(): Promise<Row[]> {
  const f3d = await f3dMs(MODELS[2].file);
  const large = { name: "577k facets", file: subdividedFile(), peerS: 2.9 };
  const rows: Row[] = [];
  for (const { name, file, peerS } of [...MODELS, large]) {
    const { parts } = await stlReader.read(file, READ_OPTIONS, noProgress);
    const mesh = meshOf(parts[0].surface);
    const first = await timed(() => oriented(mesh));
    const took = median(await timesOf(RUNS, () => oriented(mesh)));
    const { bare, cups } = costsOf(orientRequest(mesh));
    const all = directions.map((up) => ({ up, cost: bare(up) })).sort((a, b) => a.cost - b.cost);
    let best = Infinity;
    for (const { up, cost } of all) if (cost < best) best = Math.min(best, cost + cups(up));
    const up = upOf(oriented(mesh));
    const regret = (100 * (bare(up) + cups(up) - best)) / best;
    rows.push({
      what: `orientation of ${name}`,
      ours: `${ms(took)} (${ms(first)} the first time), ${regret.toFixed(1)} % dearer than the best of ${directions.length} directions`,
      beside: besideTweaker(took, 1000 * peerS, f3d),
      aim: "≥ 2× faster, ≤ 5 %",
    });
  }
  return rows;
}

function besideTweaker(ours: number, thereMs: number, f3d: number | undefined): string {
  const there = `Tweaker-3 takes ${ms(thereMs)}, of which Python takes some to start, on another machine`;
  if (f3d === undefined) return there;
  const slower = f3d / F3D_MS;
  return `${there}; f3d takes ${ratio(f3d, F3D_MS)} as long here, so ours would be ${ratio(slower * thereMs, ours)} as fast`;
}
