import { type ProductLinks, RELATIONSHIP, productLinks, referenceOf, relatedRepresentations } from "./product-links.ts";
import { NOTES, NOWHERE, type StepInstances, keywordAt, referencesOf } from "./step-instances.ts";

/** A shape that the product structure of a STEP file places: a solid, or a shell outside solids. */
export interface AnnouncedShape {
  /** Index of the product definition that has the shape. */
  readonly product: number;
  /** Number of faces that its shells list; undefined for kinds of solids without faces. */
  readonly faces: number | undefined;
  /** Number of times that the structure places it. */
  readonly uses: number;
}

/** Product structure that a STEP file announces (ISO 10303-41 to -44), sound or damaged. */
export interface ProductStructure {
  readonly shapes: readonly AnnouncedShape[];
  /** Solids that belong to no product and are used by no other instance. */
  readonly unowned: readonly number[];
  /** Product definitions that are placed and have neither shapes nor components. */
  readonly empty: readonly number[];
  /** Components that have a shape but no placement. */
  readonly unplaced: readonly number[];
  /** The instances on which each product definition depends. */
  readonly grounds: readonly Ground[];
}

/** An instance on which a product depends. */
export interface Ground {
  readonly product: number;
  readonly instance: number;
  /** True: the product also depends on all instances that this one refers to, directly or not. False: on this instance alone. */
  readonly isDeep: boolean;
}

const BREPS: ReadonlySet<string> = new Set(["MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP"]);
/** Solids without faces (ISO 10303-42). OpenCASCADE makes no shapes of them. */
const OTHER_SOLIDS =
  /^(?:CSG_SOLID|BOOLEAN_RESULT|SOLID_REPLICA|BLOCK|SPHERE|TORUS|RIGHT_ANGULAR_WEDGE|RIGHT_CIRCULAR_(?:CONE|CYLINDER)|\w+_AREA_SOLID|SWEPT_DISK_SOLID)$/;
const REPRESENTATION = /REPRESENTATION$/;
const SHAPED = /(?:BREP|SURFACE)_SHAPE_REPRESENTATION$/;
/** Maximum depth of representations that are mapped into representations. */
const MAX_MAPS = 32;
/**
 * In damaged files maps and relations can multiply without limit. After this number of steps the search stops: it counts no further
 * items and finds no further solids.
 */
const MAX_STEPS = 2 ** 20;
const MAX_UNREACHED = 1000;

/** The keyword of each instance. A complex instance has several: the one that matters for products and shapes, or an empty text. */
export function keywordsOf(instances: StepInstances): string[] {
  // Equal keywords share one string: each separate one would keep its piece of the file in memory.
  const known = new Map<string, string>();
  return Array.from(instances.ids, (_, i) => {
    const keyword = keywordAt(instances, i) || complexKeyword(instances, i);
    if (!known.has(keyword)) known.set(keyword, keyword);
    return known.get(keyword)!;
  });
}

