import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable, root, startServer } from "./server.ts";

// The main jobs, end to end, like a client: builds the executable, starts it with two virtual printers, and makes print jobs of a
// plate of ten parts and a powder chamber of forty from their folder. Each step prints its result and its time.

const parts = join(root, "assets/demo");
const results = join(root, "dist/demo");
const jobs = join(results, "jobs");
const resinPrinter = { machine_type: "FRML-4-0", name: "Demo printer" };
const powderPrinter = { machine_type: "FS30-1-0", name: "Demo powder printer" };
const CHAMBER_DEPTH_MM = 165;

/** Numbers of copies in the chamber: small parts, which would get lost in the powder, and large parts. */
const SMALL_PARTS = { "axle.stl": 8, "gear-small.stl": 4, "gear-small-2.stl": 4 };
const LARGE_PARTS = {
  "block.stl": 4,
  "bracket.step": 4,
  "functional-part.stl": 1,
  "gear-corner.stl": 5,
  "gear-large.stl": 5,
  "heart-gears.3mf": 1,
  "hinged-box.stl": 4,
};

interface Model {
  readonly id: string;
  readonly name: string;
  readonly bounding_box: Record<"min_corner" | "max_corner", Record<"x" | "y" | "z", number>>;
  readonly in_bounds: boolean;
  readonly has_supports: boolean;
  readonly raw_mesh_hash: string;
}

interface Metadata<Usage> {
  readonly layer_count: number;
  readonly estimated_print_time_s: number;
  readonly material_usage: Usage;
}

type Results<T> = { readonly per_model_results: Readonly<Record<string, T>> };

