import { namesInMessage } from "../message-names.ts";
import type { ProductStructure } from "./announced-shapes.ts";
import { type StepInstances, referencesOf } from "./step-instances.ts";
import { productName } from "./step-names.ts";
import type { WrongReference } from "./step-references.ts";
import type { StepScan } from "./step-scan.ts";

const MOST_IDS = 5;

/**
 * One sentence about the defects of the text of a STEP file and the parts that they affect: missing ids, statements that do not follow the
 * grammar, ids that several instances share, and references to wrong kinds. Undefined for a sound text.
 */
export function damageOf(
  { instances, dangling, unreadable, hasRepeatedIds }: StepScan,
  wrong: readonly WrongReference[],
  structure: ProductStructure,
): string | undefined {
  const { bytes, ids } = instances;
  const missing = [...new Set(dangling.map(({ id }) => `#${id}`))];
  const misled = wrong.map(({ by, to }) => `#${ids[to]} in #${ids[by]}`);
  const found = [
    ...(missing.length === 0
      ? []
      : [`${counted(missing.length, "id")} that it refers to and does not contain (${listed(missing)})`]),
    ...(unreadable.length === 0
      ? []
      : [
          `${counted(unreadable.length, "statement")} that cannot be read (the first one in line ${lineAt(bytes, unreadable[0])})`,
        ]),
    ...(hasRepeatedIds ? ["ids that several instances share"] : []),
    ...(misled.length === 0
      ? []
      : [`${counted(misled.length, "reference")} to instances of a wrong kind (${listed(misled)})`]),
  ];
  if (found.length === 0) return undefined;
  const unreadablePlaces = new Set(unreadable);
  const broken = [
    ...[...dangling, ...wrong].map(({ by }) => by),
    ...[...instances.from.keys()].filter((i) => unreadablePlaces.has(instances.from[i])),
  ];
  const parts = namesInMessage(partsOn(instances, structure, broken).map((product) => productName(instances, product)));
  return `The STEP file is damaged: ${found.join(", ")}${parts === "" ? "" : `; this affects ${parts}`}. Take another copy of it, or export the model again.`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

function listed(ids: readonly string[]): string {
  const more = ids.length > MOST_IDS ? ` and ${ids.length - MOST_IDS} more` : "";
  return ids.slice(0, MOST_IDS).join(", ") + more;
}

/** 1-based line of a position in a text. */
function lineAt(bytes: Uint8Array, place: number): number {
  let line = 1;
  for (let at = bytes.indexOf(NEW_LINE); at >= 0 && at < place; at = bytes.indexOf(NEW_LINE, at + 1)) line++;
  return line;
}
const NEW_LINE = 0x0a;

/** Most programs write instances shortly before or after those that they refer to; parts that are found later are not named. */
const MAX_ROUNDS = 16;

/** The product definitions that depend on one of the given instances. */
function partsOn(instances: StepInstances, { grounds }: ProductStructure, some: readonly number[]): number[] {
  if (some.length === 0) return [];
  const dependent = new Uint8Array(instances.ids.length);
  for (const i of some) dependent[i] = 1;
  let hasChanged = true;
  for (let round = 0; hasChanged && round < MAX_ROUNDS; round++) {
    hasChanged = false;
    for (let k = 0; k < dependent.length; k++) {
      const i = round % 2 === 0 ? k : dependent.length - 1 - k;
      if (dependent[i] || !referencesOf(instances, i).some((to) => dependent[to])) continue;
      dependent[i] = 1;
      hasChanged = true;
    }
  }
  const broken = new Set(some);
  return grounds.flatMap(({ product, instance, isDeep }) =>
    (isDeep ? dependent[instance] : broken.has(instance)) ? [product] : [],
  );
}
