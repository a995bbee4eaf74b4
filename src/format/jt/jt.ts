import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { concatenateSurfaces } from "../../mesh/mesh.ts";
import { displayMeshWarning } from "../display-mesh.ts";
import type { ModelReader } from "../model-reader.ts";
import { claimModelSize } from "../model-size.ts";
import { namesInMessage } from "../message-names.ts";
import { placeSurface } from "../place-surface.ts";
import { readJtAssembly } from "./jt-assembly.ts";
import { ADVICE } from "./jt-file.ts";
import { sizeOf } from "./jt-model.ts";
import type { LeftOut } from "./scene-graph.ts";

/** Fraction of the progress at which the shapes are read. */
const READ_SHARE = 0.9;

/**
 * JT files of versions 8 to 10, at their finest level of detail, with the files to which they refer. Each use of a part is a separate
 * part. Coordinates are in the unit that the top of the scene graph states.
 */
export const jtReader: ModelReader = {
  async read(file, _options, progress) {
    progress.report(0);
    const { parts, unitMm, files } = await readJtAssembly(file, progress.part(0, READ_SHARE));
    const refuse: ErrorFactory = (why) => fileError("read", file, why);
    if (parts.length === 0) {
      throw refuse(`it holds no tessellated shapes, only exact ones (XT) or others that are not read; ${ADVICE}`);
    }
    const used = parts.flatMap(({ shapes }) => shapes.map(({ surface }) => surface));
    claimModelSize(file, { ...sizeOf(used), parts: parts.length }, refuse);
    const placed = parts.map(({ name, shapes }, index) => ({
      index,
      ...(name !== undefined && { name }),
      surface: concatenateSurfaces(shapes.map(({ surface, transform }) => placeSurface(surface, transform))),
    }));
    for (const { vertices } of new Set(used)) releaseArrays(vertices);
    const deviations = parts.flatMap((part) => part.deviationMm ?? []);
    const deviationMm = deviations.length === 0 ? undefined : roundedMm(Math.max(...deviations));
    return {
      parts: placed,
      ...(unitMm !== undefined && { unitMm }),
      separateFaces: deviationMm === undefined ? {} : { deviationMm },
      warnings: [
        displayMeshWarning("the program that wrote the JT file", deviationMm),
        ...leftOutWarnings(files.map(({ graph }) => graph.leftOut)),
      ],
    };
  },
};

const roundedMm = (mm: number): number => Number(mm.toPrecision(3));

/** One sentence that lists the content of the files that is not read; empty if all is read. */
function leftOutWarnings(leftOut: readonly LeftOut[]): string[] {
  const named = (what: string, key: "hidden" | "exact" | "empty"): string[] => {
    const all = leftOut.flatMap((one) => [...one[key]]);
    const names = namesInMessage(all);
    return all.length === 0 ? [] : [`${what}${names && ` (${names})`}`];
  };
  const lists = [
    ...named("what is hidden", "hidden"),
    ...named("parts with exact shapes alone", "exact"),
    ...named("parts without shapes", "empty"),
    ...new Set(leftOut.flatMap(({ kinds }) => [...kinds])),
  ];
  if (lists.length === 0) return [];
  return [
    `Not all of the JT file was read: left out are ${lists.join("; ")}. Where they are needed, show them in the program that wrote it, and export them with tessellated shapes, or as STEP.`,
  ];
}