/** The products of a file, their shapes, and how often each is placed. No product may contain itself. */
export function productStructure(instances: StepInstances, keywords = keywordsOf(instances)): ProductStructure {
  const links = productLinks(instances, keywords);
  const { definitions, components, shapes: shapesOf, representations: representing, placements } = links;
  let steps = MAX_STEPS;
  const takeStep = (): boolean => --steps >= 0;
  const withRelated = (some: Iterable<number>): ReadonlySet<number> => relatedRepresentations(links, some, takeStep);
  const uses = usesOf(definitions, components, (i) => referenceOf(instances, i, 1));

  const shapes: AnnouncedShape[] = [];
  const grounds: Ground[] = [];
  const reached = new Set<number>();
  for (const product of definitions) {
    const own = (shapesOf.get(product) ?? []).map((shape) => [shape, ...(representing.get(shape) ?? [])]);
    const representations = withRelated(own.flatMap(([, ...some]) => some.map((i) => referenceOf(instances, i, 1))));
    for (const component of components.get(product) ?? [])
      for (const ground of placementGrounds(instances, links, product, component)) grounds.push(ground);
    for (const instance of [product, ...own.flat()]) grounds.push({ product, instance, isDeep: false });
    for (const instance of representations) grounds.push({ product, instance, isDeep: true });
    for (const representation of representations) {
      for (const { item, faces } of shapeItems(instances, keywords, representation, takeStep)) {
        reached.add(item);
        shapes.push({ product, faces, uses: uses.get(product) ?? 0 });
      }
    }
  }
  const shaped = new Set(shapes.map(({ product }) => product));
  const allComponents = [...components.values()].flat();
  const placed = new Set(allComponents.map((i) => referenceOf(instances, i, 1)));
  const unreached = [...keywords.keys()].filter((i) => BREPS.has(keywords[i]) && !reached.has(i));
  return {
    shapes,
    unowned: unused(instances, keywords, withRelated, unreached.slice(0, MAX_UNREACHED)),
    unplaced: allComponents.filter((i) => shapesOf.has(i) && !shapesOf.get(i)!.some((shape) => placements.has(shape))),
    empty: definitions.filter((i) => placed.has(i) && !shaped.has(i) && !components.has(i)),
    grounds,
  };
}

/** Instances on which the placement of a component depends: its use, its shape, the placements and their transformations. */
function* placementGrounds(
  instances: StepInstances,
  { shapes, placements }: ProductLinks,
  assembly: number,
  component: number,
): Generator<Ground> {
  const own = shapes.get(component) ?? [];
  const places = own.flatMap((shape) => placements.get(shape) ?? []);
  const part = referenceOf(instances, component, 1);
  const product = part === NOWHERE ? assembly : part;
  for (const instance of [component, ...own, ...places]) yield { product, instance, isDeep: false };
  for (const place of places) {
    const relation = referenceOf(instances, place, 0);
    if (relation !== NOWHERE) yield { product, instance: relation, isDeep: false };
    const transformation = referenceOf(instances, relation, 2);
    if (transformation !== NOWHERE) yield { product, instance: transformation, isDeep: true };
  }
}

/** A solid or shell among the items of a representation. */
interface ShapeItem {
  readonly item: number;
  readonly faces: number | undefined;
}

/** The solids and shells among the items of a representation, also through `MAPPED_ITEM`s. */
function shapeItems(
  instances: StepInstances,
  keywords: readonly string[],
  representation: number,
  takeStep: () => boolean,
): readonly ShapeItem[] {
  const found: ShapeItem[] = [];
  const itemsOf = (i: number): Uint32Array => referencesOf(instances, i).subarray(0, -1);
  const add = (item: number, maps: number): void => {
    if (item === NOWHERE || maps > MAX_MAPS || !takeStep()) return;
    const keyword = keywords[item];
    if (BREPS.has(keyword)) found.push({ item, faces: facesOf(instances, keywords, item) });
    else if (OTHER_SOLIDS.test(keyword)) found.push({ item, faces: undefined });
    else if (keyword === "SHELL_BASED_SURFACE_MODEL") {
      for (const shell of referencesOf(instances, item))
        found.push({ item, faces: facesOf(instances, keywords, shell) });
    } else if (keyword === "MAPPED_ITEM") {
      const mapped = referenceOf(instances, referenceOf(instances, item, 0), 1);
      if (mapped !== NOWHERE) for (const one of itemsOf(mapped)) add(one, maps + 1);
    }
  };
  const items = itemsOf(representation);
  for (const item of items) add(item, 0);
  // The statement of the shape is missing or unreadable.
  const isLost = found.length === 0 && SHAPED.test(keywords[representation]) && items.includes(NOWHERE);
  return isLost ? [{ item: NOWHERE, faces: undefined }] : found;
}

