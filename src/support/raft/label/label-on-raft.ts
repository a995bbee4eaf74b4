import { clipped } from "../../../mesh/boolean/region/clipped.ts";
import { cutOut } from "../../../mesh/boolean/region/cut-out.ts";
import { filled } from "../../../mesh/boolean/region/filled.ts";
import { grown } from "../../../mesh/boolean/region/grown.ts";
import { loft } from "../../../mesh/boolean/region/loft.ts";
import { rangeOf } from "../../../mesh/boolean/region/range-of.ts";
import { areaOf, cornerCount, type Region, type Ring, signedArea } from "../../../mesh/boolean/region/region.ts";
import type { Surface } from "../../../mesh/mesh.ts";
import { raftForm } from "../raft-form.ts";
import { type RaftGround, roomFor } from "../raft-outline.ts";
import { freeCells } from "./free-cells.ts";
import { labelTab } from "./label-tab.ts";
import { placeLabel, type ToRaft } from "./place-label.ts";
import { type TextBlock, textBlock } from "./text-block.ts";

/** Heights of capitals that are tried, the largest first; the least that 0.05 mm pixels and layers still show. */
const HEIGHTS_MM = [6, 5, 4, 3];
/** Width of the slots that open letters, in heights of capitals. */
const SLOT_SHARE = 0.1;
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
  const block = await textBlock(text);
  if (!block) return bare;
  const inner = await grown(outline, -CLEARANCE_MM);
  const obstacles = feet.map(({ x, y, radius }) => ({ x, y, radius: radius + CLEARANCE_MM }));
  const found = placeLabel(freeCells(inner, obstacles), block, HEIGHTS_MM);
  if (found) return { outline, letters: [await lettersOf(block, found, topMm)] };
  const { ring, toRaft } = labelTab(outline, block, HEIGHTS_MM.at(-1)!);
  const room = await roomFor(ground);
  const isCut = room && areaOf(await clipped([ring], room)) < areaOf([ring]) * (1 - ROUNDING);
  if (isCut || block.width * HEIGHTS_MM.at(-1)! > MOST_TAB_MM) return bare;
  return { outline: await filled([...outline, ring]), letters: [await lettersOf(block, toRaft, topMm)] };
}

async function lettersOf(block: TextBlock, toRaft: ToRaft, topMm: number): Promise<Surface> {
  const letters = block.letters.map((ring) => onRaft(ring, toRaft));
  const slots = letters.filter((ring) => signedArea(ring) < 0).map((counter) => slot(counter, block.height, toRaft));
  const region = await cutOut(letters, slots);
  return await loft([topMm - SUNK_MM, topMm + RAISED_MM].map((zMm) => ({ zMm, region })));
}

function onRaft(ring: Ring, toRaft: ToRaft): Ring {
  const corners = Array.from({ length: cornerCount(ring) }, (_, i) => toRaft([ring[2 * i], ring[2 * i + 1]]));
  return Float64Array.from(corners.flat());
}

/** The way out of a counter, the opening of a letter, for the resin in it: from its middle up through the letter. */
function slot(counter: Ring, blockHeight: number, toRaft: ToRaft): Ring {
  const [x, y] = ([0, 1] as const).map((axis) => (rangeOf([counter], axis)[0] + rangeOf([counter], axis)[1]) / 2);
  const [origin, right, up] = [toRaft([0, 0]), toRaft([SLOT_SHARE / 2, 0]), toRaft([0, blockHeight])];
  const [rightX, rightY, upX, upY] = [right[0] - origin[0], right[1] - origin[1], up[0] - origin[0], up[1] - origin[1]];
  return Float64Array.of(
    x - rightX,
    y - rightY,
    x + rightX,
    y + rightY,
    x + rightX + upX,
    y + rightY + upY,
    x - rightX + upX,
    y - rightY + upY,
  );
}
