import { paired } from "../core/paired.ts";
import type { Scene } from "../scene/project.ts";

/**
 * Whether two states of a scene have the same values: the same models with the same supports, the same cages and the same setting. With
 * `isNameless` the names of the scene, its models and its cages do not count.
 */
export function isSameState(one: Scene, other: Scene, isNameless = false): boolean {
  const { models, cages, ...rest } = one;
  const { models: otherModels, cages: otherCages, ...otherRest } = other;
  const isSame = (a: object, b: object): boolean => haveSameFields(a, b, isNameless);
  return isSame(rest, otherRest) && isEach(models, otherModels, isSame) && isEach(cages, otherCages, isSame);
}

const isEach = <Item>(
  items: readonly Item[],
  others: readonly Item[],
  isSame: (item: Item, other: Item) => boolean,
): boolean => items.length === others.length && paired(items, others).every(([item, another]) => isSame(item, another));

function haveSameFields(one: object, other: object, isNameless: boolean): boolean {
  if (one === other) return true;
  const values = new Map<string, unknown>(Object.entries(one));
  const others = new Map<string, unknown>(Object.entries(other));
  return Object.keys({ ...one, ...other }).every(
    (field) => (isNameless && field === "name") || isSameValue(values.get(field), others.get(field)),
  );
}

const isSameValue = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other) ? isEach<unknown>(one, other, Object.is) : one === other;
