import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { wireS } from "../../src/scene/wire-numbers.ts";
import type { Reply } from "../fixture/client.ts";
import { openKilledQueue } from "../fixture/killed-queue.ts";
import { longTest, slowRuns } from "../fixture/long.ts";
import { PASSWORD, someAccount, writePrintersFile } from "../fixture/printers-file.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { randomFrom } from "../fixture/random.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { until } from "../fixture/until.ts";
import { POWDER, RESIN, assertRefused, bodyOf } from "../fixture/test-server.ts";

// Queues of the printers file, over HTTP (interface, "Device endpoints"; supplement, section 5, "scene/print").

const QUEUE = "6f1f2c9e-3f57-4b7e-9c58-0a4f6a3a9b11";
const file = temporaryFiles();
const PLATE = file("plate.stl", binaryStl(box([2, 2, 0.3])));
/** A tower that virtual printers print for ten seconds. */
const TOWER = file("tower.stl", binaryStl(box([2, 2, 40])));
const accounts = [await someAccount("ann", { id: 7 })];

const folder = mkdtempSync(join(tmpdir(), "printwright-queues-"));
const started: Printwright[] = [];
after(async () => {
  await Promise.allSettled(started.map(async (one) => one.stop("SIGKILL")));
  rmSync(folder, { recursive: true });
});

interface Place {
  readonly jobs: string;
  readonly log: string;
  start(paused?: boolean): Promise<Printwright>;
  held(): string[];
  printed(): string[];
  events(): string[];
}

/** A folder of jobs for servers with the same printers and one queue, started one after the other. */
function place(name: string, printers: readonly string[] = ["A", "B"]): Place {
  const jobs = join(folder, name);
  const [log, printersFile] = [`${jobs}.log`, `${jobs}.json`];
  const inFolder = (path: string): string[] => {
    const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
    return exists
      ? readdirSync(path, { withFileTypes: true })
          .flatMap((one) => (one.isFile() && !one.name.startsWith(".") ? [one.name] : []))
          .sort()
      : [];
  };
  return {
    jobs,
    log,
    async start(paused = false) {
      writePrintersFile(printersFile, { queues: [{ id: QUEUE, name: "All", printers, paused }], accounts });
      const virtual = printers.flatMap((one) => ["--virtual-printer", `FORM-4-0=${one}`]);
      const server = await startPrintwright([...virtual, "--printers", printersFile, "--log", log, "--job-dir", jobs]);
      started.push(server);
      return server;
    },
    held: () => inFolder(join(jobs, "held")),
    printed: () => inFolder(jobs),
    events: () =>
      readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).event as string),
  };
}

const login = (server: Printwright): Promise<Reply> =>
  server.post("/v1/login/", { username: "ann", password: PASSWORD });
const devices = async (server: Printwright): Promise<Reply["body"][]> =>
  bodyOf(await server.call("GET", "/v1/device/list/")).devices;
const queueOf = async (server: Printwright): Promise<Reply["body"]> =>
  (await devices(server)).find(({ id }) => id === QUEUE);

async function sceneOn(server: Printwright, combination: object = RESIN, model = PLATE): Promise<string> {
  const { scene_id } = bodyOf(await server.post("/v1/scene/create/", combination));
  bodyOf(await server.post("/v1/scene/model/import/", { scene_id, file: model }));
  return scene_id;
}

const print = (server: Printwright, scene_id: string, more: object = {}): Promise<Reply> =>
  server.post("/v1/scene/print/", { scene_id, printer: QUEUE, job_name: "plate", ...more });

