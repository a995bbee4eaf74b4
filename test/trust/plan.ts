import process from "node:process";
import { runPlanTrial } from "../fixture/plan-trial.ts";
import { trialOptions } from "./options.ts";

// `bun run test:plan [--arches N]` plans dental arches of patients from files, and opens every plate of the plan: parts that are too near to
// each other or outside of the platform, and patients on more than two plates, make the exit status 1.

const MIB = 2 ** 20;

const { arches } = trialOptions("test:plan", { arches: 10_000 });
const trial = await runPlanTrial(arches, console.log);
const on = trial.groupsOn.map((groups, i) => `${groups} on ${i + 1}`).join(", ");
console.log(
  [
    `${arches} arches: ${trial.plates} plates, where no plan has fewer than ${trial.leastPlates}; patients: ${on};`,
    `  planned in ${trial.planS.toFixed(1)} s` +
      (trial.planCpuS === undefined ? "" : `, ${trial.planCpuS.toFixed(1)} s of processor time`) +
      (trial.peakBytes === undefined ? "" : `; ${(trial.peakBytes / MIB).toFixed(0)} MB at most`),
    `  all plates opened: ${trial.interferences} interferences, ${trial.outside} parts outside`,
  ].join("\n"),
);
process.exit(trial.interferences + trial.outside + (trial.groupsOn[2] ?? 0) === 0 ? 0 : 1);
