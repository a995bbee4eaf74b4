import process from "node:process";
import { test } from "node:test";
import { runDayTrial } from "../fixture/day/day-trial.ts";
import { HAS_POSTGRES } from "../fixture/postgres.ts";
import { TEST_SEED } from "../fixture/random.ts";

// A short form of `bun run test:day`: a plan each three hours, and nearly each fault once.
const DAY = { orders: 45, hourMs: 700, step: 3, seed: TEST_SEED + 3 };

for (const kind of ["sqlite", "postgres"] as const) {
  const isThere = process.platform === "linux" && (kind === "sqlite" || HAS_POSTGRES);
  const skip = isThere ? false : "needs Linux and, for postgres, an installed PostgreSQL";
  test(
    `${kind}: a day of a shop with faults loses no part, makes none twice and names what is late`,
    { skip, timeout: 300_000 },
    async () => {
      await runDayTrial({ kind, ...DAY });
    },
  );
}
