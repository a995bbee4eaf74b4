import process from "node:process";
import { mib, ms, peakBeyondRest, processorMs } from "../bench/measure.ts";
import { openDamagedFileReader } from "../fixture/damaged-file-reader.ts";
import { readDamaged } from "../fixture/damaged-files.ts";
import { FILE_KINDS, type FileKind } from "../fixture/file-kinds.ts";
import { MOST_FAULTS, newFaults } from "./faults.ts";
import { trialOptions } from "./options.ts";

// `bun run test:damage [--mutations N] [--from N] [--seed N] [kind …]` reads damaged files of each kind, like the suite of damaged
// files but with many more mutated ones, numbered from --from on. Files that find a fault are stored, and then the exit status is 1.
// To continue an interrupted trial of a kind, give the number that it printed last; to read one file again, give its number and
// --mutations 1.

const MUTATIONS = 10_000;
/** Beyond the memory of the process at rest. A hundred megabytes of zeros are held twice, and the CAD kernel may take 512 MiB (`occt/kernel.ts`). */
const MOST_BYTES = 1.25 * 2 ** 30;
const FILES_PER_LINE = 1000;

const { mutations, from, seed, chosen } = trialOptions("test:damage", { mutations: MUTATIONS, from: 0 });
const unknown = chosen.filter((name) => FILE_KINDS.every(({ what }) => what !== name));
if (unknown.length > 0) {
  console.error(
    `No kind is called ${unknown.join(" or ")}. The kinds: ${FILE_KINDS.map(({ what }) => what).join(", ")}.`,
  );
  process.exit(2);
}
// Fast kinds come first.
const kinds = FILE_KINDS.filter(({ what }) => chosen.length === 0 || chosen.includes(what)).toSorted(
  (a, b) => b.files - a.files,
);
const reader = openDamagedFileReader();

/** Prints the result for a kind, and returns the number of faults. */
async function run(kind: FileKind): Promise<number> {
  const faults = newFaults(seed);
  const plan = { cutPercent: 1, zeroBytes: 100e6, from, mutations, seed };
  const beganMs = processorMs(process.pid);
  let read = 0;
  const peak = await peakBeyondRest(async () => {
    try {
      read = await readDamaged(reader, kind, plan, {
        fault(name, thrown, bytes) {
          faults.add(name, thrown, bytes);
          if (faults.count() >= MOST_FAULTS) throw new Error(`${MOST_FAULTS} faults are enough`);
        },
        progress(done) {
          if (done % FILES_PER_LINE === 0) console.log(`${kind.what}: to ${from + done}`);
        },
      });
    } catch (thrown) {
      faults.add(kind.what, thrown, "");
    }
  });
  const isTooLarge = peak > MOST_BYTES;
  if (isTooLarge) console.log(`FAULT: ${kind.what} takes more than ${mib(MOST_BYTES)}`);
  const each = ms((processorMs(process.pid) - beganMs) / mutations);
  const found = faults.count() + Number(isTooLarge);
  console.log(
    `${kind.what}: ${mutations} mutated files, ${read} of them read, ${found} faults, ${each} of processor time each, peak ${mib(peak)}`,
  );
  return found;
}

let faults = 0;
for (const kind of kinds) faults += await run(kind);
await reader.close();
console.log(`${mutations * kinds.length} mutated files of ${kinds.length} kinds, ${faults} faults, seed ${seed}`);
process.exitCode = faults > 0 ? 1 : 0;
