import type { EmptyRegions } from "../../geometry/pockets.ts";

/** The empty space of the layers of a part, from the platform up. */
export interface LayeredSpace {
  /** Entry k has the regions of layer k. */
  readonly layers: readonly EmptyRegions[];
  /** Layer k reaches from entry k to entry k + 1. */
  readonly boundariesMm: Float64Array;
  readonly pixelMm: number;
}

/** Numbers of the regions of all layers, in their order: region r of layer k has the number `firsts[k]` + r, of `count`. */
export function regionNumbers({ layers }: LayeredSpace): {
  readonly firsts: readonly number[];
  readonly count: number;
} {
  const firsts: number[] = [];
  let count = 0;
  for (const { pixels } of layers) {
    firsts.push(count);
    count += pixels.length;
  }
  return { firsts, count };
}

/** The regions of the empty space that a bore meets: `regions[i]` are those of layer `first + i`. Its layers are connected. */
export interface BoreRegions {
  readonly first: number;
  readonly regions: readonly (readonly number[])[];
}

/**
 * How a space is sealed. CUP: between platform, part and the film, which closes each layer while it is printed. POOL: resin that
 * cannot run toward the film (upward in the scene, since the part hangs): the mirror image of a cup, without a film.
 */
export type Sealing = "CUP" | "POOL";

/** A region of a layer. */
export interface SpaceRegion {
  readonly layer: number;
  readonly region: number;
}

/** A sealed space that grows beyond the limit: some hole must meet one of its regions. Sealed spaces of one kind are disjoint. */
export interface SealedSpace {
  readonly sealing: Sealing;
  /** When it exceeds the limit, or when it ends. */
  readonly volumeMm3: number;
  /** In the order in which layers are added: the first one is an end of the space, where resin or air gathers. */
  readonly members: readonly SpaceRegion[];
}

/**
 * The sealed spaces of more than `limitMm3`, with some bores. Layers are added from the platform up for cups, from the top down for pools; each
 * layer joins spaces (union-find), so this is a walk over the merge tree of the space. A space that exceeds the limit is returned once and is taken as
 * open from there on. So every set of holes that leaves none has a hole in each of them, and their number is the least number of holes that each
 * open one space: a hole nearer to the end of a space opens all that a later one opens.
 */
export function sealedSpaces(
  { layers, boundariesMm, pixelMm }: LayeredSpace,
  bores: readonly BoreRegions[],
  sealing: Sealing,
  limitMm3: number,
): SealedSpace[] {
  const pieces = bores.reduce((sum, bore) => sum + bore.regions.length, 0);
  const spaces = newGrowingSpaces(layers.reduce((sum, layer) => sum + layer.pixels.length, pieces));
  const found: SealedSpace[] = [];
  let before: Front | undefined;
  for (let i = 0; i < layers.length; i++) {
    const layer = sealing === "CUP" ? i : layers.length - 1 - i;
    const { pixels, isOpen } = layers[layer];
    const mm3PerPixel = pixelMm * pixelMm * (boundariesMm[layer + 1] - boundariesMm[layer]);
    // Above the highest layer is air, which is open to pools; a film closes it to cups.
    const isBelowAir = sealing === "POOL" && i === 0;
    const first = spaces.count();
    for (let region = 0; region < pixels.length; region++) {
      spaces.add(layer, region, pixels[region] * mm3PerPixel, isBelowAir || isOpen[region] === 1);
    }
    const here: Front = { layer, first, bores: bores.map((bore) => addBore(spaces, bore, layer, first, isBelowAir)) };
    if (before) joinFronts(spaces, layers, before, here);
    for (const root of spaces.rootsFrom(first)) {
      if (!spaces.isSealedBeyond(root, limitMm3)) continue;
      found.push({ sealing, volumeMm3: spaces.volumeMm3(root), members: spaces.members(root) });
      spaces.open(root);
    }
    before = here;
  }
  return found;
}

