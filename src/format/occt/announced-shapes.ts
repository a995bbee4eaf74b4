import { NOTES, NOWHERE, type StepInstances, keywordAt, referencesOf } from "./step-instances.ts";

/** A shape that the product structure of a STEP file places: a solid, or a shell outside solids. */
export interface AnnouncedShape {
  /** The instance of the product definition that has it. */
  readonly product: number;
  /** Faces that its shells list; undefined for a kind of solid that has none. */
  readonly faces: number | undefined;
  /** How often it is placed. */
  readonly uses: number;
}

/** What a STEP file says that it holds (ISO 10303-41 to -44), sound or damaged. */
export interface ProductStructure {
  readonly shapes: readonly AnnouncedShape[];
  /** Solids that neither a product has nor anything else. */
  readonly astray: readonly number[];
  /** Product definitions that are placed, and have neither shapes nor components. */
  readonly empty: readonly number[];
  /** Components that have a shape as such, but no placement. */
  readonly unplaced: readonly number[];
  /** What each product definition depends on. */
  readonly grounds: readonly Ground[];
}

/** Something that a product depends on. */
export interface Ground {
  readonly product: number;
  readonly instance: number;
  /** It counts with all that it refers to; else, of the structure, by itself. */
  readonly isDeep: boolean;
}

const BREPS: ReadonlySet<string> = new Set(["MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP"]);
/** Solids without faces (ISO 10303-42), of which OpenCASCADE makes nothing. */
const OTHER_SOLIDS =
  /^(?:CSG_SOLID|BOOLEAN_RESULT|SOLID_REPLICA|BLOCK|SPHERE|TORUS|RIGHT_ANGULAR_WEDGE|RIGHT_CIRCULAR_(?:CONE|CYLINDER)|\w+_AREA_SOLID|SWEPT_DISK_SOLID)$/;
const DEFINITION = /^PRODUCT_DEFINITION(?:_WITH_ASSOCIATED_DOCUMENTS)?$/;
const RELATIONSHIP = /^(?:SHAPE_)?REPRESENTATION_RELATIONSHIP$/;
const REPRESENTATION = /REPRESENTATION$/;
const SHAPED = /(?:BREP|SURFACE)_SHAPE_REPRESENTATION$/;
/** Representations in representations, by maps. */
const MAX_MAPS = 32;
/** Maps and relations may multiply without end: what is beyond this number of looks at items is not counted, nor are more solids asked for. */
const MAX_STEPS = 2 ** 20;
const MAX_UNREACHED = 1000;

/** The keywords of all instances; of complex ones that which counts for products and shapes, if any. */
export const keywordsOf = (instances: StepInstances): string[] =>
  Array.from(instances.ids, (_, i) => keywordAt(instances, i) || complexKeyword(instances, i));

