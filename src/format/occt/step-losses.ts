import { countSentence } from "../message-names.ts";
import { keywordsOf, productStructure } from "./announced-shapes.ts";
import type { CadCheck } from "./cad-parts.ts";
import { missingShapes } from "./missing-shapes.ts";
import { NOWHERE, referencesOf } from "./step-instances.ts";
import { damageOf } from "./step-damage.ts";
import { productName, textsOf } from "./step-names.ts";
import { wrongReferences } from "./step-references.ts";
import { scanStep } from "./step-scan.ts";

/**
 * Checks a STEP file in which no product contains itself. `elsewhere`: ids of the product definitions whose shapes are in other files, such
 * as `#12`.
 */
export function checkStep(file: Uint8Array, elsewhere: ReadonlySet<string>): CadCheck {
  const scan = scanStep(file);
  if (!scan) return { damage: undefined, lossesIn: () => ({ losses: [], warnings: [] }) };
  const { instances } = scan;
  const keywords = keywordsOf(instances);
  const structure = productStructure(instances, keywords);
  const nameOf = (product: number): string => productName(instances, product);
  const placed = structure.shapes.map(({ product, faces, uses }) => ({ name: nameOf(product), faces, uses }));
  const empty = structure.empty.filter((i) => !elsewhere.has(`#${instances.ids[i]}`));
  const damage = damageOf(scan, wrongReferences(instances, keywords), structure);
  return {
    damage,
    lossesIn(meshes) {
      const made = meshes.map(({ name, brep_faces: faces }) => ({ name, faces: faces.length }));
      const { missing, incomplete, others } = missingShapes(placed, made);
      const lost = missing.values().reduce((sum, count) => sum + count, 0);
      const unowned = others < structure.unowned.length ? structure.unowned : [];
      const shapeless = others === 0 ? empty : [];
      const unplaced = structure.unplaced.map((i) => nameOf(referencesOf(instances, i)[1] ?? NOWHERE));
      const unownedNames = unowned.map((i) => textsOf(instances, i)[0] ?? "");
      const losses = [
        ...countSentence("Shapes that the file places and the model lacks", lost, [...missing.keys()]),
        ...countSentence("Shapes with fewer faces than the file lists", incomplete.length, incomplete),
        ...countSentence("Solids that belong to no part, and that the model lacks", unowned.length, unownedNames),
        ...countSentence("Components without a placement in their assembly", unplaced.length, unplaced),
      ];
      return {
        losses: losses.length > 0 && !damage ? [...losses, WAY_OUT] : losses,
        warnings: countSentence(
          "Parts that the file places without solids or surfaces",
          shapeless.length,
          shapeless.map(nameOf),
        ),
      };
    },
  };
}

const WAY_OUT = "Take another copy of the STEP file, or export the model again.";
