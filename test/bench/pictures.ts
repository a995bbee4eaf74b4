import { join } from "node:path";
import { type Row, SIZE_PX, f3dMs, median, ms, ratio, timed, timesOf, withFolder, withServer } from "./measure.ts";
import { bumpySphereFile } from "./models.ts";

const FACETS = 500_000;
const RUNS = 5;
const FLYAROUND = {
  keyframes: [
    { yaw: 0, pitch: 30 },
    { yaw: 360, pitch: 30 },
  ],
  frame_count: 60,
};

/** A picture and a flyaround of a large model. Compared with f3d, which also reads the file, on a virtual display. */
export async function benchPictures(): Promise<Row[]> {
  const model = bumpySphereFile(FACETS);
  const { picture, flyaround } = await withFolder((folder) =>
    withServer(async ({ scene_id, post }) => {
      await post("/v1/scene/model/import/", { scene_id, file: model });
      const render = (file: string, options: object = {}): Promise<unknown> =>
        post("/v1/scene/render/", { scene_id, file: join(folder, file), image_size_px: SIZE_PX, ...options });
      const picture = median(await timesOf(RUNS, () => render("picture.png")));
      const flyaround = await timed(() => render("flyaround.webp", { flyaround: FLYAROUND }));
      return { picture, flyaround };
    }),
  );
  const beside = await besideF3d(picture, model);
  return [
    { what: `picture of 500,000 triangles at ${SIZE_PX} px`, ours: ms(picture), beside, aim: "≤ 500 ms" },
    { what: `flyaround of ${FLYAROUND.frame_count} such pictures`, ours: ms(flyaround), aim: "≤ 6,000 ms" },
  ];
}

async function besideF3d(ours: number, model: string): Promise<string> {
  const f3d = await f3dMs(model);
  if (f3d === undefined) return "f3d is not installed";
  return `${ratio(ours, f3d)} of f3d (${ms(f3d)}, with reading the file)`;
}
