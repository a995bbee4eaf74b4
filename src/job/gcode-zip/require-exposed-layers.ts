import type { JobArchive } from "../zipped/job-archive.ts";
import type { GcodeLayer } from "./gcode-layers.ts";

/**
 * Throws the error of the archive for a G-code that exposes nothing, other pictures than those of the archive, another number of them
 * than it states, or layers that do not rise.
 */
export function requireExposedLayers(
  layers: readonly GcodeLayer[],
  archive: JobArchive,
  counts: { readonly pictures: number; readonly stated: number | undefined },
): void {
  const { refuse } = archive;
  if (layers.length === 0) throw refuse("its G-code exposes no layer; slice the job again");
  if (layers.length > counts.pictures) {
    throw refuse("its G-code exposes more layers than it has pictures; slice the job again");
  }
  if (counts.stated !== undefined && counts.stated !== layers.length) {
    throw refuse(`its G-code exposes ${layers.length} layers and states ${counts.stated}; slice the job again`);
  }
  const missing = layers.find(({ picture }) => !archive.has(picture));
  if (missing)
    throw refuse(
      `${JSON.stringify(missing.picture)}, which its G-code shows, is missing inside it; slice the job again`,
    );
  const sunk = layers.findIndex(({ zMm }, k) => !(zMm > (k === 0 ? 0 : layers[k - 1].zMm)));
  if (sunk >= 0) throw refuse(`layer ${sunk + 1} in its G-code is not above the layer below it; slice the job again`);
}
