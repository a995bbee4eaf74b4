import { testDamagedFiles } from "../fixture/damaged-files-suite.ts";

testDamagedFiles({ share: 1, cutPercent: 1, zeroBytes: 100e6 });
