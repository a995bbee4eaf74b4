import type { RepairResult } from "../../repair/repair.ts";

/**
 * Warnings about the repair of a model: remaining defects, faces that enclosed no volume and became a solid or were removed, and the
 * distance by which a remesh moved the surface. `scale`: scale of the model in its scene.
 */
export function repairWarnings(subject: string, result: RepairResult, scale = 1): string[] {
  const { deviationMm, closedMm3, droppedMm2, enclosedMm3 = 0, mesh } = result;
  const warnings: string[] = [];
  if (!result.isClosedManifold) warnings.push(leftWarning(subject, result, scale));
  if (closedMm3 !== undefined) {
    warnings.push(
      `${subject} had faces that enclosed nothing: its openings were closed, which makes it a solid of ${volumeText(closedMm3 * scale ** 3)}. Check that this is what you want, or give its faces a thickness in the CAD program.`,
    );
  }
  if (droppedMm2 !== undefined) {
    warnings.push(
      `${subject} had loose faces of ${(droppedMm2 * scale ** 2).toPrecision(3)} mm² that enclose nothing: they were left out. Give them a thickness in the CAD program where they are a part of it.`,
    );
  }
  if (deviationMm !== undefined) {
    warnings.push(
      `${subject} could not be repaired facet by facet: it was remeshed, with a surface up to ${(deviationMm * scale).toFixed(3)} mm away from the old one, and encloses ${volumeText(mesh.volumeMm3 * scale ** 3)} where its facets enclosed ${volumeText(enclosedMm3 * scale ** 3)}. Thin walls may be missing: check it before you print it.`,
    );
  }
  return warnings;
}

function leftWarning(subject: string, { isOutOfSteps, defects = [], refused }: RepairResult, scale: number): string {
  const defectsSentence = defects.length > 0 ? ` It has ${defects.join(", ")}.` : "";
  if (refused) {
    const [remeshed, enclosed] = [refused.remeshedMm3, refused.enclosedMm3].map((mm3) => volumeText(mm3 * scale ** 3));
    return (
      `${subject} was not repaired and stays as it was: for its size it could only be remeshed so coarsely that ${enclosed} ` +
      `would become ${remeshed}.${defectsSentence} It is closed, and its slices are correct as it is. Export it in smaller parts, or with more digits, to repair it.`
    );
  }
  if (isOutOfSteps === true) {
    return (
      `${subject} was not repaired and stays as it was: its facets cross one another in so many places that a repair would ` +
      `take too long, and it could not be remeshed.${defectsSentence} Import its bodies one by one and repair each, or simplify it and try again.`
    );
  }
  return `${subject} could not be repaired and stays as it was.${defectsSentence} Export it as a closed solid, or mend it in the CAD program.`;
}

const volumeText = (mm3: number): string =>
  mm3 < 1000 ? `${mm3.toPrecision(3)} mm³` : `${(mm3 / 1000).toFixed(2)} ml`;
