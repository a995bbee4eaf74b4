import { getOrInsert } from "../../core/memoize.ts";
import { NOWHERE, type StepInstances, referencesOf } from "./step-instances.ts";

/** How the instances of a product structure refer to one another (ISO 10303-41, -43 and -44), damaged or not. All numbers are indices of instances. */
export interface ProductLinks {
  readonly definitions: readonly number[];
  /** Uses of components (`NEXT_ASSEMBLY_USAGE_OCCURRENCE`), by the definition of the assembly. */
  readonly components: ReadonlyMap<number, readonly number[]>;
  /** `PRODUCT_DEFINITION_SHAPE`s, by the definition or the component that has them. */
  readonly shapes: ReadonlyMap<number, readonly number[]>;
  /** `SHAPE_DEFINITION_REPRESENTATION`s, by their shape. */
  readonly representations: ReadonlyMap<number, readonly number[]>;
  /** Placements (`CONTEXT_DEPENDENT_SHAPE_REPRESENTATION`), by the shape of their component. */
  readonly placements: ReadonlyMap<number, readonly number[]>;
  /** Representations of the same shape, in both directions; placements are not among them. */
  readonly related: ReadonlyMap<number, readonly number[]>;
}

const DEFINITION = /^PRODUCT_DEFINITION(?:_WITH_ASSOCIATED_DOCUMENTS)?$/;
export const RELATIONSHIP = /^(?:SHAPE_)?REPRESENTATION_RELATIONSHIP$/;

/** The instance that reference `k` of instance `i` leads to; NOWHERE if it is missing. */
export const referenceOf = (instances: StepInstances, i: number, k: number): number =>
  i === NOWHERE ? NOWHERE : (referencesOf(instances, i)[k] ?? NOWHERE);

export function productLinks(instances: StepInstances, keywords: readonly string[]): ProductLinks {
  const all = (test: RegExp): number[] => [...keywords.keys()].filter((i) => test.test(keywords[i]));
  const reference = (i: number, k: number): number => referenceOf(instances, i, k);
  const byReference = (test: RegExp, k: number): ReadonlyMap<number, readonly number[]> =>
    Map.groupBy(all(test), (i) => reference(i, k));

  const placements = byReference(/^CONTEXT_DEPENDENT_SHAPE_REPRESENTATION$/, 1);
  const placing = new Set([...placements.values()].flat().map((i) => reference(i, 0)));
  const related = new Map<number, number[]>();
  for (const relation of all(RELATIONSHIP)) {
    if (placing.has(relation)) continue;
    const [one, other] = [reference(relation, 0), reference(relation, 1)];
    getOrInsert(related, one, (): number[] => []).push(other);
    getOrInsert(related, other, (): number[] => []).push(one);
  }
  return {
    definitions: all(DEFINITION),
    components: byReference(/^NEXT_ASSEMBLY_USAGE_OCCURRENCE$/, 0),
    shapes: byReference(/^PRODUCT_DEFINITION_SHAPE$/, 0),
    representations: byReference(/^SHAPE_DEFINITION_REPRESENTATION$/, 0),
    placements,
    related,
  };
}

/** The given representations and all that relations connect with them. `takeStep` is false once the limit of work is reached. */
export function relatedRepresentations(
  { related }: ProductLinks,
  representations: Iterable<number>,
  takeStep: () => boolean,
): ReadonlySet<number> {
  const group = new Set(representations);
  // Iteration over a set includes elements that are added during it.
  for (const one of group) {
    if (!takeStep()) break;
    for (const other of related.get(one) ?? []) group.add(other);
  }
  group.delete(NOWHERE);
  return group;
}
