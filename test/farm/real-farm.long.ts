import { test } from "node:test";
import { HAS_POSTGRES } from "../fixture/postgres.ts";
import { TEST_SEED } from "../fixture/random.ts";
import { runRealFarmTrial } from "../fixture/real-farm-trial.ts";

// A short form of `bun run test:farm real`.
const TRIAL = { jobs: 300, workers: 4, killEachMs: 3000, killDatabaseEachMs: 7000, seed: TEST_SEED };

for (const kind of ["sqlite", "postgres"] as const) {
  const skip = kind === "postgres" && !HAS_POSTGRES ? "no PostgreSQL is installed" : false;
  test(`${kind}: jobs of killed workers are done once each, as by an undisturbed run`, { skip }, async () => {
    await runRealFarmTrial({ kind, ...TRIAL });
  });
}
