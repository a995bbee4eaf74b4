import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPrintwright } from "../fixture/printwright.ts";
import { bumpySphereFile } from "./bumpy-sphere.ts";
import { f3dMs, SIZE_PX } from "./f3d.ts";
import { median, ms, ratio, type Row, timed, timesOf } from "./measure.ts";

const FACETS = 500_000;
const RUNS = 5;
const FLYAROUND = {
  keyframes: [
    { yaw: 0, pitch: 30 },
    { yaw: 360, pitch: 30 },
  ],
  frame_count: 60,
};

/** A picture and a flyaround of a large model, beside f3d, which reads the file, too, and draws on a virtual display. */
export async function benchPictures(): Promise<Row[]> {
  const model = bumpySphereFile(FACETS);
  const folder = mkdtempSync(join(tmpdir(), "printwright-bench-"));
  const printwright = await startPrintwright();
  const scene_id = (await printwright.call("GET", "/v1/scene/list/")).body.scenes[0].id;
  await printwright.post("/v1/scene/model/import/", { scene_id, file: model });
  const render = async (file: string, options: object = {}): Promise<void> => {
    const request = { scene_id, file: join(folder, file), image_size_px: SIZE_PX, ...options };
    const { status, body } = await printwright.post("/v1/scene/render/", request);
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const picture = median(await timesOf(RUNS, () => render("picture.png")));
  const flight = await timed(() => render("flight.webp", { flyaround: FLYAROUND }));
  await printwright.stop();
  const beside = await besideF3d(picture, model);
  rmSync(folder, { recursive: true });
  return [
    { what: `picture of 500,000 triangles at ${SIZE_PX} px`, ours: ms(picture), beside, aim: "≤ 500 ms" },
    { what: `flyaround of ${FLYAROUND.frame_count} such pictures`, ours: ms(flight), aim: "≤ 6,000 ms" },
  ];
}

async function besideF3d(ours: number, model: string): Promise<string> {
  const f3d = await f3dMs(model);
  if (f3d === undefined) return "f3d is not installed";
  return `${ratio(ours, f3d)} of f3d (${ms(f3d)}, with reading the file)`;
}
