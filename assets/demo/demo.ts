import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// The main job, end to end, as a client would do it: build the executable, start it with a virtual printer, prepare a plate,
// save it, reopen it, ask for its time, draw it, and print it.

const root = fileURLToPath(new URL("../../", import.meta.url));
const models = join(root, "assets/demo");
const results = join(root, "dist/demo");
const jobs = join(results, "jobs");
const printer = { machine_type: "FORM-4-0", name: "Demo printer" };
const executable = join(root, "dist", process.platform === "win32" ? "printwright.exe" : "printwright");

interface Model {
  id: string;
  name: string;
  position: { x: number; y: number; z: number };
  bounding_box: { min_corner: Record<"x" | "y" | "z", number>; max_corner: Record<"x" | "y" | "z", number> };
  in_bounds: boolean;
  raw_mesh_hash: string;
}

function buildExecutable(): void {
  say("Building the executable …");
  const { status, stderr } = spawnSync(process.execPath, ["build.ts"], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`The build failed:\n${stderr}`);
  say(`  ${executable} (${Math.round(statSync(executable).size / 2 ** 20)} MiB, copy it anywhere)`);
}

/** Starts the executable on a free port; resolves to its address once it answers. */
function start(): Promise<{ address: string; stop: () => void }> {
  const printing = ["--virtual-printer", `${printer.machine_type}=${printer.name}`, "--job-dir", jobs];
  const server = spawn(executable, ["--port", "0", ...printing], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let printed = "";
    server.once("exit", () => reject(new Error("The server ended before it was ready.")));
    server.stdout.on("data", (text) => {
      printed += text;
      if (printed.includes("READY FOR INPUT")) resolve({ address: printed.split("\n")[0]!, stop: () => server.kill() });
    });
  });
}

async function call<T>(address: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(address + path, { method, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

const say = (line: string): void => console.log(line);
const since = (began: number): string => `${Math.round(performance.now() - began)} ms`;
const kib = (file: string): string => `${Math.round(statSync(file).size / 1024)} KiB`;
const duration = (seconds: number): string => `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
const mm = (value: number): string => value.toFixed(1);

function describe({ name, bounding_box: { min_corner: a, max_corner: b }, in_bounds }: Model): string {
  const size = `${mm(b.x - a.x)} × ${mm(b.y - a.y)} × ${mm(b.z - a.z)} mm`;
  const place = `x ${mm(a.x)} to ${mm(b.x)}, y ${mm(a.y)} to ${mm(b.y)}`;
  return `  ${name}: ${size} at ${place}${in_bounds ? "" : " (out of bounds)"}`;
}

type Post = <T>(path: string, body: object) => Promise<T>;

/** Imports, places, saves and reopens a plate; resolves to its scene. */
async function prepare(post: Post): Promise<string> {
  const listModels = async (scene_id: string): Promise<Model[]> =>
    (await post<{ models: Model[] }>("/v1/scene/model/list/", { scene_id })).models;

  const scene = await post<{ scene_id: string; scene_settings: object }>("/v1/scene/create/", {
    machine_type: printer.machine_type,
    material_code: "FLGPBK05",
    layer_thickness_mm: 0.1,
  });
  const { scene_id } = scene;
  say(`Created scene ${scene_id}: ${JSON.stringify(scene.scene_settings)}`);

  for (const file of ["functional-part.stl", "cube-gears.3mf", "bracket.step"]) {
    const began = performance.now();
    const { new_models } = await post<{ new_models: object[] }>("/v1/scene/model/import/", {
      scene_id,
      file: join(models, file),
    });
    say(`Imported ${file}: ${new_models.length} model in ${since(began)}`);
  }

  // A row along x: every part shrunk until the row fits, then set down one beside the other.
  const gap = 5;
  const imported = await listModels(scene_id);
  const widthOf = ({ bounding_box: { min_corner, max_corner } }: Model): number => max_corner.x - min_corner.x;
  const width = imported.reduce((sum, model) => sum + widthOf(model) + gap, 0);
  const scale = Math.min(1, 190 / width);
  await post("/v1/scene/model/scale/", { scene_id, scale });
  let left = (-width * scale) / 2;
  for (const model of imported) {
    const step = (widthOf(model) + gap) * scale;
    await post("/v1/scene/model/translate/", {
      scene_id,
      model_ids: [model.id],
      position: { x: left + step / 2, y: 0, z: 0 },
    });
    left += step;
  }
  const placed = await listModels(scene_id);
  say(`Placed ${placed.length} models in a row, at ${Math.round(scale * 100)} % of their size:`);
  for (const model of placed) say(describe(model));

  const file = join(results, "plate.form");
  await post("/v1/scene/save/", { scene_ids: [scene_id], file, project_name: "Demo plate" });
  say(`Saved the project: ${file} (${kib(file)})`);

  const opened = await post<{ project_name: string; scenes: { scene_id: string; scene_name: string }[] }>(
    "/v1/scene/open/",
    { file },
  );
  const [reopened] = opened.scenes;
  const hashes = (list: readonly Model[]): string =>
    list
      .map((model) => model.raw_mesh_hash)
      .sort()
      .join();
  const same = hashes(await listModels(reopened!.scene_id)) === hashes(placed);
  if (!same) throw new Error("The project came back with other meshes than it was saved with.");
  say(
    `Opened it again: project "${opened.project_name}", scene "${reopened!.scene_name}", the same ${placed.length} meshes.`,
  );
  return scene_id;
}

/** Tells what the plate takes, draws it, and sends it to the printer. */
async function print(post: Post, address: string, scene_id: string): Promise<void> {
  const { layer_count, material_usage } = await post<{ layer_count: number; material_usage: { volume_ml: number } }>(
    "/v1/scene/metadata/",
    { scene_id },
  );
  const sliced = performance.now();
  const time = await post<{ total_print_time_s: number }>("/v1/scene/calculate-print-time/", { scene_id });
  say(
    `Sliced ${layer_count} layers in ${since(sliced)}: ${material_usage.volume_ml.toFixed(1)} ml, ` +
      `${duration(time.total_print_time_s)} of printing.`,
  );

  const picture = join(results, "plate.png");
  const drawn = performance.now();
  await post("/v1/scene/render/", { scene_id, file: picture });
  say(`Drew a picture in ${since(drawn)}: ${picture} (${kib(picture)})`);

  const sent = performance.now();
  await post("/v1/scene/print/", { scene_id, printer: printer.name, job_name: "Demo plate", print_now: true });
  say(`Printed it on "${printer.name}" in ${since(sent)}:`);
  for (const job of readdirSync(jobs)) say(`  ${join(jobs, job)} (${kib(join(jobs, job))})`);
  const { devices } = await call<{ devices: { id: string; status: string }[] }>(address, "GET", "/v1/device/list/");
  for (const { id, status } of devices) say(`  ${id}: ${status}`);
}

buildExecutable();
rmSync(jobs, { recursive: true, force: true });
mkdirSync(jobs, { recursive: true });
const server = await start();
say(`The server answers at ${server.address}`);
try {
  const post: Post = (path, body) => call(server.address, "POST", path, body);
  await print(post, server.address, await prepare(post));
} finally {
  server.stop();
}
say("Done.");
