import { testMutatedFiles } from "../fixture/mutated-files.ts";

testMutatedFiles(1);