/** The products of a file with the shapes that they have, each use of them counted. No product may be in itself. */
export function productStructure(instances: StepInstances, keywords = keywordsOf(instances)): ProductStructure {
  const all = (test: RegExp): number[] => [...keywords.keys()].filter((i) => test.test(keywords[i]));
  const reference = (i: number, k: number): number =>
    i === NOWHERE ? NOWHERE : (referencesOf(instances, i)[k] ?? NOWHERE);
  const itemsOf = (representation: number): Uint32Array => referencesOf(instances, representation).subarray(0, -1);

  const shapesOf = Map.groupBy(all(/^PRODUCT_DEFINITION_SHAPE$/), (i) => reference(i, 0));
  const representing = Map.groupBy(all(/^SHAPE_DEFINITION_REPRESENTATION$/), (i) => reference(i, 0));
  const placing = Map.groupBy(all(/^CONTEXT_DEPENDENT_SHAPE_REPRESENTATION$/), (i) => reference(i, 1));
  const placements = new Set([...placing.values()].flat().map((i) => reference(i, 0)));
  const pairs = all(RELATIONSHIP).filter((i) => !placements.has(i));
  const related = Map.groupBy(
    pairs.flatMap((i) => [
      [reference(i, 0), reference(i, 1)],
      [reference(i, 1), reference(i, 0)],
    ]),
    ([from]) => from,
  );
  let steps = MAX_STEPS;
  const withRelated = (representations: Iterable<number>): ReadonlySet<number> => {
    const group = new Set(representations);
    // A set also visits what is added on the way.
    for (const one of group) {
      if (--steps < 0) break;
      for (const [, other] of related.get(one) ?? []) group.add(other);
    }
    group.delete(NOWHERE);
    return group;
  };
  const definitions = all(DEFINITION);
  const components = Map.groupBy(all(/^NEXT_ASSEMBLY_USAGE_OCCURRENCE$/), (i) => reference(i, 0));
  const uses = usesOf(definitions, components, (i) => reference(i, 1));

  const shapes: AnnouncedShape[] = [];
  const grounds: Ground[] = [];
  const reached = new Set<number>();
  for (const product of definitions) {
    const own = (shapesOf.get(product) ?? []).flatMap((shape) => [shape, ...(representing.get(shape) ?? [])]);
    for (const component of components.get(product) ?? []) {
      const shape = shapesOf.get(component) ?? [];
      const places = shape.flatMap((one) => placing.get(one) ?? []);
      const part = reference(component, 1);
      const ground = (instance: number, isDeep: boolean): Ground => ({
        product: part === NOWHERE ? product : part,
        instance,
        isDeep,
      });
      for (const one of [component, ...shape, ...places]) grounds.push(ground(one, false));
      for (const relation of places.map((one) => reference(one, 0))) {
        if (relation !== NOWHERE) grounds.push(ground(relation, false));
        const transformation = reference(relation, 2);
        if (transformation !== NOWHERE) grounds.push(ground(transformation, true));
      }
    }
    const representations = withRelated(
      own.flatMap((i) => (keywords[i] === "SHAPE_DEFINITION_REPRESENTATION" ? reference(i, 1) : [])),
    );
    for (const instance of [product, ...own]) grounds.push({ product, instance, isDeep: false });
    for (const instance of representations) grounds.push({ product, instance, isDeep: true });
    const add = (item: number, maps: number): void => {
      if (item === NOWHERE || maps > MAX_MAPS || --steps < 0) return;
      const keyword = keywords[item];
      const announce = (faces: number | undefined): void => {
        shapes.push({ product, faces, uses: uses.get(product) ?? 0 });
      };
      if (BREPS.has(keyword) || OTHER_SOLIDS.test(keyword)) {
        reached.add(item);
        announce(BREPS.has(keyword) ? facesOf(instances, keywords, item) : undefined);
      } else if (keyword === "SHELL_BASED_SURFACE_MODEL") {
        for (const shell of referencesOf(instances, item)) announce(facesOf(instances, keywords, shell));
      } else if (keyword === "MAPPED_ITEM") {
        const mapped = reference(reference(item, 0), 1);
        if (mapped !== NOWHERE) for (const one of itemsOf(mapped)) add(one, maps + 1);
      }
    };
    for (const one of representations) {
      const before = shapes.length;
      for (const item of itemsOf(one)) add(item, 0);
      // The line of its shape is lost.
      const isLost = SHAPED.test(keywords[one]) && shapes.length === before && itemsOf(one).includes(NOWHERE);
      if (isLost) shapes.push({ product, faces: undefined, uses: uses.get(product) ?? 0 });
    }
  }
  const shaped = new Set(shapes.map(({ product }) => product));
  const placed = new Set([...components.values()].flat().map((i) => reference(i, 1)));
  const unreached = [...keywords.keys()].filter((i) => BREPS.has(keywords[i]) && !reached.has(i));
  return {
    shapes,
    astray: unused(instances, keywords, withRelated, unreached.slice(0, MAX_UNREACHED)),
    unplaced: [...components.values()]
      .flat()
      .filter((i) => (shapesOf.get(i) ?? []).length > 0 && !shapesOf.get(i)!.some((shape) => placing.has(shape))),
    empty: definitions.filter((i) => placed.has(i) && !shaped.has(i) && !components.has(i)),
    grounds,
  };
}

/** Those of some solids whose representations nothing uses: only relations among themselves, or placements, and notes refer to them. */
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
    // Other representations of a solid are those of its properties.
    return own.every(isUnused) || own.some((user) => SHAPED.test(keywords[user]) && isUnused(user));
  });
}

/** What refers to some instances, but notes. */
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

/** How often the structure places each definition; those that none has as a component once. */
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

/** The faces that a shell, or the shells of a solid, list. */
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

/** Complex instances have several keywords; their values stand in the order of these. */
const MAX_COMPLEX_BYTES = 1024;

/** The keyword of a complex instance that counts here. */
function complexKeyword({ bytes, from, to }: StepInstances, i: number): string {
  const text = bytes.toString("latin1", from[i], Math.min(to[i], from[i] + MAX_COMPLEX_BYTES));
  return (
    /\b(?:REPRESENTATION_RELATIONSHIP|GEOMETRIC_REPRESENTATION_CONTEXT|BREP_WITH_VOIDS|FACETED_BREP|MANIFOLD_SOLID_BREP|B_SPLINE_(?:CURVE|SURFACE))(?=\s*\()/.exec(
      text,
    )?.[0] ?? ""
  );
}
