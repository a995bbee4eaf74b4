import { type Motion, NO_MOTION, type StagedMotion, stagedMotion } from "../job-exposure.ts";

/** How the G-code of a format names pictures and waits. */
export interface GcodeDialect {
  /** The picture that a line shows: group 1. */
  readonly picture: RegExp;
  /** The file of a picture. A name without a file is kept. */
  nameOf(picture: string): string | undefined;
  /** The wait of a line in milliseconds: group 1. */
  readonly wait: RegExp;
  /**
   * Waits begin with the moves before them, and last until these are done. Those with a leading 0 only wait for them.
   */
  readonly waitsCoverMoves: boolean;
}

/** A layer as its G-code exposes it; seconds and millimetres. */
export interface GcodeLayer {
  readonly picture: string;
  readonly zMm: number;
  readonly exposureS: number;
  readonly light: number;
  /** What precedes the exposure. */
  readonly lift: StagedMotion;
  readonly waitAfterLiftS: number;
  readonly retract: StagedMotion;
  readonly waitAfterRetractS: number;
  /** What follows it. */
  readonly waitAfterCureS: number;
}

/** The state of the machine while it carries out a G-code. */
interface Machine {
  isRelative: boolean;
  zMm: number;
  mmPerMin: number;
  picture: string | undefined;
  light: number;
  ups: Motion[];
  downs: Motion[];
  /** Waits since the last exposure: before the first move, after an upward one, after a downward one. */
  waitsMs: [number, number, number];
  /** Duration of the moves that no wait covers yet. */
  movingMs: number;
}

/** The layers that a G-code exposes, in its order, at most one more than `most`. */
export function gcodeLayers(text: string, dialect: GcodeDialect, most: number): GcodeLayer[] {
  const machine = newMachine();
  const layers: GcodeLayer[] = [];
  for (let at = 0; at < text.length && layers.length <= most;) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end < 0 ? text.length : end).trim();
    at = end < 0 ? text.length : end + 1;
    const last = layers.at(-1);
    const exposed = carryOut(line, machine, dialect);
    if (exposed === undefined) continue;
    if (exposed.picture === undefined || exposed.picture === last?.picture) {
      // A layer that is exposed in parts.
      if (last) layers[layers.length - 1] = { ...last, exposureS: last.exposureS + exposed.ms / 1000 };
      continue;
    }
    if (last) layers[layers.length - 1] = { ...last, waitAfterCureS: machine.waitsMs[0] / 1000 };
    layers.push(layerOf(machine, exposed.picture, exposed.ms));
    [machine.ups, machine.downs, machine.waitsMs] = [[], [], [0, 0, 0]];
  }
  const last = layers.at(-1);
  if (last) layers[layers.length - 1] = { ...last, waitAfterCureS: machine.waitsMs[0] / 1000 };
  return layers;
}

const newMachine = (): Machine => ({
  isRelative: false,
  zMm: 0,
  mmPerMin: 0,
  picture: undefined,
  light: 0,
  ups: [],
  downs: [],
  waitsMs: [0, 0, 0],
  movingMs: 0,
});

interface Exposed {
  readonly picture: string | undefined;
  readonly ms: number;
}

/** Carries out a line, and returns the exposure that it is, if it is one. */
function carryOut(line: string, machine: Machine, dialect: GcodeDialect): Exposed | undefined {
  const [, picture] = dialect.picture.exec(line) ?? [];
  if (picture !== undefined) machine.picture = dialect.nameOf(picture) ?? picture;
  const [, ms] = dialect.wait.exec(line) ?? [];
  if (ms !== undefined) return wait(machine, ms, dialect);
  const command = line.split(";", 1)[0];
  if (/^G9[01]\b/.test(command)) machine.isRelative = command.startsWith("G91");
  if (/^G[01]\s/.test(command)) move(machine, numberAfter(command, "Z"), numberAfter(command, "F"));
  if (/^M106\b/.test(command)) machine.light = Math.min(255, Math.max(0, numberAfter(command, "S") ?? 255));
  return undefined;
}

function numberAfter(command: string, letter: string): number | undefined {
  const [, digits] = new RegExp(`\\s${letter}(-?\\d*\\.?\\d+)`).exec(command) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function wait(machine: Machine, digits: string, { waitsCoverMoves }: GcodeDialect): Exposed | undefined {
  const ms = Number(digits);
  if (machine.light > 0) return { picture: machine.picture, ms };
  const moment = machine.downs.length > 0 ? 2 : machine.ups.length > 0 ? 1 : 0;
  const isForMoves = waitsCoverMoves && /^0\d/.test(digits);
  if (!isForMoves) machine.waitsMs[moment] += Math.max(0, ms - (waitsCoverMoves ? Math.round(machine.movingMs) : 0));
  machine.movingMs = 0;
  return undefined;
}

/** A move is kept with the height that it ends at. */
function move(machine: Machine, z: number | undefined, mmPerMin: number | undefined): void {
  machine.mmPerMin = mmPerMin ?? machine.mmPerMin;
  if (z === undefined) return;
  const toMm = machine.isRelative ? machine.zMm + z : z;
  const moves = toMm > machine.zMm ? machine.ups : machine.downs;
  if (toMm !== machine.zMm) moves.push({ mm: toMm, mmPerMin: machine.mmPerMin });
  if (machine.mmPerMin > 0) machine.movingMs += (60_000 * Math.abs(toMm - machine.zMm)) / machine.mmPerMin;
  machine.zMm = toMm;
}

function layerOf({ zMm, light, ups, downs, waitsMs }: Machine, picture: string, ms: number): GcodeLayer {
  const peakMm = ups.at(-1)?.mm ?? zMm;
  // A lift begins at the height of the new layer: the layer's thickness is no part of it.
  const lift = inTwoStages(ups.map(({ mm, mmPerMin }, k) => ({ mm: mm - (ups[k - 1]?.mm ?? zMm), mmPerMin })));
  const retract = inTwoStages(
    downs.map(({ mm, mmPerMin }, k) => ({ mm: (downs[k - 1]?.mm ?? peakMm) - mm, mmPerMin })),
  );
  const [, afterLift, afterRetract] = waitsMs;
  return {
    picture,
    zMm: rounded(zMm),
    exposureS: ms / 1000,
    light,
    lift,
    waitAfterLiftS: afterLift / 1000,
    retract,
    waitAfterRetractS: afterRetract / 1000,
    waitAfterCureS: 0,
  };
}

function inTwoStages(motions: readonly Motion[]): StagedMotion {
  const [first = NO_MOTION, ...more] = motions
    .filter(({ mm }) => mm > 1e-9)
    .map((one) => ({ ...one, mm: rounded(one.mm) }));
  const mm = more.reduce((sum, one) => sum + one.mm, 0);
  const minutes = more.reduce((sum, one) => sum + one.mm / one.mmPerMin, 0);
  return stagedMotion(first, more.length === 0 ? NO_MOTION : { mm, mmPerMin: rounded(mm / minutes) });
}

/** Removes the rounding errors of differences. */
const rounded = (mm: number): number => Math.round(mm * 1e6) / 1e6;
