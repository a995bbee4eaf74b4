import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stepOfBreps } from "../../../src/format/rhino/brep-step.ts";
import { rhinoLibrary } from "../../../src/format/rhino/rhino-library.ts";
import { processorMs } from "../../bench/measure.ts";
import { brepText } from "../../fixture/brep-file.ts";
import { boxFaces, igesText, movedFaces } from "../../fixture/iges-file.ts";
import { boxBrep } from "../../fixture/rhino-file.ts";
import { assertAnswered } from "../answer.ts";
import { type Family, type Lane, type SendInput, pick } from "./family.ts";

const SCENE = { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 };
/** The kernel's rounds are limited to about this processor time; compiling threads and a busy machine add to it. */
const BOUND_MS = 10_000;
const BOUND_MS_PER_MB = 5000;
const BOUND_SLACK = 1.5;
/** Share of the sound file's volume: less than this without a warning is a loss, and not just the changed size of a solid. */
const LOST_SHARE = 0.7;
const MOST_EDITS = 6;

interface Seed {
  readonly extension: string;
  readonly text: string;
}

/** Files of several solids, so that some can be lost. */
async function seeds(): Promise<Seed[]> {
  const bracket = readFileSync(new URL("../../../assets/demo/bracket.step", import.meta.url), "latin1");
  const places = [0, 1, 2].map((i): [number, number, number] => [20 * i, 0, 0]);
  const rhino = await rhinoLibrary(0);
  const boxes = stepOfBreps(
    places.map((at) => ({ name: "box", brep: boxBrep(rhino, at, [at[0] + 10, 12, 14]), unitMm: 1 })),
    1e-3,
  );
  return [
    { extension: "step", text: bracket },
    { extension: "stp", text: Buffer.from(boxes).toString("latin1") },
    { extension: "igs", text: igesText(places.flatMap((at) => movedFaces(boxFaces([10, 12, 14]), at))) },
    { extension: "brep", text: brepText(...places.map((at) => ({ size: [10, 12, 14] as const, at }))) },
  ];
}

type Random = Lane["random"];
type Edit = (text: string, random: Random) => string;

function withMatch(
  text: string,
  pattern: RegExp,
  random: Random,
  change: (match: string, all: string[]) => string,
): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const { index, 0: match } = pick(matches, random);
  const all = matches.map(([one]) => one);
  return text.slice(0, index) + change(match, all) + text.slice(index + match.length);
}

/** Removes lines, and makes references lead elsewhere or nowhere. Numbers stay, and so do the sizes of the remaining shapes. */
const LOSSES: readonly Edit[] = [
  (text, random) => withMatch(text, /\n[^\n;]+;?(?=\n)/g, random, () => ""),
  (text, random) => withMatch(text, /#\d+/g, random, (_, all) => pick(all, random)),
  (text, random) => withMatch(text, /#\d+/g, random, (id) => id.slice(0, -1)),
];
const NUMBER = /[-+]?\d+\.\d*(?:[eE][-+]?\d+)?/g;
const NUMBERS = ["nan", "inf", "1.E308", "1.E-308", "0.", "-1.", "1.E6", "999999.", "4294967295", "1.2.3", "", "1.E-7"];
/** Changes exponents, signs, digits and whole numbers. */
const NUMBER_EDITS: readonly Edit[] = [
  (text, random) => withMatch(text, NUMBER, random, () => pick(NUMBERS, random)),
  (text, random) => withMatch(text, NUMBER, random, (number) => `${number}E${Math.floor(random() * 20) - 8}`),
  (text, random) => withMatch(text, NUMBER, random, (number) => `-${number}`),
  (text, random) =>
    withMatch(text, NUMBER, random, (number) => number.replaceAll(/\d/g, () => String(Math.floor(random() * 10)))),
  (text, random) => withMatch(text, /\d+/g, random, () => pick(["0", "1", "5", "26", "2147483648"], random)),
];

/**
 * Mutated STEP, IGES and BREP files. An import must end within its bound of processor time. If only lines and references were
 * damaged, and ERROR accepts the file without a warning, the model must have its volume.
 */
export const mutatedCad: Family = {
  name: "cad",
  share: 4,
  // One lane, so that the processor time of the server is that of the import.
  lanes: 1,
  async open(lane: Lane): Promise<SendInput> {
    const { random, server } = lane;
    const scene_id = await server.newScene(SCENE);
    const sound = await seeds();

    async function volumeMl(): Promise<number> {
      const got = await lane.call("POST", "/v1/scene/get/", { scene_id });
      assertAnswered(got);
      return got.body.material_usage.unsupported_volume_ml;
    }

    async function imported({ extension, text }: Seed): Promise<{ status: number; lostMl: (all: number) => number }> {
      const file = join(server.folder, `${lane.name}.${extension}`);
      const bytes = Buffer.from(text, "latin1");
      writeFileSync(file, bytes);
      lane.note(bytes);
      const began = processorMs(server.printwright.pid);
      const reply = await lane.call("POST", "/v1/scene/model/import/", { scene_id, file, repair_behavior: "ERROR" });
      const tookMs = processorMs(server.printwright.pid) - began;
      assertAnswered(reply);
      const boundMs = BOUND_MS + (BOUND_MS_PER_MB * bytes.length) / 1e6;
      assert.ok(tookMs <= BOUND_SLACK * boundMs, `${tookMs} ms of processor time, ${boundMs} are the bound`);
      if (reply.status !== 200) return { status: reply.status, lostMl: () => 0 };
      const ml = await volumeMl();
      const isTold = (reply.body.warnings ?? []).length > 0;
      assertAnswered(await lane.call("DELETE", "/v1/scene/model/delete/", { scene_id }));
      return { status: reply.status, lostMl: (all) => (isTold ? 0 : all - ml) };
    }

    const wholeMl: number[] = [];
    for (const seed of sound) wholeMl.push(-(await imported(seed)).lostMl(0));
    return async () => {
      const which = Math.floor(random() * sound.length);
      const areLosses = random() < 0.5;
      const edits = 1 + Math.floor(random() * MOST_EDITS);
      let { text } = sound[which];
      for (let i = 0; i < edits; i++) text = pick(areLosses ? LOSSES : NUMBER_EDITS, random)(text, random);
      const { status, lostMl } = await imported({ ...sound[which], text });
      const lost = lostMl(wholeMl[which]);
      assert.ok(
        !areLosses || lost <= (1 - LOST_SHARE) * wholeMl[which],
        `${lost.toFixed(2)} of ${wholeMl[which].toFixed(2)} ml are missing without a word`,
      );
      return status;
    };
  },
};
