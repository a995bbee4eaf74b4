import { benchCadFiles } from "./cad-files.ts";
import { benchCadPeers } from "./cad-peers.ts";
import { benchCaging } from "./caging.ts";
import { benchCancelling } from "./cancelling.ts";
import { benchChecking, benchThinning } from "./checking.ts";
import { benchCommands } from "./commands.ts";
import { benchCores } from "./cores.ts";
import { benchDrilling } from "./drilling.ts";
import { benchEditingSupports } from "./editing-supports.ts";
import { benchFairTurns } from "./fair-turns.ts";
import { benchExport, benchImport, benchProjectFile } from "./files.ts";
import { benchDentalHollowing, benchHollowing } from "./hollowing.ts";
import { benchJobInspect } from "./job-inspect.ts";
import { benchInfill } from "./infill.ts";
import { benchJobEdges } from "./job-edges.ts";
import { benchJobGreys } from "./job-greys.ts";
import { benchOverCure } from "./over-cure.ts";
import { benchJobLayers } from "./job-layers.ts";
import { benchJobVolume } from "./job-volume.ts";
import { benchLabelling } from "./labelling.ts";
import { benchLayout } from "./layout.ts";
import { benchMemoryNeeds } from "./memory-needs.ts";
import { benchModelFiles } from "./model-files.ts";
import { benchOrienting } from "./orienting.ts";
import { benchPage } from "./page.ts";
import { benchPageEditing } from "./page-editing.ts";
import { benchPageInBrowser } from "./page-in-browser.ts";
import { benchPackedChamber } from "./packed-chamber.ts";
import { benchPacking } from "./packing.ts";
import { benchPictures } from "./pictures.ts";
import { benchPlanning } from "./planning.ts";
import { benchPlate } from "./plate.ts";
import { benchPlayingLayers } from "./playing-layers.ts";
import { benchPreparing } from "./preparing.ts";
import { benchPrintability } from "./printability.ts";
import { benchQuotes } from "./quotes.ts";
import { benchRechecking } from "./rechecking.ts";
import { benchRepairing } from "./repairing.ts";
import { benchHolding, benchMemory, benchReads, benchStartup } from "./server.ts";
import { benchSending } from "./sending.ts";
import { benchSdcp } from "./sdcp.ts";
import { benchSlicing } from "./slicing.ts";
import { benchSupporting } from "./supporting.ts";

// `bun run bench` runs all benchmarks, `bun run bench import reads` the named ones; `--large` adds rows that take a minute, and
// `startup --beside=PATH` compares the start with that of another executable. Each figure is printed with a floor or a peer that the same
// run measures, because machines differ and are noisy.

const BENCHES = {
  startup: benchStartup,
  commands: benchCommands,
  cores: benchCores,
  import: benchImport,
  "cad-files": benchCadFiles,
  "cad-peers": benchCadPeers,
  "model-files": benchModelFiles,
  reads: benchReads,
  holding: benchHolding,
  memory: benchMemory,
  "memory-needs": benchMemoryNeeds,
  "project-file": benchProjectFile,
  export: benchExport,
  orienting: benchOrienting,
  packing: benchPacking,
  "packed-chamber": benchPackedChamber,
  pictures: benchPictures,
  page: benchPage,
  "page-editing": benchPageEditing,
  "page-in-browser": benchPageInBrowser,
  "playing-layers": benchPlayingLayers,
  sending: benchSending,
  sdcp: benchSdcp,
  slicing: benchSlicing,
  "job-layers": benchJobLayers,
  infill: benchInfill,
  "job-edges": benchJobEdges,
  "job-greys": benchJobGreys,
  "job-volume": benchJobVolume,
  "over-cure": benchOverCure,
  "job-inspect": benchJobInspect,
  layout: benchLayout,
  cancelling: benchCancelling,
  "fair-turns": benchFairTurns,
  caging: benchCaging,
  checking: benchChecking,
  "dental-hollowing": benchDentalHollowing,
  drilling: benchDrilling,
  hollowing: benchHollowing,
  labelling: benchLabelling,
  supporting: benchSupporting,
  "editing-supports": benchEditingSupports,
  thinning: benchThinning,
  repairing: benchRepairing,
  plan: benchPlanning,
  plate: benchPlate,
  preparing: benchPreparing,
  printability: benchPrintability,
  quotes: benchQuotes,
  rechecking: benchRechecking,
};

const requested = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
for (const [name, bench] of Object.entries(BENCHES)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  for (const { what, ours, beside, aim } of await bench()) {
    console.log(`${what}: ${[ours, beside, aim && `aim ${aim}`].filter(Boolean).join("; ")}`);
  }
}
