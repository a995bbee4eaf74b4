import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { POWDER, RESIN } from "../fixture/test-server.ts";

/** The actions of a customer of the shop. The answers and the notes are the result of a job. */
export interface Customer {
  /** A separate folder of this customer. */
  readonly folder: string;
  readonly printer: string;
  /** The body of an answer with status 200, or the error of another answer. */
  ask(method: string, path: string, body: object): Promise<any>;
  note(content: string): void;
}

/** A job of the shop. Its answers are the same each time, except for ids. */
export interface ShopJob {
  readonly name: string;
  run(customer: Customer): Promise<void>;
}

const fixture = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const CORPUS = "test/fixture/corpus/";
const DEMO = "assets/demo/";
const MESH_REPORT = ["validate/manifoldness", "body-count"];
const CHECKS = ["validate/cups", "validate/minima", "validate/supportedness"];

/** A scene of one job; it is deleted at the end. */
async function withScene(
  { ask }: Customer,
  combination: object,
  work: (scene_id: string, edit: (action: string, body?: object) => Promise<any>) => Promise<void>,
): Promise<void> {
  const { scene_id } = await ask("POST", "/v1/scene/create/", combination);
  const edit = (action: string, body: object = {}): Promise<any> =>
    ask(action === "delete" ? "DELETE" : "POST", `/v1/scene/model/${action}/`, { scene_id, ...body });
  await work(scene_id, edit);
  await ask("DELETE", "/v1/scene/delete/", { scene_id });
}

/** Writes a picture, which has the same bytes for the same scene, and a project, which has the same models after it is opened. */
async function store({ ask, note, folder }: Customer, scene_id: string): Promise<void> {
  const [picture, project] = ["plate.png", "plate.form"].map((name) => join(folder, name));
  await ask("POST", "/v1/scene/render/", { scene_id, file: picture, image_size_px: 400 });
  note(createHash("sha256").update(readFileSync(picture)).digest("hex"));
  await ask("POST", "/v1/scene/save/", { scene_ids: [scene_id], file: project, project_name: "plate" });
  const { scenes } = await ask("POST", "/v1/scene/open/", { file: project });
  for (const opened of scenes) {
    await ask("POST", "/v1/scene/model/list/", { scene_id: opened.scene_id });
    await ask("DELETE", "/v1/scene/delete/", { scene_id: opened.scene_id });
  }
}

const plate = (name: string, parts: readonly string[], combination: object): ShopJob => ({
  name,
  run: (customer) =>
    withScene(customer, combination, async (scene_id, edit) => {
      for (const part of parts) await edit("import", { file: fixture(part), repair_behavior: "REPAIR" });
      for (const action of ["auto-orient", "auto-support", "auto-layout", ...CHECKS]) await edit(action);
      await customer.ask("POST", "/v1/scene/calculate-print-time/", { scene_id });
      await customer.ask("POST", "/v1/scene/metadata/", { scene_id });
      await store(customer, scene_id);
      const { printer } = customer;
      await customer.ask("POST", "/v1/scene/print/", { scene_id, printer, job_name: name, print_now: false });
    }),
});

export const SHOP_JOBS: readonly ShopJob[] = [
  plate("gears", [`${DEMO}gear-small.stl`, `${DEMO}gear-corner.stl`, `${DEMO}axle.stl`], RESIN),
  plate("bracket", [`${DEMO}bracket.step`], RESIN),
  plate("assembly", [`${CORPUS}3mf-multiple_cylinders.3mf`, `${DEMO}block.stl`], RESIN),
  {
    name: "repairs",
    run: (customer) =>
      withScene(customer, RESIN, async (_, edit) => {
        for (const part of ["gen-65004-holes12.stl", "gen-472042-flip30.stl", "mf-Offset1-x0.04.stl"]) {
          await edit("import", { file: fixture(CORPUS + part), repair_behavior: "IGNORE" });
        }
        for (const action of [...MESH_REPORT, "repair", ...MESH_REPORT]) await edit(action);
      }),
  },
  {
    name: "hollow part",
    run: (customer) =>
      withScene(customer, RESIN, async (scene_id, edit) => {
        await edit("import", { file: fixture(`${CORPUS}thingi-65004.stl`) });
        await edit("hollow", { wall_thickness_mm: 2 });
        await edit("validate/thin-features", { threshold_mm: 1 });
        await edit("drill", {
          drain_holes: [
            { orientation: { x: 180, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 }, diameter_mm: 3, depth_mm: "AUTO" },
          ],
        });
        await edit("validate/cups");
        await store(customer, scene_id);
      }),
  },
  {
    name: "series",
    run: (customer) =>
      withScene(customer, RESIN, async (scene_id, edit) => {
        await edit("import", { file: fixture(`${DEMO}gear-small-2.stl`) });
        await edit("fill-build-platform");
        await edit("validate/interferences");
        await customer.ask("POST", "/v1/scene/estimate-print-time/", { scene_id });
        await store(customer, scene_id);
      }),
  },
  {
    name: "powder",
    run: (customer) =>
      withScene(customer, POWDER, async (scene_id, edit) => {
        await edit("import", { file: fixture(`${DEMO}axle.stl`) });
        await edit("duplicate", { count: 5 });
        await edit("cage", { cage_label: "axles", generate_mesh_label: true });
        for (const part of ["gear-large.stl", "hinged-box.stl"]) {
          const { new_models } = await edit("import", { file: fixture(DEMO + part) });
          await edit("duplicate", { model_ids: [new_models[0].model_id], count: 3 });
        }
        await edit("auto-orient");
        await edit("auto-pack", { model_spacing_mm: 3 });
        await edit("validate/in-bounds");
        await edit("validate/interferences", { collision_offset_mm: 1.9 });
        await customer.ask("POST", "/v1/scene/metadata/", { scene_id });
        await store(customer, scene_id);
      }),
  },
  {
    name: "mistakes",
    run: (customer) =>
      withScene(customer, RESIN, async (scene_id, edit) => {
        await edit("import", { file: fixture("package.json") });
        await edit("import", { file: fixture(`${DEMO}missing.stl`) });
        await edit("import", { file: fixture(`${CORPUS}mf-openscad-nonmanifold-crash.obj`) });
        await edit("scale", { scale: -1 });
        await edit("auto-pack");
        await customer.ask("POST", "/v1/scene/save/", { scene_ids: [scene_id], file: "plate.form" });
        await customer.ask("POST", "/v1/scene/print/", { scene_id, printer: customer.printer, job_name: "" });
      }),
  },
];
