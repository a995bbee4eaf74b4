import { testDamagedFiles } from "../fixture/damaged-files-suite.ts";

// All of them in `test/long/damaged-files.long.ts`.
testDamagedFiles({ share: 1 / 120, cutPercent: 20, zeroBytes: 1e6 });
