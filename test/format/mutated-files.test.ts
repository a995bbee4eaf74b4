import { testMutatedFiles } from "../fixture/mutated-files.ts";

// All of them in `test/long/mutated-files.long.ts`.
testMutatedFiles(0.04);