const say = (line: string): void => console.log(line);
const kib = (file: string): string => `${Math.round(statSync(file).size / 1024)} KiB`;
const ml = (value: number): string => `${value.toFixed(1)} ml`;
const duration = (seconds: number): string =>
  `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;

function describe({ name, bounding_box: { min_corner: a, max_corner: b } }: Model): string {
  const size = (["x", "y", "z"] as const).map((axis) => (b[axis] - a[axis]).toFixed(1)).join(" × ");
  return `${name}: ${size} mm at x ${a.x.toFixed(1)}, y ${a.y.toFixed(1)}`;
}

say("Building the executable …");
say(`  ${buildExecutable()}`);
rmSync(results, { recursive: true, force: true });
mkdirSync(jobs, { recursive: true });
const printers = [resinPrinter, powderPrinter].flatMap(({ machine_type, name }) => [
  "--virtual-printer",
  `${machine_type}=${name}`,
]);
const server = await startServer([...printers, "--job-dir", jobs]);
say(`The server answers at ${server.address}`);

/** Runs a step and prints its time and its result. */
async function step(name: string, work: () => Promise<string>): Promise<void> {
  const began = performance.now();
  const result = await work();
  say(`${name.padEnd(12)}${String(Math.round(performance.now() - began)).padStart(6)} ms  ${result}`);
}

const modelsOf = async (scene_id: string): Promise<Model[]> =>
  (await server.post<{ models: Model[] }>("/v1/scene/model/list/", { scene_id })).models;

function requireInside(models: readonly Model[]): void {
  const outside = models.filter(({ in_bounds }) => !in_bounds);
  if (outside.length > 0)
    throw new Error(`${outside.map(({ name }) => name).join(", ")} are outside the build volume.`);
}

async function renderPicture(scene_id: string, name: string): Promise<string> {
  const file = join(results, name);
  await server.post("/v1/scene/render/", { scene_id, file });
  return `${file} (${kib(file)})`;
}

/** Prints a scene. Returns the file of the job and the state of the printer. */
async function print(scene_id: string, printer: string, job_name: string): Promise<string> {
  const before = readdirSync(jobs);
  await server.post("/v1/scene/print/", { scene_id, printer, job_name, print_now: true });
  const { devices } = await server.call<{ devices: { id: string; status: string }[] }>("GET", "/v1/device/list/");
  const written = readdirSync(jobs).filter((job) => !before.includes(job));
  const states = devices.filter(({ id }) => id === printer).map(({ id, status }) => `${id}: ${status}`);
  return [...written.map((job) => `${join(jobs, job)} (${kib(join(jobs, job))})`), ...states].join("\n  ");
}

async function printPlate(): Promise<void> {
  const { post } = server;
  const { scene_id } = await post<{ scene_id: string }>("/v1/scene/create/", {
    machine_type: resinPrinter.machine_type,
    material_code: "FLGPGR05",
    layer_thickness_mm: 0.1,
  });
  const models = (): Promise<Model[]> => modelsOf(scene_id);

  const files = readdirSync(parts).filter((file) => /\.(stl|3mf|step)$/.test(file));
  await step("import", async () => {
    for (const file of files) await post("/v1/scene/model/import/", { scene_id, file: join(parts, file) });
    return `${files.length} parts: ${files.join(", ")}`;
  });

  await step("orient", async () => {
    const { modified_model_ids } = await post<{ modified_model_ids: string[] }>("/v1/scene/model/auto-orient/", {
      scene_id,
    });
    return `${modified_model_ids.length} parts turned to where they print best`;
  });

  await step("support", async () => {
    const { warnings } = await post<{ warnings: string[] }>("/v1/scene/model/auto-support/", { scene_id });
    const held = (await models()).filter(({ has_supports }) => has_supports);
    return [`${held.length} parts stand on supports`, ...warnings].join("\n  ");
  });

  await step("layout", async () => {
    await post("/v1/scene/model/auto-layout/", { scene_id });
    const placed = await models();
    requireInside(placed);
    return ["side by side:", ...placed.map(describe)].join("\n  ");
  });

  await step("checks", async () => {
    const check = async <T>(name: string): Promise<T[]> =>
      Object.values((await post<Results<T>>(`/v1/scene/model/validate/${name}/`, { scene_id })).per_model_results);
    // Requests that read do not wait for one another.
    const [cups, minima, unsupported] = await Promise.all([
      check<{ cup_count: number }>("cups"),
      check<{ minima_count: number }>("minima"),
      check<{ percent_unsupported: number }>("supportedness"),
    ]);
    const cupCount = cups.reduce((sum, { cup_count }) => sum + cup_count, 0);
    const minimaCount = minima.reduce((sum, { minima_count }) => sum + minima_count, 0);
    const most = Math.max(...unsupported.map(({ percent_unsupported }) => percent_unsupported));
    return `${cupCount} cups, ${minimaCount} minima in the air, at most ${most.toFixed(1)} % unsupported`;
  });

  await step("slice", async () => {
    const { total_print_time_s } = await post<{ total_print_time_s: number }>("/v1/scene/calculate-print-time/", {
      scene_id,
    });
    type Usage = Record<"volume_ml" | "unsupported_volume_ml", number>;
    const { layer_count, material_usage } = await post<Metadata<Usage>>("/v1/scene/metadata/", { scene_id });
    const { volume_ml, unsupported_volume_ml } = material_usage;
    const material = `${ml(volume_ml)}, ${ml(volume_ml - unsupported_volume_ml)} of it supports`;
    return `${layer_count} layers, ${material}, ${duration(total_print_time_s)} of printing`;
  });

  await step("picture", () => renderPicture(scene_id, "plate.png"));

  const project = join(results, "plate.form");
  await step("save", async () => {
    await post("/v1/scene/save/", { scene_ids: [scene_id], file: project, project_name: "Demo plate" });
    return `${project} (${kib(project)})`;
  });

  await step("reopen", async () => {
    const { scenes } = await post<{ scenes: { scene_id: string }[] }>("/v1/scene/open/", { file: project });
    const reopened = await post<{ models: Model[] }>("/v1/scene/model/list/", { scene_id: scenes[0].scene_id });
    const summary = (list: readonly Model[]): string[] =>
      list.map((model) => `${model.raw_mesh_hash} ${model.has_supports}`).sort();
    if (summary(reopened.models).join() !== summary(await models()).join()) {
      throw new Error("The reopened project has other models than the saved one.");
    }
    return `the same ${reopened.models.length} parts with their supports`;
  });

  await step("print", () => print(scene_id, resinPrinter.name, "Demo plate"));
}

async function printChamber(): Promise<void> {
  const { post } = server;
  const { scene_id } = await post<{ scene_id: string }>("/v1/scene/create/", {
    machine_type: powderPrinter.machine_type,
    material_code: "FLP12G01",
    layer_thickness_mm: 0.11,
  });
  const importParts = async (copies: Readonly<Record<string, number>>): Promise<void> => {
    for (const [file, count] of Object.entries(copies)) {
      const { new_models } = await post<{ new_models: { model_id: string }[] }>("/v1/scene/model/import/", {
        scene_id,
        file: join(parts, file),
      });
      const model_ids = new_models.map(({ model_id }) => model_id);
      if (count > 1) await post("/v1/scene/model/duplicate/", { scene_id, model_ids, count: count - 1 });
    }
  };

  await step("cage", async () => {
    await importParts(SMALL_PARTS);
    const caging = { scene_id, cage_label: "DEMO", generate_mesh_label: true };
    const { cage_model_id, new_model_ids } = await post<{ cage_model_id: string; new_model_ids: string[] }>(
      "/v1/scene/model/cage/",
      caging,
    );
    const find = async (): Promise<Model[]> =>
      (await modelsOf(scene_id)).filter(({ id }) => new_model_ids.includes(id));
    const [{ bounding_box }] = await find();
    // Moves the cage to the front, where the picture shows it; the lattice and the parts move with their container.
    const position = { x: 0, y: -CHAMBER_DEPTH_MM / 2 - bounding_box.min_corner.y, z: 0 };
    await post("/v1/scene/model/translate/", { scene_id, model_ids: [cage_model_id], position, mode: "RELATIVE" });
    const count = Object.values(SMALL_PARTS).reduce((sum, copies) => sum + copies, 0);
    return `${count} small parts in ${(await find()).map(describe).join()}`;
  });

  await step("pack", async () => {
    await importParts(LARGE_PARTS);
    const { modified_model_ids } = await post<{ modified_model_ids: string[] }>("/v1/scene/model/auto-pack/", {
      scene_id,
    });
    const entries = await modelsOf(scene_id);
    requireInside(entries);
    const topMm = Math.max(...entries.map(({ bounding_box }) => bounding_box.max_corner.z));
    return `${modified_model_ids.length} more parts around the cage, ${topMm.toFixed(1)} mm high`;
  });

  await step("powder", async () => {
    type Usage = Record<"total_powder_ml" | "total_sintered_powder_ml" | "mass_packing_density", number>;
    const { layer_count, material_usage, estimated_print_time_s } = await post<Metadata<Usage>>("/v1/scene/metadata/", {
      scene_id,
    });
    const { total_powder_ml, total_sintered_powder_ml, mass_packing_density } = material_usage;
    const powder = `${ml(total_sintered_powder_ml)} of ${ml(total_powder_ml)} sintered, ${mass_packing_density.toFixed(3)} kg/l`;
    return `${layer_count} layers, ${powder}, about ${duration(estimated_print_time_s)} of printing`;
  });

  await step("picture", () => renderPicture(scene_id, "chamber.png"));
  await step("print", () => print(scene_id, powderPrinter.name, "Demo chamber"));
}

try {
  await printPlate();
  say("The same parts, and copies of them, in a powder chamber:");
  await printChamber();
} finally {
  server.stop();
}
say("Done.");
