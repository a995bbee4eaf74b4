import { intersectPolygons, offsetPolygons, unionWithoutHoles } from "../../geometry/polygon-operations.ts";
import { type Polygon, type Polygons, polygonsArea, signedArea } from "../../geometry/polygon.ts";
import { cosSin } from "../../geometry/vector.ts";
import { loft } from "../../mesh/loft.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type PillarFoot, type RaftRequest, raftBounds, raftForm, raftProfile, rimOverhangMm } from "./raft-form.ts";
import { holdsMoments, maxRaftWidening } from "./raft-hold.ts";
import { labelRaft } from "./raft-label.ts";

/** The base of the pillars of a model. */
export interface Raft {
  /**
   * The closed bodies whose union it is: its plates and the letters of its label. None without feet; with pillars on the
   * bare platform only the bases that connect several flares.
   */
  readonly bodies: readonly Surface[];
  /** Distance by which the raft, or each flare, extends beyond its form to all sides, so that the platform holds it. */
  readonly widenMm: number;
  /** Whether the raft is too small to be held, and has no room to be wider. */
  readonly isLoose: boolean;
}

/** The raft of a tree: of the shape that its form defines, but as wide as the platform needs to hold it. */
export async function buildRaft(request: RaftRequest, label: string): Promise<Raft> {
  if (request.feet.length === 0) return { bodies: [], widenMm: 0, isLoose: false };
  const { outline: covered, widenMm, isLoose } = await heldOutline(request);
  return { bodies: await raftBodies(request, covered, widenMm, label), widenMm, isLoose };
}

/** Steps by which a raft is widened. */
const WIDENING_STEP_MM = 0.5;

/** The outline of a raft that is widened until the platform holds it; as far as possible if that is not enough. */
async function heldOutline(
  request: RaftRequest,
): Promise<{ readonly outline: Polygons; readonly widenMm: number; readonly isLoose: boolean }> {
  const mostMm = maxRaftWidening(request.settings);
  for (let widenMm = 0; ; widenMm += WIDENING_STEP_MM) {
    const outline = await raftOutline(request, widenMm);
    const isLoose = polygonsArea(outline) < request.neededAreaMm2 || !holdsMoments(outline, request.loads ?? []);
    if (!isLoose || widenMm + WIDENING_STEP_MM > mostMm) return { outline, widenMm, isLoose };
  }
}

async function raftBodies(
  request: RaftRequest,
  covered: Polygons,
  widenMm: number,
  label: string,
): Promise<readonly Surface[]> {
  const levels = raftProfile(request.settings);
  const top = levels.at(-1);
  if (!top) return [];
  const plates =
    raftForm(request.settings).thicknessMm === 0 ? covered.filter(isLargerThanFlare(request, widenMm)) : covered;
  if (plates.length === 0) return [];
  const { outline, letters } = await labelRaft(plates, top.zMm, request, label);
  const widened = top.outMm > 0 ? await unionWithoutHoles(await offsetPolygons(outline, top.outMm)) : outline;
  const plate = await loft(levels.map(({ zMm, outMm }) => ({ zMm, region: outMm > 0 ? widened : outline })));
  return [plate, ...letters];
}

/** Whether a polygon encloses more than the largest flare. */
function isLargerThanFlare({ feet, settings }: RaftRequest, widenMm: number): (polygon: Polygon) => boolean {
  const radius =
    feet.reduce((largest, foot) => Math.max(largest, foot.radius), 0) + raftForm(settings).marginMm + widenMm;
  return (polygon) => signedArea(polygon) > Math.PI * radius * radius;
}

/** Models lower than this above the raft rest on it, so the raft covers their whole footprint. */
const RESTING_MM = 0.5;
/** Radius of the corners where the rim of the volume cuts the raft. */
const CUT_RADIUS_MM = 0.5;

/**
 * The outline of a raft at the platform; its rim, which overhangs further up, stays inside the volume. It has no holes:
 * between platform and film they would trap resin.
 */
export async function raftOutline(request: RaftRequest, widenMm: number): Promise<Polygons> {
  const { feet, settings, footprint } = request;
  const { marginMm, joinMm, isOnePiece } = raftForm(settings);
  const join = Math.max(joinMm, settings.earlyLayerMergeMm);
  const discs = feet.map(({ x, y, radius }) => ({ x, y, radius: radius + marginMm + widenMm }));
  const bars = bridges(discs, isOnePiece ? Infinity : 2 * join, BRIDGE_WIDTH_MM + 2 * widenMm);
  const isResting = isOnePiece && settings.heightAboveRaftMm < RESTING_MM;
  const parts = await unionWithoutHoles([...discs.map(discPolygon), ...bars, ...(isResting ? [footprint] : [])]);
  // Clefts that overhanging rims would close further up are filled, or their roof would have no support.
  const cleft = Math.max(join, rimOverhangMm(settings));
  const closed = cleft > 0 ? await unionWithoutHoles(await offsetPolygons(parts, cleft, -cleft)) : parts;
  const bounds = await raftBounds(request);
  return bounds ? await offsetPolygons(await intersectPolygons(closed, bounds), -CUT_RADIUS_MM, CUT_RADIUS_MM) : closed;
}

/** Width of the bars of a raft that is not widened; less if a disc is smaller. */
const BRIDGE_WIDTH_MM = 3;

/** Bars that connect discs with gaps of at most `gapMm`, along the edges of their minimum spanning tree (Prim 1957). */
function bridges(discs: readonly PillarFoot[], gapMm: number, widthMm: number): Polygons {
  const distances = new Float64Array(discs.length).fill(Infinity);
  const nearest = new Int32Array(discs.length);
  const isJoined = new Uint8Array(discs.length);
  const bars: Polygon[] = [];
  for (let joined = 0, at = 0; joined < discs.length; joined++) {
    isJoined[at] = 1;
    if (joined > 0 && gapBetween(discs[nearest[at]], discs[at]) <= gapMm)
      bars.push(bar(discs[nearest[at]], discs[at], widthMm));
    let next = -1;
    for (let i = 0; i < discs.length; i++) {
      if (isJoined[i] === 1) continue;
      const gap = gapBetween(discs[i], discs[at]);
      if (gap < distances[i]) {
        distances[i] = gap;
        nearest[i] = at;
      }
      if (next < 0 || distances[i] < distances[next]) next = i;
    }
    at = next;
  }
  return bars;
}

const hypotenuse = (x: number, y: number): number => Math.sqrt(x * x + y * y);

const gapBetween = (a: PillarFoot, b: PillarFoot): number => hypotenuse(a.x - b.x, a.y - b.y) - a.radius - b.radius;

function bar(from: PillarFoot, to: PillarFoot, widthMm: number): Polygon {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const scale = Math.min(widthMm / 2, from.radius, to.radius) / (hypotenuse(dx, dy) || 1);
  const [sideX, sideY] = [-dy * scale, dx * scale];
  const corners = [
    [from.x - sideX, from.y - sideY],
    [to.x - sideX, to.y - sideY],
    [to.x + sideX, to.y + sideY],
    [from.x + sideX, from.y + sideY],
  ];
  return Float64Array.from(corners.flat());
}

const DISC_CORNERS = 24;
const DISC_DIRECTIONS = Array.from({ length: DISC_CORNERS }, (_, i) => cosSin((2 * Math.PI * i) / DISC_CORNERS));

const discPolygon = ({ x, y, radius }: PillarFoot): Polygon =>
  Float64Array.from(DISC_DIRECTIONS.flatMap(([cos, sin]) => [x + radius * cos, y + radius * sin]));