longTest(
  "a queue is a device for logged-in users; it gives jobs to its printers and holds those that they cannot accept",
  async () => {
    const here = place("ready");
    const server = await here.start();
    const scene = await sceneOn(server, RESIN, TOWER);
    assert.equal(await queueOf(server), undefined);
    assertRefused(await print(server, scene), "NOT_FOUND", /print queues need a login/);
    assertRefused(await server.call("GET", "/v1/device/list/", { devices: [QUEUE] }), "NOT_FOUND");

    bodyOf(await login(server));
    assert.deepEqual(await queueOf(server), {
      id: QUEUE,
      product_name: "Printer Group",
      status: "All: 2 of 2 printers ready",
      is_connected: true,
      firmware_version: "",
      dashboard_group_id: QUEUE,
      dashboard_queue_id: QUEUE,
      ready_to_print_now: true,
      queue_paused: false,
      has_form_auto: false,
      supported_machine_type_ids: ["FORM-4-0"],
      printers: [
        { id: "A", machine_type_id: "FORM-4-0" },
        { id: "B", machine_type_id: "FORM-4-0" },
      ],
    });
    const canPrint = bodyOf(await server.call("GET", "/v1/device/list/?can_print=true")).devices;
    assert.deepEqual(
      canPrint.map(({ id }: { id: string }) => id),
      ["A", "B"],
    );
    const named = await server.call("GET", "/v1/device/list/", { devices: [`{${QUEUE.toUpperCase()}}`] });
    assert.equal(bodyOf(named).devices[0].id, QUEUE);

    assertRefused(
      await print(server, await sceneOn(server, POWDER)),
      "UNSUPPORTED_SCENE",
      /queue of printers \("All"\)/,
    );
    const firmware = { printer: QUEUE, file: "/nowhere/a.formware" };
    assertRefused(await server.post("/v1/device/upload-firmware/", firmware), "OPERATION_FAILED", /name the printer/);

    for (const name of ["A", "B"]) {
      bodyOf(await print(server, scene, { print_now: true, printer: QUEUE.toUpperCase() }));
      const busy = (await devices(server)).find(({ id }) => id === name);
      assert.equal(busy.ready_to_print_now, false, name);
    }
    assert.equal((await queueOf(server)).ready_to_print_now, false);
    bodyOf(await print(server, scene, { print_now: true, printer: "All" }));
    assert.match((await queueOf(server)).status, /0 of 2 printers ready; holds 1 job/);
    assert.equal(here.held().length, 2);
    if (process.platform !== "win32") assert.equal(statSync(here.log).mode & 0o777, 0o600);

    bodyOf(await server.post("/v1/logout/"));
    assert.equal(await queueOf(server), undefined);
    assert.equal(await server.stop(), 0);
    assert.equal(here.held().length, 2, "SIGTERM loses none");
    assert.deepEqual(here.events(), ["login", "job sent", "job sent", "job held", "logout"]);
  },
);

