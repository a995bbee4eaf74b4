import type { ModelFile } from "../model-reader.ts";
import { sentenceOf, unreadFields } from "../message-names.ts";
import type { ModelObject, ModelPart, Placement } from "./model-part.ts";

/**
 * Content that the build of a package places and that is missing in its parts, by the names of the objects. `objectOf` finds the
 * object of a placement. The caller has checked that no object is missing and that components do not form a cycle.
 */
export function unreadObjects(
  root: ModelPart,
  objectOf: (placement: Placement) => ModelObject,
): Pick<ModelFile, "losses" | "warnings"> {
  const placed = new Set<ModelObject>();
  const visit = (object: ModelObject): void => {
    if (placed.has(object)) return;
    placed.add(object);
    for (const component of object.components) visit(objectOf(component));
  };
  for (const item of root.items) if (item.isPrintable) visit(objectOf(item));

  const labelsOf = (isMeant: (object: ModelObject) => boolean): string[] =>
    [...placed].filter(isMeant).map(({ label }) => label);
  const isLost = ({ surface, lattice, components, type }: ModelObject): boolean =>
    surface === undefined && components.length === 0 && type !== "support" && lattice === undefined;
  return unreadFields(
    sentenceOf("The file places objects that have no triangles, or none that are read", labelsOf(isLost)),
    [
      ...sentenceOf(
        'Objects of type "support" are not imported, because supports are made here',
        labelsOf(({ type }) => type === "support"),
      ),
      ...sentenceOf(
        'Items that the file has switched off (printable="0") are not imported',
        root.items.filter(({ isPrintable }) => !isPrintable).map((item) => objectOf(item).label),
      ),
    ],
  );
}
