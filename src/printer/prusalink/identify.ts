import * as v from "valibot";
import { printerTypes } from "../../catalog/catalog.ts";
import type { JobKind, PrinterType } from "../../catalog/setting.ts";
import { operationFailed } from "../../core/api-error.ts";
import { type MachineCalls, newMachineCalls } from "../polled/machine-calls.ts";
import { lenient, shortText } from "../polled/lenient.ts";
import { type Machine, MachineRefusal, type PollTiming } from "../polled/machine.ts";
import type { PolledHost } from "../polled/polled-protocol.ts";
import { legacyApi } from "./legacy-api.ts";
import { KeyProblem, SignedSender } from "./signed-calls.ts";
import { v1Api } from "./v1-api.ts";
import { must } from "../../core/must.ts";

const versionReply = v.object({
  text: v.nullish(shortText, ""),
  hostname: lenient(shortText),
  server: lenient(shortText),
  version: lenient(shortText),
  firmware: lenient(shortText),
  printer: v.nullish(shortText, ""),
  capabilities: v.nullish(v.object({ "upload-by-put": v.nullish(v.boolean(), false) }), {}),
});
type Version = v.InferOutput<typeof versionReply>;
const UNKNOWN_VERSION = v.parse(versionReply, {});

const infoReply = v.object({
  name: v.nullish(shortText, ""),
  serial: lenient(shortText),
  hostname: lenient(shortText),
});

const profilesReply = v.object({
  profiles: v.array(v.object({ projectExtensions: v.nullish(v.array(v.string()), []) })),
});

/**
 * Identifies a machine: the version of its interface, and whether it is an SL1 or an SL1S, which take different files. A machine whose key
 * is missing or wrong is listed all the same, since it is connected. `refusedAt` has the addresses of machines that have refused their
 * keys. Throws OPERATION_FAILED for another kind of machine, and what the calls throw.
 */
export async function identifyPrusaLink(
  host: PolledHost,
  refusedAt: Set<string>,
  timing: PollTiming,
  signal: AbortSignal,
): Promise<Machine> {
  const { base, known } = host;
  const { credentials } = known;
  const sender = new SignedSender({ base, credentials, refusedAt, replyMs: timing.replyMs });
  const calls = newMachineCalls(sender, timing.uploadReplyMs);
  let version: Version = UNKNOWN_VERSION;
  try {
    version = await calls.json("/api/version", versionReply, signal);
    return await askMachine(host, version, calls, signal);
  } catch (thrown) {
    if (!(thrown instanceof KeyProblem)) throw thrown;
    return lockedMachine(host, version, thrown);
  }
}

async function askMachine(
  host: PolledHost,
  version: Version,
  calls: MachineCalls,
  signal: AbortSignal,
): Promise<Machine> {
  const { base } = host;
  // OctoPrint, which drives filament printers, answers under the same path.
  if (!/^prusa/i.test(version.text)) {
    throw operationFailed(`${base.host} is no Prusa printer, but ${JSON.stringify(version.text)}`);
  }
  const speaksV1 = (await calls.status({ path: "/api/v1/status", signal })) === 200;
  const info = speaksV1 ? await calls.json("/api/v1/info", infoReply, signal) : { name: "" };
  const printerType =
    (await typeByFiles(calls, signal)) ??
    typeByNames(host, [version.printer, info.name, info.hostname, version.hostname]);
  if (!printerType) {
    throw operationFailed(
      `${base.host} is neither an SL1 nor an SL1S, as far as it reports: give its machine_type in the printers file`,
    );
  }
  return {
    ...namesOf(host, info.serial, info.hostname ?? version.hostname),
    printerType,
    machineTypes: [printerType.machineType],
    firmwareVersion: version.firmware ?? version.version ?? version.text,
    firmwareWay: FIRMWARE_WAY,
    api: speaksV1 ? v1Api(calls, version.capabilities["upload-by-put"]) : legacyApi(calls),
  };
}

/** A machine that only demands its key. */
function lockedMachine(host: PolledHost, version: Version, problem: KeyProblem): Machine {
  const byNames = typeByNames(host, [version.printer, version.hostname]);
  // Other kinds of machines announce themselves in the same way, and this one was not named by the user.
  if (host.announced && !byNames) throw problem;
  const either = printerTypes().filter(({ job }) => job === "sl1" || job === "sl1s");
  const refuse = (): Promise<never> => Promise.reject(problem);
  return {
    ...namesOf(host, undefined, version.hostname),
    printerType: byNames ?? must(either[0], "a printer type with .sl1 jobs"),
    ...(!byNames && { unknownModel: "Prusa SLA printer, model not known until its key is right" }),
    machineTypes: (byNames ? [byNames] : either).map(({ machineType }) => machineType),
    firmwareVersion: "",
    firmwareWay: FIRMWARE_WAY,
    problem,
    api: {
      status: () => Promise.resolve({ text: problem.state, isReady: false }),
      freeBytes: refuse,
      upload: refuse,
      has: refuse,
      start: refuse,
      remove: refuse,
    },
  };
}

const FIRMWARE_WAY = "copy the .raucb file to a USB drive, or let the printer fetch it, and update from its own menu";

function namesOf(
  { known, announced }: PolledHost,
  serial?: string,
  hostname?: string,
): Pick<Machine, "id" | "otherNames"> {
  const name = hostname ?? (announced?.hostname || undefined);
  const id = known.name ?? serial ?? name ?? known.host;
  return { id, otherNames: [known.host, serial, name].filter((name) => name !== undefined) };
}

const typeOfJob = (job: JobKind): PrinterType | undefined => printerTypes().find((type) => type.job === job);

/** The type by the file extensions that the machine reports; undefined where it reports none, as some versions do. */
async function typeByFiles({ json }: MachineCalls, signal: AbortSignal): Promise<PrinterType | undefined> {
  try {
    const { profiles } = await json("/api/printerprofiles", profilesReply, signal);
    const extensions = new Set(profiles.flatMap(({ projectExtensions }) => projectExtensions));
    if (extensions.has(".sl1s")) return typeOfJob("sl1s");
    return extensions.has(".sl1") ? typeOfJob("sl1") : undefined;
  } catch (thrown) {
    if (thrown instanceof MachineRefusal) return undefined;
    throw thrown;
  }
}

/** The type by the names of the machine, else the one that the user gave. */
function typeByNames(
  { known, announced }: PolledHost,
  names: readonly (string | undefined)[],
): PrinterType | undefined {
  const all = [announced?.model, announced?.hostname, ...names].join(" ");
  if (/sl1s/i.test(all)) return typeOfJob("sl1s");
  if (/sl1/i.test(all)) return typeOfJob("sl1");
  return printerTypes().find(({ machineType, job }) => machineType === known.machineType && job.startsWith("sl1"));
}