longTest("held jobs outlive the server, and are sent in their order once the queue is not paused", async () => {
  // Two printers would accept them at once.
  const here = place("held", ["A"]);
  const first = await here.start(true);
  bodyOf(await login(first));
  const scene = await sceneOn(first);
  for (const job_name of ["one", "two", "three"]) bodyOf(await print(first, scene, { job_name }));
  assert.match((await queueOf(first)).status, /paused; 1 of 1 printer ready; holds 3 jobs/);
  assert.equal((await queueOf(first)).queue_paused, true);
  await first.stop("SIGKILL");
  assert.equal(here.held().length, 6);

  const second = await here.start();
  await until("all are sent", () => here.held().length === 0);
  assert.deepEqual(
    here.printed().map((name) => name.replace(/-[0-9a-f]{8}\.printjob$/, "")),
    ["one", "three", "two"],
  );
  const events = readFileSync(here.log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const sent = events.filter(({ event }) => event === "job sent").map(({ job_name }) => job_name);
  assert.deepEqual(sent, ["one", "two", "three"]);
  const listed = events.filter(({ event }) => event === "job held").map(({ job_name }) => job_name);
  assert.deepEqual(listed, ["one", "two", "three", "one", "two", "three"], "they are listed at the start");
  await second.stop();
});

longTest("held prints wait for a person, who releases, moves and cancels them over HTTP", async () => {
  const here = place("released", ["A"]);
  const server = await here.start();
  const scene = await sceneOn(server);
  const list = async (): Promise<Reply["body"]> => bodyOf(await server.call("GET", "/v1/queue/list/"));
  const update = (body: object): Promise<Reply> => server.post("/v1/queue/job/update/", body);
  assert.deepEqual(await list(), { count: 0, queues: [] }, "nobody is logged in");
  bodyOf(await login(server));
  const jobs: string[] = [];
  for (const job_name of ["one", "two", "three"]) {
    const { job_id, warnings = [] } = bodyOf(await print(server, scene, { job_name, print_now: true }));
    jobs.push(job_id);
    assert.equal(/until a person says that a platform is clear/.test(warnings.join()), job_name !== "one");
  }
  await until("the first is printed", async () => (await queueOf(server)).ready_to_print_now);

  const { count, queues } = await list();
  const { jobs: held, ...queue } = queues[0];
  assert.deepEqual([count, queue], [1, { id: QUEUE, name: "All", queue_paused: false, starts: "RELEASED" }]);
  const { estimated_print_time_s, layer_count, ...two } = held[0];
  assert.ok(estimated_print_time_s > 0 && layer_count > 0);
  assert.equal(estimated_print_time_s, wireS(estimated_print_time_s));
  assert.deepEqual(two, {
    id: jobs[1],
    name: "two",
    machine_type: "FORM-4-0",
    material_code: RESIN.material_code,
    print_now: true,
    state: "WAITING_FOR_RELEASE",
    ready_printers: ["A"],
  });
  const namesOf = ({ jobs: some }: Reply["body"]): string[] => some.map(({ name }: { name: string }) => name);
  assert.deepEqual(namesOf(bodyOf(await update({ job_id: jobs[2], action: "FIRST" }))), ["three", "two"]);
  assert.deepEqual(namesOf(bodyOf(await update({ job_id: jobs[1].toUpperCase(), action: "CANCEL" }))), ["three"]);
  assertRefused(await update({ job_id: jobs[1], action: "CANCEL" }), "NOT_FOUND", /queue\/list/);
  assertRefused(await update({ job_id: jobs[2], action: "RETRY" }), "OPERATION_FAILED", /was not set aside/);
  const toB = await update({ job_id: jobs[2], action: "RELEASE", printer: "B" });
  assertRefused(toB, "NOT_FOUND", /"B" is not in the queue "All": give one of "A"\./);
  const ofA = await update({ job_id: jobs[2], action: "CANCEL", printer: "A" });
  assertRefused(ofA, "JSON_SCHEMA_MATCH_ERROR", /"\/printer": is for action "RELEASE" alone/);
  assertRefused(await update({ job_id: jobs[2], action: "START" }), "JSON_SCHEMA_MATCH_ERROR", /"\/action"/);
  assert.equal(here.printed().length, 1);
  bodyOf(await update({ job_id: jobs[2], action: "RELEASE", printer: "A" }));
  await until("the third is printed", () => here.held().length === 0);
  assert.match(here.printed().join(), /^one-.*three-/);
  assert.equal(here.events().filter((event) => event === "job updated").length, 3);
  await server.stop();
});

test("two servers do not share a folder of held jobs", async () => {
  const here = place("shared");
  const first = await here.start();
  await assert.rejects(here.start(), /the process \d+ uses it/);
  await first.stop();
  await (await here.start()).stop();
});

test("a queue without a folder for jobs refuses jobs that it would have to hold", async () => {
  const here = place("nowhere");
  writePrintersFile(`${here.jobs}.json`, {
    printers: [{ url: "sdcp://127.0.0.1:9", name: "A", machine_type: "ELEGOO-M5U" }],
    queues: [{ id: QUEUE, name: "All", printers: ["A"] }],
    accounts,
  });
  const server = await startPrintwright(["--printers", `${here.jobs}.json`]);
  started.push(server);
  bodyOf(await login(server));
  const mars = { machine_type: "ELEGOO-M5U", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };
  assertRefused(await print(server, await sceneOn(server, mars)), "OPERATION_FAILED", /--job-dir FOLDER/);
  await server.stop();
});

/** Half a second after its start a server looks for jobs that it can send. */
const EARLIEST_KILL_MS = 420;

longTest("a job whose server is killed while it sends it is neither printed twice nor lost", async () => {
  const random = randomFrom(1);
  const queue = await openKilledQueue();
  try {
    const delays = Array.from({ length: slowRuns(4) }, () => EARLIEST_KILL_MS + 160 * random());
    for (const delay of delays) await queue.trial(delay);
  } finally {
    await queue.close();
  }
});
