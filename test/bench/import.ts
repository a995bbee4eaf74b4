import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { startPrintwright } from "../fixture/printwright.ts";
import { bumpySphereFile } from "./bumpy-sphere.ts";
import { median, ms, ratio, type Row, timed, timesOf } from "./measure.ts";

const RUNS = 7;
const FACETS = 1_000_000;

/** A file to an imported, checked, hashed model, beside three's loader, which reads and parses alone, and admesh. */
export async function benchImport(): Promise<Row[]> {
  const file = bumpySphereFile(FACETS);
  const printwright = await startPrintwright();
  const scene_id = (await printwright.call("GET", "/v1/scene/list/")).body.scenes[0].id;
  const importOnce = async (): Promise<void> => {
    const { status, body } = await printwright.post("/v1/scene/model/import/", { scene_id, file });
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const loader = new STLLoader();
  const loadOnce = (): void => void loader.parse(new Uint8Array(readFileSync(file)).buffer);
  const [ours, three]: [number[], number[]] = [[], []];
  await timesOf(1, importOnce);
  await timesOf(1, loadOnce);
  for (let run = 0; run < RUNS; run++) {
    ours.push(await timed(importOnce));
    three.push(await timed(loadOnce));
  }
  await printwright.stop();
  const [a, b] = [median(ours), median(three)];
  const row = { what: "import of 1 M triangles, binary STL", ours: ms(a) };
  return [{ ...row, beside: `${ratio(a, b)} of three's STLLoader (${ms(b)})`, aim: "≤ 6×" }, { ...row, beside: await besideAdmesh(a, file) }];
}

async function besideAdmesh(ours: number, file: string): Promise<string> {
  if (spawnSync("admesh", ["--version"]).error) return "admesh is not installed";
  const admesh = median(await timesOf(3, () => spawnSync("admesh", [file])));
  return `${ratio(ours, admesh)} of admesh (${ms(admesh)})`;
}
