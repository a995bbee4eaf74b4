import { benchCancelling } from "./cancelling.ts";
import { benchChecking } from "./checking.ts";
import { benchDentalHollowing } from "./dental-hollowing.ts";
import { benchDrilling } from "./drilling.ts";
import { benchHollowing } from "./hollowing.ts";
import { benchImport } from "./import.ts";
import { benchLabelling } from "./labelling.ts";
import { benchLayout } from "./layout.ts";
import { benchMemory } from "./memory.ts";
import { benchOrienting } from "./orienting.ts";
import { benchPictures } from "./pictures.ts";
import { benchPlate } from "./plate.ts";
import { benchProjectFile } from "./project-file.ts";
import { benchReads } from "./reads.ts";
import { benchRepairing } from "./repairing.ts";
import { benchSlicing } from "./slicing.ts";
import { benchStartup } from "./startup.ts";
import { benchSupporting } from "./supporting.ts";
import { benchThinning } from "./thinning.ts";

// `bun run bench` runs all; `bun run bench import reads` those named. Each figure stands beside a floor or a peer of the
// same run, because machines differ and are noisy.

const BENCHES = {
  startup: benchStartup,
  import: benchImport,
  reads: benchReads,
  memory: benchMemory,
  "project-file": benchProjectFile,
  orienting: benchOrienting,
  pictures: benchPictures,
  slicing: benchSlicing,
  layout: benchLayout,
  cancelling: benchCancelling,
  checking: benchChecking,
  "dental-hollowing": benchDentalHollowing,
  drilling: benchDrilling,
  hollowing: benchHollowing,
  labelling: benchLabelling,
  supporting: benchSupporting,
  thinning: benchThinning,
  repairing: benchRepairing,
  plate: benchPlate,
};

const asked = process.argv.slice(2);
for (const [name, bench] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const { what, ours, beside, aim } of await bench()) {
    console.log(`${what}: ${[ours, beside, aim && `aim ${aim}`].filter(Boolean).join("; ")}`);
  }
}
