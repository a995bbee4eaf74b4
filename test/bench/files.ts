import { spawnSync } from "node:child_process";
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { unzipSync } from "fflate";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { THREE_MF_LEVEL } from "../../src/format/3mf/writer.ts";
import { WRITTEN_EXTENSIONS } from "../../src/format/model-formats.ts";
import { type Row, median, mib, ms, ratio, timed, timesOf, withFolder, withServer } from "./measure.ts";
import { bumpySphereFile } from "./models.ts";

const RUNS = 7;
const FACETS = 1_000_000;

/** Import of a file: read, checked and hashed. Compared with three's loader, which only reads and parses, and admesh. */
export const benchImport = (): Promise<Row[]> =>
  withServer(async ({ scene_id, post }) => {
    const file = bumpySphereFile(FACETS);
    const importOnce = (): Promise<unknown> => post("/v1/scene/model/import/", { scene_id, file });
    const loader = new STLLoader();
    const loadOnce = (): void => void loader.parse(new Uint8Array(readFileSync(file)).buffer);
    const [ours, three]: [number[], number[]] = [[], []];
    await timesOf(1, importOnce);
    await timesOf(1, loadOnce);
    for (let run = 0; run < RUNS; run++) {
      ours.push(await timed(importOnce));
      three.push(await timed(loadOnce));
    }
    const [a, b] = [median(ours), median(three)];
    const row = { what: "import of 1 M triangles, binary STL", ours: ms(a) };
    return [
      { ...row, beside: `${ratio(a, b)} of three's STLLoader (${ms(b)})`, aim: "≤ 6×" },
      { ...row, beside: await besideAdmesh(a, file) },
    ];
  });

async function besideAdmesh(ours: number, file: string): Promise<string> {
  if (spawnSync("admesh", ["--version"]).error) return "admesh is not installed";
  const admesh = median(await timesOf(3, () => spawnSync("admesh", [file])));
  return `${ratio(ours, admesh)} of admesh (${ms(admesh)})`;
}

/** Save and open of a scene with a million triangles. Compared with writing (with fsync) and reading the same bytes. */
export const benchProjectFile = (): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(async ({ scene_id, post }) => {
      const file = join(folder, "scene.form");
      await post("/v1/scene/model/import/", { scene_id, file: bumpySphereFile(FACETS) });
      const [saves, opens, writes, reads]: [number[], number[], number[], number[]] = [[], [], [], []];
      for (let run = 0; run < RUNS; run++) {
        saves.push(await timed(() => post("/v1/scene/save/", { scene_ids: [scene_id], file })));
        opens.push(await timed(() => post("/v1/scene/open/", { file })));
        const bytes = readFileSync(file);
        writes.push(await timed(() => writeAndSync(join(folder, "floor"), bytes)));
        reads.push(await timed(() => readFileSync(file)));
      }
      const size = mib(statSync(file).size);
      const row = (what: string, ours: number, floor: number): Row => ({
        what: `${what} (${size})`,
        ours: ms(ours),
        beside: `${ratio(ours, floor)} of the bare file (${ms(floor)})`,
      });
      return [
        row("save of a scene of 1 M triangles", median(saves), median(writes)),
        row("open of a scene of 1 M triangles", median(opens), median(reads)),
      ];
    }),
  );

/** Export of a scene with a million triangles. Compared with writing the same bytes (with fsync); for 3MF with compressing the same text, too. */
export const benchExport = (): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(async ({ scene_id, post }) => {
      await post("/v1/scene/model/import/", { scene_id, file: bumpySphereFile(FACETS) });
      const rows: Row[] = [];
      for (const extension of WRITTEN_EXTENSIONS) {
        const file = join(folder, `scene.${extension}`);
        const exportOnce = (): Promise<unknown> => post("/v1/scene/export/", { scene_id, file });
        await exportOnce();
        const bytes = readFileSync(file);
        const text = extension === "3mf" ? unzipSync(bytes)["3D/3dmodel.model"] : undefined;
        const floorOnce = (): void => {
          writeAndSync(join(folder, "floor"), text ? deflateRawSync(text, { level: THREE_MF_LEVEL }) : bytes);
        };
        const [exports, floors]: [number[], number[]] = [[], []];
        for (let run = 0; run < RUNS; run++) {
          exports.push(await timed(exportOnce));
          floors.push(await timed(floorOnce));
        }
        const [ours, floor] = [median(exports), median(floors)];
        rows.push({
          what: `export of a scene of 1 M triangles as ${extension} (${mib(bytes.length)})`,
          ours: ms(ours),
          beside: `${ratio(ours, floor)} of ${text ? "compressing and writing its text" : "the bare file"} (${ms(floor)})`,
        });
      }
      return rows;
    }),
  );

function writeAndSync(file: string, bytes: Uint8Array): void {
  const fd = openSync(file, "w");
  writeSync(fd, bytes);
  fsyncSync(fd);
  closeSync(fd);
}
