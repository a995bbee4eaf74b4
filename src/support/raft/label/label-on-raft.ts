import { clipped } from "../../../mesh/boolean/region/clipped.ts";
import { cutOut } from "../../../mesh/boolean/region/cut-out.ts";
import { filled } from "../../../mesh/boolean/region/filled.ts";
import { grown } from "../../../mesh/boolean/region/grown.ts";
import { loft } from "../../../mesh/boolean/region/loft.ts";
import { areaOf, type Region, type Ring, signedArea } from "../../../mesh/boolean/region/region.ts";
import { united } from "../../../mesh/boolean/region/united.ts";
import type { Surface } from "../../../mesh/mesh.ts";
import { raftForm } from "../raft-form.ts";
import { type RaftGround, roomFor } from "../raft-outline.ts";
import { freeCells } from "./free-cells.ts";
import { labelTab } from "./label-tab.ts";
import { type LabelPlace, placeLabel } from "./place-label.ts";
import { type TextStrokes, textStrokes } from "./text-strokes.ts";

/** Heights of capitals that are tried, the largest first; the least that 0.05 mm pixels and layers still show. */
const HEIGHTS_MM = [6, 5, 4, 3];
/** Width of strokes, in heights of capitals. */
const STROKE_SHARE = 0.12;
/** Width and reach of the slots that open letters, in heights of capitals. */
const SLOT_SHARE = 0.1;
const SLOT_REACH = 1.2;
const RAISED_MM = 0.4;
/** So deep the letters reach into the raft, to become one with it. */
const SUNK_MM = 0.2;
/** Longer tabs would take more than they tell. */
const MOST_TAB_MM = 80;
/** A tab that is clipped by less, as a share of its area, is not clipped. */
const ROUNDING = 1e-6;
/** Letters keep so far from the rim, from pillars, and below the model. */
const CLEARANCE_MM = 0.5;

/** What a raft covers with its label on it. */
export interface LabelledRaft {
  readonly outline: Region;
  /** Raised letters, closed bodies; none where no label is asked for, or finds room. */
  readonly letters: readonly Surface[];
}

/**
 * A full raft, whose top lies at `topMm`, with its label: as large as it finds room between the pillars, along x or along
 * y, at the front before the back; where there is none, on a tab at its front, if that is not too long and stays in the volume.
 */
export async function labelOnRaft(
  outline: Region,
  topMm: number,
  ground: RaftGround,
  text: string,
): Promise<LabelledRaft> {
  const { settings, feet } = ground;
  const hasRoomAbove = settings.heightAboveRaftMm >= RAISED_MM + CLEARANCE_MM;
  const bare = { outline, letters: [] };
  if (!settings.raftLabelEnabled || !raftForm(settings).isOnePiece || !hasRoomAbove) return bare;
  const { strokes, width } = textStrokes(text.trim());
  if (strokes.length === 0) return bare;
  const inner = await grown(outline, -CLEARANCE_MM);
  const obstacles = feet.map(({ x, y, radius }) => ({ x, y, radius: radius + CLEARANCE_MM }));
  const found = placeLabel(freeCells(inner, obstacles), width, HEIGHTS_MM);
  if (found) return { outline, letters: [await lettersOf(strokes, found, topMm)] };
  const { ring, place } = labelTab(outline, width, HEIGHTS_MM.at(-1)!);
  const room = await roomFor(ground);
  const isCut = room && areaOf(await clipped([ring], room)) < areaOf([ring]) * (1 - ROUNDING);
  if (isCut || width * HEIGHTS_MM.at(-1)! > MOST_TAB_MM) return bare;
  return { outline: await filled([...outline, ring]), letters: [await lettersOf(strokes, place, topMm)] };
}

async function lettersOf(
  strokes: TextStrokes["strokes"],
  { heightMm, toRaft }: LabelPlace,
  topMm: number,
): Promise<Surface> {
  const bars = strokes.flatMap((stroke) => {
    const places = stroke.map(toRaft);
    return places.slice(1).map((place, i) => bar(places[i], place, STROKE_SHARE * heightMm));
  });
  const letters = await united(bars);
  const slots = letters.filter((ring) => signedArea(ring) < 0).map((counter) => slot(counter, toRaft, heightMm));
  const region = await cutOut(letters, slots);
  return await loft([topMm - SUNK_MM, topMm + RAISED_MM].map((zMm) => ({ zMm, region })));
}

/** The way out of a counter, the opening of a letter, for the resin in it: from its middle up through the letter. */
function slot(counter: Ring, toRaft: LabelPlace["toRaft"], heightMm: number): Ring {
  const [x, y] = [0, 1].map((axis) => {
    const values = counter.filter((_, i) => i % 2 === axis);
    return (Math.min(...values) + Math.max(...values)) / 2;
  });
  const [origin, up] = [toRaft([0, 0]), toRaft([0, SLOT_REACH])];
  return bar([x, y], [x + up[0] - origin[0], y + up[1] - origin[1]], SLOT_SHARE * heightMm);
}

/** A straight stroke with square ends; a dot where it has no length. */
function bar([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number], width: number): Ring {
  const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
  const [x, y] = length > 0 ? [((bx - ax) / length) * (width / 2), ((by - ay) / length) * (width / 2)] : [width / 2, 0];
  return Float64Array.of(
    ax - x + y,
    ay - y - x,
    bx + x + y,
    by + y - x,
    bx + x - y,
    by + y + x,
    ax - x - y,
    ay - y + x,
  );
}
