import { test } from "node:test";
import { CHANNELS, type ChannelKind } from "../fixture/event-channels.ts";
import { runEventTrial } from "../fixture/event-trial.ts";
import { HAS_POSTGRES } from "../fixture/postgres.ts";
import { TEST_SEED } from "../fixture/random.ts";

// A short form of `bun run test:events`.
const TRIAL = { changes: 600, kills: 3, quietJobs: 5, seed: TEST_SEED };

for (const kind of ["sqlite", "postgres"] as const) {
  const skip = kind === "postgres" && !HAS_POSTGRES ? "no PostgreSQL is installed" : false;
  for (const channel of Object.keys(CHANNELS) as ChannelKind[])
    test(
      `${kind}: no event is lost or out of order by ${channel} although its sender is killed`,
      { skip },
      async () => {
        await runEventTrial({ kind, channel, ...TRIAL });
      },
    );
}
