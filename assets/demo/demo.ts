import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable, root, startServer } from "./server.ts";

// The main job, end to end, as a client does it: build the executable, start it with a virtual printer, and bring a plate of
// ten parts from their folder to a print job. Each step prints its result and its time.

const parts = join(root, "assets/demo");
const results = join(root, "dist/demo");
const jobs = join(results, "jobs");
const printer = { machine_type: "FRML-4-0", name: "Demo printer" };

interface Model {
  readonly id: string;
  readonly name: string;
  readonly bounding_box: Record<"min_corner" | "max_corner", Record<"x" | "y" | "z", number>>;
  readonly in_bounds: boolean;
  readonly has_supports: boolean;
  readonly raw_mesh_hash: string;
}

interface Metadata {
  readonly layer_count: number;
  readonly material_usage: { readonly volume_ml: number; readonly unsupported_volume_ml: number };
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
const server = await startServer(["--virtual-printer", `${printer.machine_type}=${printer.name}`, "--job-dir", jobs]);
say(`The server answers at ${server.address}`);

/** Runs a step and prints its time and its result. */
async function step(name: string, work: () => Promise<string>): Promise<void> {
  const began = performance.now();
  const result = await work();
  say(`${name.padEnd(12)}${String(Math.round(performance.now() - began)).padStart(6)} ms  ${result}`);
}

try {
  const { post, call } = server;
  const { scene_id } = await post<{ scene_id: string }>("/v1/scene/create/", {
    machine_type: printer.machine_type,
    material_code: "FLGPGR05",
    layer_thickness_mm: 0.1,
  });
  const models = async (): Promise<Model[]> =>
    (await post<{ models: Model[] }>("/v1/scene/model/list/", { scene_id })).models;

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
    const outside = placed.filter(({ in_bounds }) => !in_bounds);
    if (outside.length > 0)
      throw new Error(`${outside.map(({ name }) => name).join(", ")} are outside the build volume.`);
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
    const { layer_count, material_usage } = await post<Metadata>("/v1/scene/metadata/", { scene_id });
    const { volume_ml, unsupported_volume_ml } = material_usage;
    const material = `${ml(volume_ml)}, ${ml(volume_ml - unsupported_volume_ml)} of it supports`;
    return `${layer_count} layers, ${material}, ${duration(total_print_time_s)} of printing`;
  });

  const picture = join(results, "plate.png");
  await step("picture", async () => {
    await post("/v1/scene/render/", { scene_id, file: picture });
    return `${picture} (${kib(picture)})`;
  });

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

  await step("print", async () => {
    await post("/v1/scene/print/", { scene_id, printer: printer.name, job_name: "Demo plate", print_now: true });
    const { devices } = await call<{ devices: { id: string; status: string }[] }>("GET", "/v1/device/list/");
    const written = readdirSync(jobs).map((job) => `${join(jobs, job)} (${kib(join(jobs, job))})`);
    return [...written, ...devices.map(({ id, status }) => `${id}: ${status}`)].join("\n  ");
  });
} finally {
  server.stop();
}
say("Done.");
