import { testDamagedFiles } from "../fixture/damaged-files-suite.ts";

// All of them in `test/long/damaged-files.long.ts`.
testDamagedFiles({ share: 1 / 60, cutPercent: 10, zeroBytes: 1e6 });
