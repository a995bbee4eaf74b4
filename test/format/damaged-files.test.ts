import { testDamagedFiles } from "../fixture/damaged-files.ts";

// All of them in `test/long/damaged-files.long.ts`.
testDamagedFiles({ share: 1 / 30, cutPercent: 5, zeroBytes: 1e6 });
