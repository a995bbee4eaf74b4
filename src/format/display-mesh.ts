/**
 * Warning for a part that a CAD program wrote: only its display mesh is read, with the accuracy that was set when the part was saved.
 * `deviationMm` is that accuracy, if the file states it.
 */
export function displayMeshWarning(program: string, deviationMm?: number): string {
  const accuracy =
    deviationMm === undefined ? "the accuracy it was saved with" : `deviations of up to ${deviationMm} mm`;
  return (
    `The file was read by the mesh that ${program} displays, with ${accuracy}: chordal_tolerance_um and angle_tolerance_deg have no ` +
    "effect on it. Save the part with a finer display, or as STEP, where that is too coarse."
  );
}
