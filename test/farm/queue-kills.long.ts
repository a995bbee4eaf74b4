import { test } from "node:test";
import { runFarmTrial } from "../fixture/farm-trial.ts";
import { HAS_POSTGRES } from "../fixture/postgres.ts";
import { TEST_SEED } from "../fixture/random.ts";

// A short form of `bun run test:farm`.
const TRIAL = {
  jobs: 1000,
  workers: 4,
  slots: 5,
  jobMs: 60,
  leaseMs: 3000,
  killEachMs: 1500,
  killDatabaseEachMs: 4000,
  seed: TEST_SEED,
};

test("sqlite: each job takes effect once although workers are killed", async () => {
  await runFarmTrial({ kind: "sqlite", ...TRIAL });
});

test(
  "postgres: each job takes effect once although workers and the database are killed",
  {
    skip: HAS_POSTGRES ? false : "no PostgreSQL is installed",
  },
  async () => {
    await runFarmTrial({ kind: "postgres", ...TRIAL });
  },
);
