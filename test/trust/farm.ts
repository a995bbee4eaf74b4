import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type TrialFigures, runFarmTrial } from "../fixture/farm-trial.ts";
import { HAS_POSTGRES } from "../fixture/postgres.ts";
import { runRealFarmTrial } from "../fixture/real-farm-trial.ts";
import { trialOptions } from "./options.ts";

// `bun run test:farm [--jobs N] [--seed N] [sqlite] [postgres] [compiled] [deno] [real]` puts jobs into queues, and runs them on four worker processes.
// A worker is killed each 10 s and the database each 25 s (SIGKILL), and started again. Each job must take effect once, none may be lost,
// and none may wait for longer than two minutes after the end of its worker; otherwise the exit status is 1. `compiled` and `deno` run the workers as an executable, and
// under Deno; `real` runs `printwright worker` of the executable instead, with jobs of steps, whose results must be those of `printwright run`. PostgreSQL is left out where
// it is not installed.

const WORKER = "test/fixture/farm-worker.ts";
const root = join(import.meta.dirname, "../..");

const { jobs, seed, chosen } = trialOptions("test:farm", { jobs: 10_000 });
const kinds = (["sqlite", "postgres"] as const).filter(
  (kind) => chosen.includes(kind) || !(chosen.includes("sqlite") || chosen.includes("postgres")),
);
const folder = mkdtempSync(join(tmpdir(), "printwright-farm-worker-"));

function workerWords(): readonly string[] {
  // The program itself: its script would not hand the kill on, and the worker would go on.
  if (chosen.includes("deno"))
    return [join(root, "node_modules/deno/deno"), "run", "-A", "--no-check", join(root, WORKER)];
  if (!chosen.includes("compiled")) return [process.execPath, join(root, WORKER)];
  const program = join(folder, "worker");
  const { status } = spawnSync(process.execPath, ["build", "--compile", "--minify", WORKER, "--outfile", program], {
    cwd: root,
  });
  if (status !== 0) throw new Error("the worker was not compiled");
  return [program];
}

function report(kind: string, figures: TrialFigures): void {
  const { opened, jobsPerSecond, latency, killedWorkers, killedDatabases, runs, lost, longestPickup } = figures;
  console.log(`${kind}: opened in ${opened.toFixed(0)} ms; ${jobsPerSecond.toFixed(0)} jobs/s;`);
  console.log(`  from submit to start on idle workers p50 ${latency.p50}, p95 ${latency.p95}, max ${latency.max} ms;`);
  console.log(
    `  ${jobs} effects once each, in ${runs} runs; ${killedWorkers} workers and ${killedDatabases} databases killed;`,
  );
  console.log(`  ${lost} results of lost leases thrown away; longest time to the next run ${longestPickup} ms`);
}

async function real(kind: "sqlite" | "postgres"): Promise<void> {
  const trial = { kind, jobs, workers: 4, killEachMs: 10_000, killDatabaseEachMs: 25_000, seed };
  const { seconds, killedWorkers, killedDatabases, runs, longestPickup } = await runRealFarmTrial(trial);
  console.log(
    `${kind}: ${jobs} jobs done once each in ${seconds.toFixed(0)} s, in ${runs} runs, as by an undisturbed run;`,
  );
  console.log(
    `  ${killedWorkers} workers and ${killedDatabases} databases killed; longest time to the next run ${longestPickup} ms`,
  );
}

try {
  for (const kind of kinds) {
    if (kind === "postgres" && !HAS_POSTGRES) console.log("postgres: not installed, left out");
    else if (chosen.includes("real")) await real(kind);
    else {
      const trial = { kind, jobs, workers: 4, slots: 5, jobMs: 100, leaseMs: 30_000, killEachMs: 10_000 };
      report(kind, await runFarmTrial({ ...trial, killDatabaseEachMs: 25_000, seed, worker: workerWords() }));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
