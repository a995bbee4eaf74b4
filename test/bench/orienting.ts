import { fileURLToPath } from "node:url";
import { unwatched } from "../../src/core/watch.ts";
import { stlReader } from "../../src/format/stl.ts";
import { lattice } from "../../src/orient/search/lattice.ts";
import { costsOf, oriented, orientRequest, upOf } from "../fixture/orienting.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { meshOf } from "../fixture/slices.ts";
import { f3dMs } from "./f3d.ts";
import { median, ms, ratio, type Row, timed, timesOf } from "./measure.ts";
import { subdividedFile } from "./subdivided.ts";

/** What f3d takes for the third model on the machine that Tweaker's figures come from, ms: it tells how fast this one is. */
const F3D_MS = 310;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Tweaker-3 with `-x` on the machine that its figures come from, start of Python included, seconds. */
const MODELS = [
  { name: "65004", file: path("../fixture/corpus/thingi-65004.stl"), peerS: 0.1 },
  { name: "472042", file: path("../fixture/corpus/thingi-472042.stl"), peerS: 0.11 },
  { name: "908460", file: path("../../assets/demo/functional-part.stl"), peerS: 0.32 },
];

/** 4 · 35² + 2 = 4,902 directions, which lie in a model as it happens. */
const directions = lattice(35, [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1]);

/** The engine compiles what runs often; a server has done so after some models. */
const RUNS = 15;

/** Time and regret of orientation on resin. */
export async function benchOrienting(): Promise<Row[]> {
  const f3d = await f3dMs(MODELS[2].file);
  const large = { name: "577k facets", file: await subdividedFile(MODELS[2].file), peerS: 2.9 };
  const rows: Row[] = [];
  for (const { name, file, peerS } of [...MODELS, large]) {
    const { parts } = await stlReader.read(file, READ_OPTIONS, unwatched);
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
