import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { spawn } from "node:child_process";
import process from "node:process";
import { runCommand } from "../fixture/command.ts";
import { longTest } from "../fixture/long.ts";
import { commandLine } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-each-"));
after(() => rmSync(folder, { recursive: true }));
const scene = { $: "scene.scene_id" };
const steps = [
  {
    name: "scene",
    request: "scene/create",
    body: { machine_type: "PRUSA-SL1S", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 },
  },
  { request: "scene/model/import", body: { scene_id: scene, file: "part.stl" } },
  { request: "scene/export", body: { scene_id: scene, file: "job.sl1s" } },
  { name: "scenes", request: "scene/list" },
];
writeFileSync(join(folder, "plate.json"), JSON.stringify(steps));
for (const name of ["a", "b"]) {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "part.stl"), binaryStl(box([4, 4, 0.3])));
}
const list = (id: string, file = "../plate.json") =>
  JSON.stringify({ id, file, folder: id, created: "2026-01-02T03:04:05Z" });
const linesOf = (stdout: string): any[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("lists are carried out in one process, each with its own folder and project; the same steps give the same bytes", async () => {
  const input = `${list("a")}\n${list("b")}\nno JSON\n${list("c")}\n{"cancel": "d"}\n`;
  const { status, stdout } = await runCommand(["run", "--each", "--threads", "2"], folder, input);
  const lines = linesOf(stdout);
  assert.equal(status, 2);
  const statusOf = (id: string) => lines.find((line) => line.id === id && line.status !== undefined)?.status;
  assert.deepEqual(["a", "b", "c"].map(statusOf), [0, 0, 1]);
  assert.match(lines.find((line) => line.id === undefined).error.message, /not JSON/);
  // The scene of the start and the created one, without those of the other list.
  for (const { result } of lines.filter((line) => line.name === "scenes")) assert.equal(result.scenes.length, 2);
  const [a, b] = ["a", "b"].map((name) => readFileSync(join(folder, name, "job.sl1s")));
  assert.deepEqual(a, b);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(Date.parse("2026-01-02T03:04:05Z") / 1000) };
  const [program, ...before] = commandLine();
  const child = spawn(program, [...before, "run", "../plate.json", "-q", "--threads", "1"], {
    cwd: join(folder, "b"),
    env,
  });
  assert.deepEqual(await once(child, "exit"), [0, null]);
  assert.deepEqual(readFileSync(join(folder, "b", "job.sl1s")), a);
});

longTest("a list is cancelled alone, and all are once standard input of a child closes", async () => {
  const slow = [
    steps[0],
    steps[1],
    { request: "scene/model/duplicate", body: { scene_id: scene, count: 90 } },
    ...Array.from({ length: 200 }, () => ({ request: "scene/model/auto-layout", body: { scene_id: scene } })),
  ];
  writeFileSync(join(folder, "slow.json"), JSON.stringify(slow));
  const [program, ...before] = commandLine();
  const env = { ...process.env, PRINTWRIGHT_PARENT: String(process.pid) };
  const child = spawn(program, [...before, "run", "--each", "--threads", "2"], { cwd: folder, env });
  const printed = text(child.stdout);
  const exited = once(child, "exit");
  child.stdin.write(`${list("a", "../slow.json")}\n${list("b", "../slow.json")}\n`);
  let begun = "";
  await new Promise<void>((resolve) =>
    child.stdout.on("data", (piece) => {
      begun += piece;
      if (begun.includes('"id":"a","step":4') && begun.includes('"id":"b","step":4')) resolve();
    }),
  );
  child.stdin.write('{"cancel": "a"}\n');
  await new Promise<void>((resolve) =>
    child.stdout.on("data", (piece) => /"id":"a","status"/.test(piece) && resolve()),
  );
  assert.doesNotMatch(begun, /"id":"b","status"/);
  child.stdin.end();
  assert.deepEqual(await exited, [143, null]);
  const lines = linesOf(await printed);
  const statuses = lines.filter((line) => line.status !== undefined).map(({ id, status }) => [id, status]);
  assert.deepEqual(statuses, [
    ["a", 143],
    ["b", 143],
  ]);
});