/** The members of a layer: its regions from number `first` on, and those of the bores that meet it. */
interface Front {
  readonly layer: number;
  readonly first: number;
  readonly bores: readonly (number | undefined)[];
}

function addBore(
  spaces: GrowingSpaces,
  bore: BoreRegions,
  layer: number,
  first: number,
  isBelowAir: boolean,
): number | undefined {
  const regions = bore.regions[layer - bore.first];
  if (regions === undefined) return undefined;
  const member = spaces.addPiece(isBelowAir);
  for (const region of regions) spaces.join(first + region, member);
  return member;
}

function joinFronts(spaces: GrowingSpaces, layers: readonly EmptyRegions[], before: Front, here: Front): void {
  const [lower, upper] = before.layer < here.layer ? [before, here] : [here, before];
  const { links } = layers[upper.layer];
  for (let i = 0; i < links.length; i += 2) spaces.join(lower.first + links[i], upper.first + links[i + 1]);
  before.bores.forEach((member, bore) => {
    const next = here.bores[bore];
    if (member !== undefined && next !== undefined) spaces.join(member, next);
  });
}

interface GrowingSpaces {
  count(): number;
  /** Adds a region of a layer and returns its number. */
  add(layer: number, region: number, volumeMm3: number, isOpen: boolean): number;
  /** Adds a piece of a bore. */
  addPiece(isOpen: boolean): number;
  join(a: number, b: number): void;
  /** The distinct spaces of the members from number `first` on. */
  rootsFrom(first: number): number[];
  isSealedBeyond(root: number, limitMm3: number): boolean;
  volumeMm3(root: number): number;
  members(root: number): SpaceRegion[];
  open(root: number): void;
}

/** The layer of a member that is a piece of a bore. */
const NO_LAYER = -1;

/** Union-find of at most `capacity` members; those of a space are a ring. A search for holes walks through all layers hundreds of times. */
function newGrowingSpaces(capacity: number): GrowingSpaces {
  const parents = new Uint32Array(capacity);
  const nexts = new Uint32Array(capacity);
  const volumes = new Float64Array(capacity);
  const opens = new Uint8Array(capacity);
  const layerOf = new Int32Array(capacity);
  const regionOf = new Uint32Array(capacity);
  /** The number `first` + 1 of the last search for roots that found a member. */
  const foundFrom = new Uint32Array(capacity);
  let count = 0;
  const find = (member: number): number => {
    let root = member;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]];
    return root;
  };
  const add: GrowingSpaces["add"] = (layer, region, volumeMm3, isOpen) => {
    const member = count++;
    parents[member] = nexts[member] = member;
    volumes[member] = volumeMm3;
    opens[member] = Number(isOpen);
    layerOf[member] = layer;
    regionOf[member] = region;
    return member;
  };
  return {
    count: () => count,
    add,
    addPiece: (isOpen) => add(NO_LAYER, 0, 0, isOpen),
    join(a, b) {
      const [one, other] = [find(a), find(b)];
      if (one === other) return;
      const [from, to] = one > other ? [one, other] : [other, one];
      parents[from] = to;
      [nexts[from], nexts[to]] = [nexts[to], nexts[from]];
      volumes[to] += volumes[from];
      opens[to] |= opens[from];
    },
    rootsFrom(first) {
      const roots: number[] = [];
      for (let member = first; member < count; member++) {
        const root = find(member);
        if (foundFrom[root] === first + 1) continue;
        foundFrom[root] = first + 1;
        roots.push(root);
      }
      return roots;
    },
    isSealedBeyond: (root, limitMm3) => opens[root] === 0 && volumes[root] > limitMm3,
    volumeMm3: (root) => volumes[root],
    members(root) {
      const found: number[] = [];
      let member = root;
      do {
        if (layerOf[member] !== NO_LAYER) found.push(member);
        member = nexts[member];
      } while (member !== root);
      return found.toSorted((a, b) => a - b).map((one) => ({ layer: layerOf[one], region: regionOf[one] }));
    },
    open(root) {
      opens[root] = 1;
    },
  };
}
