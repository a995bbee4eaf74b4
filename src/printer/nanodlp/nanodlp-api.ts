import * as v from "valibot";
import { operationFailed } from "../../core/api-error.ts";
import { CancelledError } from "../../core/progress.ts";
import { type HttpReply, jsonOf } from "../http-client.ts";
import { multipartForm } from "../multipart.ts";
import { lenient } from "../polled/lenient.ts";
import { LIST_BYTES, type MachineCall, type Sender, newMachineCalls } from "../polled/machine-calls.ts";
import type { MachineApi, PollTiming } from "../polled/machine.ts";
import { requireAccepted } from "../polled/refusal.ts";
import { pause } from "../waiting.ts";
import { chooseProfile, profilesReply } from "./profiles.ts";

/** NanoDLP writes numbers and flags as such or as texts. */
const whole = v.pipe(v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))]), v.integer());
const flag = v.union([
  v.boolean(),
  v.pipe(
    v.picklist([0, 1, "0", "1", "true", "false"]),
    v.transform((value) => value === 1 || value === "1" || value === "true"),
  ),
]);

const statusReply = v.object({
  Printing: flag,
  Paused: lenient(flag),
  State: lenient(whole),
  LayerID: lenient(whole),
  LayersCount: lenient(whole),
});

const platesReply = v.nullable(
  v.array(
    v.object({
      PlateID: lenient(whole),
      Path: lenient(v.string()),
      Processed: lenient(flag),
    }),
  ),
);

const addedReply = v.object({ PlateID: whole });

interface Plate {
  readonly id: number;
  readonly title: string;
  /** Whether its layers are ready to be printed. */
  readonly isProcessed: boolean;
}

/** `State` of the status, in words (source: DragonFruit's client). */
const STATES = ["Idle", "Printing", "Pausing", "Paused", "Cancelling", "Printing"];

/** An upload to a machine. */
interface Upload {
  /** The id that the machine has answered; undefined where it has answered none. */
  id?: number | undefined;
  /** The plates that the machine had before. */
  readonly earlier: ReadonlySet<number>;
}

/** NanoDLP's interface (source: nanodlp/api-docs, its official description). `profile`: see `KnownPrinter.profile`. */
export function nanoDlpApi(sender: Sender, profile: string | undefined, timing: PollTiming): MachineApi {
  const { json } = newMachineCalls(sender, timing.uploadReplyMs);
  const uploads = new Map<string, Upload>();

  async function plates(signal: AbortSignal): Promise<Plate[]> {
    const all = (await json("/plates/list/json", platesReply, signal, LIST_BYTES)) ?? [];
    return all.flatMap(({ PlateID: id, Path: title = "", Processed: isProcessed = false }) =>
      id === undefined ? [] : [{ id, title, isProcessed }],
    );
  }

  const profileFor = async (job: Parameters<typeof chooseProfile>[1], signal: AbortSignal): Promise<number> =>
    chooseProfile(await json("/json/db/profiles.json", profilesReply, signal, LIST_BYTES), job, profile);

  async function order(call: MachineCall): Promise<HttpReply> {
    const reply = await sender.send(call);
    if (!isRedirect(reply)) requireAccepted(sender.base, reply);
    return reply;
  }

  /** The plates that were added since the upload of a job began, and that of the job: a plate that was there before is never taken for it. */
  async function find(fileName: string, signal: AbortSignal): Promise<{ own?: Plate | undefined; added: Plate[] }> {
    const upload = uploads.get(fileName);
    if (!upload) return { added: [] };
    const added = (await plates(signal)).filter(({ id }) => !upload.earlier.has(id));
    const title = titleOf(fileName);
    return { own: added.find((one) => one.title.includes(title)) ?? added.find(({ id }) => id === upload.id), added };
  }

  return {
    async status(signal) {
      const { Printing, Paused = false, State = 0, LayerID, LayersCount } = await json("/status", statusReply, signal);
      const state = Printing && State === 0 ? "Printing" : (STATES[State] ?? "Busy");
      const where = Printing && LayerID !== undefined && LayersCount ? `, layer ${LayerID} of ${LayersCount}` : "";
      return { text: `${Paused ? "Paused" : state}${where}`, isReady: !Printing && !Paused && State === 0 };
    },
    freeBytes: async () => undefined,
    async requireFit(job, signal) {
      await profileFor(job, signal);
    },
    async upload(fileName, { path, bytes }, signal, onSent, job) {
      const profileId = await profileFor(job, signal);
      const upload: Upload = { earlier: new Set((await plates(signal)).map(({ id }) => id)) };
      uploads.delete(fileName);
      uploads.set(fileName, upload);
      for (const oldest of [...uploads.keys()].slice(0, -MAX_UPLOADS)) uploads.delete(oldest);
      const fields = [
        ["Path", titleOf(fileName)],
        ["ProfileID", String(profileId)],
      ] as const;
      const form = multipartForm(fields, { field: "ZipFile", fileName, content: { path, from: 0, to: bytes } });
      const limits = { replyMs: timing.uploadReplyMs };
      upload.id = addedId(
        await order({ ...form, method: "POST", path: "/plate/add", signal, onSent, limits }),
        sender.base,
      );
    },
    async has(fileName, _, signal) {
      for (const end = performance.now() + timing.uploadReplyMs; ; await pause(timing.retryMs, signal)) {
        if (signal.aborted) throw new CancelledError();
        const { own } = await find(fileName, signal);
        if (own?.isProcessed) return true;
        // A plate that is not listed at once may follow: the machine has answered before it was done.
        if (performance.now() >= end) return false;
      }
    },
    async start(fileName, signal) {
      const { own } = await find(fileName, signal);
      if (!own) throw operationFailed("its list of plates has lost the job");
      await order({ path: `/printer/start/${own.id}`, signal });
    },
    async remove(fileName, signal) {
      const { own, added } = await find(fileName, signal);
      if (own) await order({ path: `/plate/delete/${own.id}`, signal });
      else if (added.length > 0) throw operationFailed("none of its new plates has the title of the job");
      uploads.delete(fileName);
    },
  };
}

/** As many jobs as may be on their way to one machine. */
const MAX_UPLOADS = 32;

/** The title of a job on the machine, which is unique as its file name is. */
const titleOf = (fileName: string): string => fileName.replace(/\.[^.]*$/, "");

const isRedirect = ({ status }: HttpReply): boolean => status >= 300 && status < 400;

/** The id of the plate that was added: the last number of the redirect, else that of a JSON reply; undefined where there is neither. */
function addedId(reply: HttpReply, base: URL): number | undefined {
  const [, fromPlace] = /(\d{1,9})\D*$/.exec(reply.headers.location ?? "") ?? [];
  if (fromPlace !== undefined) return Number(fromPlace);
  try {
    const parsed = v.safeParse(addedReply, jsonOf(reply, base));
    return parsed.success ? parsed.output.PlateID : undefined;
  } catch {
    return undefined;
  }
}
