import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { unzipSync } from "fflate";
import { bumpySphereFile } from "../bench/models.ts";
import type { Reply } from "../fixture/client.ts";
import { openKilledQueue } from "../fixture/killed-queue.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { randomFrom } from "../fixture/random.ts";
import { RESIN, bodyOf } from "../fixture/test-server.ts";
import { trialOptions } from "./options.ts";

// `bun run test:kill [--minutes N] [--seed N]` kills the compiled executable (SIGKILL) at random moments while it writes a file over
// an older one. The file must be either the old or the new one, complete, and the leftovers of the killed process in the folder must
// be gone after the next write there. Then it kills an executable that sends a job of a queue: the job must be printed once, or be
// set aside. Otherwise the exit status is 1.

const FACETS = 60_000;
const PRINTER = "Virtual printer";
/** Two settings of one machine, whose files differ. */
const THICKNESSES_MM = [0.1, 0.05];
/** Kills happen up to this multiple of the time of a write, so that some come after the write. */
const LATEST_SHARE = 1.2;

const { minutes, seed } = trialOptions("test:kill", { minutes: 1 });
const random = randomFrom(seed);
const folder = mkdtempSync(join(tmpdir(), "printwright-kill-"));
const jobs = join(folder, "jobs");
mkdirSync(jobs);

const start = (): Promise<Printwright> =>
  startPrintwright(["--virtual-printer", `FORM-4-0=${PRINTER}`, "--job-dir", jobs]);

/** The scenes to write, one for each thickness, with another model in each. */
async function newScenes(server: Printwright, { scale }: Write): Promise<string[]> {
  const ids: string[] = [];
  for (const [variant, layer_thickness_mm] of THICKNESSES_MM.entries()) {
    const { scene_id } = bodyOf(await server.post("/v1/scene/create/", { ...RESIN, layer_thickness_mm }));
    const file = bumpySphereFile(FACETS, variant);
    bodyOf(await server.post("/v1/scene/model/import/", { scene_id, file }));
    bodyOf(await server.post("/v1/scene/model/scale/", { scene_id, scale }));
    ids.push(scene_id);
  }
  return ids;
}

/** A file that the server writes completely, over an older one or next to it. */
interface Write {
  readonly what: string;
  readonly folder: string;
  /** The name of the file is "target" with this extension. */
  readonly extension: string;
  /** Scale of the model, because a job at full scale takes long. */
  readonly scale: number;
  /** Writes the content of a scene. */
  send(server: Printwright, scene_id: string): Promise<Reply>;
  /** Identifies the file's content; throws if the file is damaged. */
  readonly look: (path: string) => string;
}

const hashOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Each saved print setting has a different id, which is replaced. */
const contentOfSetting = (path: string): string =>
  readFileSync(path, "utf8").replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "id");

/** Jobs contain the time of their making, so only their layers are compared. */
function contentOfJob(path: string): string {
  const layers = Object.entries(unzipSync(readFileSync(path))).filter(([name]) => name.endsWith(".png"));
  return `${layers.length} layers`;
}

const target = (name: string): string => join(folder, name);
const WRITES: readonly Write[] = [
  {
    what: "scene/save",
    folder,
    extension: ".form",
    scale: 1,
    send: (server, id) => server.post("/v1/scene/save/", { scene_ids: [id], file: target("target.form") }),
    look: hashOf,
  },
  {
    what: "print-setting/save",
    folder,
    extension: ".fps",
    scale: 1,
    send: (server, scene_id) => server.post("/v1/print-setting/save/", { scene_id, file: target("target.fps") }),
    look: contentOfSetting,
  },
  {
    what: "scene/render",
    folder,
    extension: ".png",
    scale: 1,
    send: (server, scene_id) => server.post("/v1/scene/render/", { scene_id, file: target("target.png") }),
    look: hashOf,
  },
  {
    what: "scene/export",
    folder,
    extension: ".3mf",
    scale: 1,
    send: (server, scene_id) => server.post("/v1/scene/export/", { scene_id, file: target("target.3mf") }),
    look: hashOf,
  },
  {
    what: "scene/print",
    folder: jobs,
    extension: ".printjob",
    scale: 0.2,
    send: (server, scene_id) => server.post("/v1/scene/print/", { scene_id, printer: PRINTER, job_name: "target" }),
    look: contentOfJob,
  },
];

const isPart = (name: string): boolean => name.endsWith(".part");
const filesIn = (write: Write): string[] =>
  readdirSync(write.folder)
    .filter((name) => name.startsWith("target") && name.endsWith(write.extension))
    .map((name) => join(write.folder, name));
const partsIn = (write: Write): string[] => readdirSync(write.folder).filter(isPart);

/** The contents that a complete file can have, and the time of a write of each scene. */
async function learn(write: Write): Promise<{ contents: Set<string>; takesMs: number }> {
  const server = await start();
  const contents = new Set<string>();
  let takesMs = 0;
  for (const id of await newScenes(server, write)) {
    const began = performance.now();
    bodyOf(await write.send(server, id));
    takesMs = performance.now() - began;
    for (const path of filesIn(write)) contents.add(write.look(path));
  }
  await server.stop();
  return { contents, takesMs };
}

const shareMs = (minutes * 60_000) / (WRITES.length + 1);
const rows: Record<string, string | number>[] = [];
let faults = 0;
for (const write of WRITES) {
  const { contents, takesMs } = await learn(write);
  const ends = performance.now() + shareMs;
  let [kills, cutOff, damaged, leftOver] = [0, 0, 0, 0];
  while (performance.now() < ends) {
    const server = await start();
    const [first, second] = await newScenes(server, write);
    bodyOf(await write.send(server, first));
    if (partsIn(write).length > 0) leftOver++;
    const killed = write.send(server, second).catch(() => {});
    await sleep(LATEST_SHARE * takesMs * random());
    await server.stop("SIGKILL");
    await killed;
    kills++;
    if (partsIn(write).length > 0) cutOff++;
    for (const path of filesIn(write)) {
      try {
        assert.ok(contents.has(write.look(path)), "its content is neither the old nor the new one");
      } catch (thrown) {
        damaged++;
        console.log(`FAULT: ${path} after kill ${kills} of ${write.what}: ${(thrown as Error).message}`);
      }
      if (write.folder === jobs) rmSync(path);
    }
  }
  faults += damaged + leftOver;
  rows.push({ write: write.what, kills, "cut off": cutOff, damaged, "left over after the next write": leftOver });
}
rmSync(folder, { recursive: true });
const queue = await openKilledQueue();
const counts = { printed: 0, "set aside": 0, wrong: 0 };
for (const ends = performance.now() + shareMs; performance.now() < ends;) {
  // Half a second after its start a server looks for jobs that it can send.
  const killAfterMs = 420 + 160 * random();
  try {
    counts[await queue.trial(killAfterMs)]++;
  } catch (thrown) {
    counts.wrong++;
    console.log(`FAULT: the job of a queue, killed after ${killAfterMs} ms: ${(thrown as Error).message}`);
  }
}
await queue.close();
faults += counts.wrong;
rows.push({ write: "a job of a queue", kills: counts.printed + counts["set aside"] + counts.wrong, ...counts });
console.table(rows);
console.log(`${rows.reduce((sum, row) => sum + Number(row.kills), 0)} kills, ${faults} faults, seed ${seed}`);
process.exitCode = faults > 0 ? 1 : 0;
