import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readSl1 } from "../fixture/job/read-sl1.ts";
import { longTest } from "../fixture/long.ts";
import { commandLine } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

// The examples of docs/farm.md, started as the queues start them.

const farm = fileURLToPath(new URL("../../docs/farm/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "printwright-farm-"));
after(() => rmSync(folder, { recursive: true }));

const orders = join(folder, "orders");
const isPosix = process.platform !== "win32";

before(() => {
  for (const order of ["0", "1"]) {
    mkdirSync(join(orders, order), { recursive: true });
    writeFileSync(join(orders, order, "part.stl"), binaryStl(box([2 + Number(order), 2, 0.5])));
  }
  copyFileSync(join(farm, "plate.json"), join(orders, "plate.json"));
  writeFileSync(join(orders, "orders.txt"), "0\n1\n");
  mkdirSync(join(folder, "bin"));
  const program = join(folder, "bin", "printwright");
  writeFileSync(
    program,
    `#!/bin/sh\nexec ${commandLine()
      .map((word) => `'${word}'`)
      .join(" ")} "$@"\n`,
  );
  chmodSync(program, 0o755);
});

/** Runs a shell in the folder of the orders, with Printwright on its path. */
function shell(args: readonly string[], variables: Record<string, string>): void {
  const env = { ...process.env, ...variables, PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}` };
  const { status, stderr } = spawnSync("sh", args, { cwd: orders, env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

function assertPrepared(order: string): void {
  const lines = readFileSync(join(orders, order, "result.jsonl"), "utf8")
    .trim()
    .split("\n");
  const { name, result } = JSON.parse(lines.at(-1)!);
  assert.equal(name, "figures");
  assert.equal(readSl1(readFileSync(join(orders, order, "job.sl1s"))).layers.length, result.layer_count);
}

interface Queue {
  readonly name: string;
  readonly order: string;
  /** The words for the shell, and the variables that the queue sets. */
  readonly start: () => readonly [args: readonly string[], variables: Record<string, string>];
}

const QUEUES: readonly Queue[] = [
  {
    name: "SLURM",
    order: "1",
    start: () => [[join(farm, "slurm.sh")], { SLURM_ARRAY_TASK_ID: "2", SLURM_CPUS_PER_TASK: "1" }],
  },
  {
    name: "Kubernetes",
    order: "0",
    start: () => {
      const [, command] = /- -c\n +- (.*)\n/.exec(readFileSync(join(farm, "kubernetes.yaml"), "utf8"))!;
      return [["-c", command], { JOB_COMPLETION_INDEX: "0" }];
    },
  },
];

for (const { name, order, start } of QUEUES) {
  (isPosix ? longTest : test.skip)(`the example for ${name} prepares the order of its task`, () => {
    shell(...start());
    assertPrepared(order);
  });
}

test("the workers of the example for Kubernetes start with its words", () => {
  const text = readFileSync(join(farm, "kubernetes-workers.yaml"), "utf8");
  const words: string[] = JSON.parse(/args: (\[.*\])/.exec(text)![1]!);
  // The store and the folders of this machine in place of those of the cluster.
  const here: Record<string, string> = {
    "s3://plates/farm": join(folder, "store"),
    "/work": join(folder, "work"),
    "0.0.0.0:9464": "0",
  };
  const [command, ...args] = [...commandLine(), ...words.map((word) => here[word] ?? word), "--once"];
  const env = { ...process.env, PRINTWRIGHT_QUEUE: join(folder, "queue.sqlite") };
  const { status, stderr } = spawnSync(command!, args, { env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
});
