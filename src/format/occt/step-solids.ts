import { type StepInstances, keywordAt, reachable, referencesOf } from "./step-instances.ts";
import { BYTES_PER_TEXT, type StepLines, newLines, newProducts, stepFileOf } from "./step-text.ts";

/** A solid of a STEP file that can be read without the rest of it. */
export interface StepSolid {
  /** Its instance in the file. */
  readonly instance: number;
  /** The context, with units and precision, of the representations that contain it. */
  readonly context: number;
}

const SOLIDS: ReadonlySet<string> = new Set(["MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP"]);
const REPRESENTATION = /SHAPE_REPRESENTATION$/;

/** The solids of a file, in its order. Those of several contexts are left out. */
export function stepSolids(instances: StepInstances): StepSolid[] {
  const solids = new Set<number>();
  const representations: number[] = [];
  for (let i = 0; i < instances.ids.length; i++) {
    const keyword = keywordAt(instances, i);
    if (SOLIDS.has(keyword)) solids.add(i);
    else if (REPRESENTATION.test(keyword)) representations.push(i);
  }
  const contexts = new Map<number, Set<number>>();
  for (const representation of representations) {
    const references = [...referencesOf(instances, representation)];
    const context = references.pop();
    if (context === undefined) continue;
    for (const item of references) {
      if (solids.has(item)) contexts.set(item, (contexts.get(item) ?? new Set()).add(context));
    }
  }
  return [...contexts]
    .flatMap(([instance, [context, ...others]]) => (others.length === 0 ? [{ instance, context }] : []))
    .sort((a, b) => a.instance - b.instance);
}

/** The name by which the mesh of a solid is recognised. */
export const nameOfSolid = ({ ids }: StepInstances, { instance }: StepSolid): string => `#${ids[instance]}`;

/** The solids as separate files, each a product with the name of {@link nameOfSolid}. Another file begins after each `bytesPerText`. */
export function* solidTexts(
  instances: StepInstances,
  solids: readonly StepSolid[],
  bytesPerText = BYTES_PER_TEXT,
): Generator<Uint8Array> {
  const { from, to } = instances;
  let some: StepSolid[] = [];
  let kept = new Set<number>();
  let bytes = 0;
  for (const [k, solid] of solids.entries()) {
    for (const i of reachable(instances, [solid.instance, solid.context], (one) => kept.has(one))) {
      if (!kept.has(i)) bytes += to[i] - from[i];
      kept.add(i);
    }
    some.push(solid);
    if (bytes < bytesPerText && k + 1 < solids.length) continue;
    yield stepFileOf(instances, kept, productsOf(instances, some));
    [some, kept, bytes] = [[], new Set(), 0];
  }
}

/** A product for each solid. */
function productsOf(instances: StepInstances, solids: readonly StepSolid[]): StepLines {
  const lines = newLines(instances);
  const addProduct = newProducts(lines.add);
  for (const solid of solids) {
    const name = nameOfSolid(instances, solid);
    const shape = addProduct(name);
    const context = `#${instances.ids[solid.context]}`;
    const representation = lines.add(`ADVANCED_BREP_SHAPE_REPRESENTATION('',(${name}),${context})`);
    lines.add(`SHAPE_DEFINITION_REPRESENTATION(${shape},${representation})`);
  }
  return lines;
}