/** The solids among `some` whose representations are unused: only relations among themselves, placements and notes refer to them. */
function unused(
  instances: StepInstances,
  keywords: readonly string[],
  withRelated: (representations: Iterable<number>) => ReadonlySet<number>,
  some: readonly number[],
): number[] {
  const users = usersOf(instances, keywords, new Set(some));
  const groups = new Map([...new Set([...users.values()].flat())].map((i) => [i, withRelated([i])]));
  const usersOfGroups = usersOf(instances, keywords, new Set([...groups.values()].flatMap((group) => [...group])));
  const isLoose = (i: number): boolean =>
    (usersOfGroups.get(i) ?? []).every((user) => RELATIONSHIP.test(keywords[user]));
  const isUnused = (user: number): boolean =>
    REPRESENTATION.test(keywords[user]) && [...groups.get(user)!].every(isLoose);
  return some.filter((i) => {
    const own = users.get(i) ?? [];
    // Further representations of a solid describe its properties.
    return own.every(isUnused) || own.some((user) => SHAPED.test(keywords[user]) && isUnused(user));
  });
}

/** The instances that refer to each of `some`, without notes. */
function usersOf(
  instances: StepInstances,
  keywords: readonly string[],
  some: ReadonlySet<number>,
): ReadonlyMap<number, readonly number[]> {
  const users = new Map<number, number[]>();
  if (some.size === 0) return users;
  for (const [i, keyword] of keywords.entries()) {
    if (NOTES.test(keyword)) continue;
    for (const to of referencesOf(instances, i)) {
      if (!some.has(to)) continue;
      if (users.has(to)) users.get(to)!.push(i);
      else users.set(to, [i]);
    }
  }
  return users;
}

/** Number of times that the structure places each definition; 1 for those that are no component. */
function usesOf(
  definitions: readonly number[],
  components: ReadonlyMap<number, readonly number[]>,
  definitionOf: (component: number) => number,
): ReadonlyMap<number, number> {
  const inside = new Map(definitions.map((i) => [i, (components.get(i) ?? []).map(definitionOf)]));
  const waiting = new Map<number, number>();
  for (const one of [...inside.values()].flat()) waiting.set(one, (waiting.get(one) ?? 0) + 1);
  const uses = new Map(definitions.map((i) => [i, waiting.has(i) ? 0 : 1]));
  const open = definitions.filter((i) => !waiting.has(i));
  for (let whole = open.pop(); whole !== undefined; whole = open.pop()) {
    for (const one of inside.get(whole) ?? []) {
      uses.set(one, (uses.get(one) ?? 0) + uses.get(whole)!);
      waiting.set(one, waiting.get(one)! - 1);
      if (waiting.get(one) === 0) open.push(one);
    }
  }
  return uses;
}

/** Number of faces that a shell, or the shells of a solid, list. */
function facesOf(instances: StepInstances, keywords: readonly string[], i: number): number {
  if (i === NOWHERE) return 0;
  const references = referencesOf(instances, i);
  if (BREPS.has(keywords[i])) return references.reduce((sum, shell) => sum + facesOf(instances, keywords, shell), 0);
  if (keywords[i].startsWith("ORIENTED_"))
    return references.length === 0 ? 0 : listedFaces(keywords, references[0], instances);
  return listedFaces(keywords, i, instances);
}

const listedFaces = (keywords: readonly string[], i: number, instances: StepInstances): number =>
  i !== NOWHERE && /^(?:CLOSED|OPEN)_SHELL$/.test(keywords[i]) ? referencesOf(instances, i).length : 0;

/** A complex instance has several keywords, each followed by its values. */
const MAX_COMPLEX_BYTES = 1024;

/** The keyword of a complex instance that matters for products and shapes. */
function complexKeyword({ bytes, from, to }: StepInstances, i: number): string {
  const text = bytes.toString("latin1", from[i], Math.min(to[i], from[i] + MAX_COMPLEX_BYTES));
  return (
    /\b(?:REPRESENTATION_RELATIONSHIP|GEOMETRIC_REPRESENTATION_CONTEXT|BREP_WITH_VOIDS|FACETED_BREP|MANIFOLD_SOLID_BREP|B_SPLINE_(?:CURVE|SURFACE))(?=\s*\()/.exec(
      text,
    )?.[0] ?? ""
  );
}
