import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPrintwright } from "../fixture/printwright.ts";
import { bumpySphereFile } from "./bumpy-sphere.ts";
import { median, mib, ms, ratio, type Row, timed } from "./measure.ts";

const FACETS = 1_000_000;
const RUNS = 7;

/** Saving and opening a scene of a million triangles, beside writing (with fsync) and reading as many bytes. */
export async function benchProjectFile(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "printwright-bench-"));
  const file = join(folder, "scene.form");
  const printwright = await startPrintwright();
  const scene_id = (await printwright.call("GET", "/v1/scene/list/")).body.scenes[0].id;
  await printwright.post("/v1/scene/model/import/", { scene_id, file: bumpySphereFile(FACETS) });
  const [saves, opens, writes, reads]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let run = 0; run < RUNS; run++) {
    saves.push(await timed(() => printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file })));
    opens.push(await timed(() => printwright.post("/v1/scene/open/", { file })));
    const bytes = readFileSync(file);
    writes.push(await timed(() => writeAndSync(join(folder, "floor"), bytes)));
    reads.push(await timed(() => readFileSync(file)));
  }
  const size = mib(statSync(file).size);
  await printwright.stop();
  rmSync(folder, { recursive: true });
  const row = (what: string, ours: number, floor: number): Row => ({
    what: `${what} (${size})`,
    ours: ms(ours),
    beside: `${ratio(ours, floor)} of the bare file (${ms(floor)})`,
  });
  return [
    row("save of a scene of 1 M triangles", median(saves), median(writes)),
    row("open of a scene of 1 M triangles", median(opens), median(reads)),
  ];
}

function writeAndSync(file: string, bytes: Uint8Array): void {
  const fd = openSync(file, "w");
  writeSync(fd, bytes);
  fsyncSync(fd);
  closeSync(fd);
}
