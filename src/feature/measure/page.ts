import { counted, millilitres, shortNumber } from "../../core/quantities.ts";
import { type FeaturePage, perModel } from "../page-row.ts";

interface Measures {
  readonly dimensions_mm: { readonly x: number; readonly y: number; readonly z: number };
  readonly volume_mm3: number;
  readonly triangle_count: number;
}

export const measurePage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/measure/",
      group: "check",
      title: "Size and volume",
      check: { findings: perModel((measures: Measures) => [{ severity: "info", text: textOf(measures) }]) },
    },
  ],
};

function textOf({ dimensions_mm: { x, y, z }, volume_mm3, triangle_count }: Measures): string {
  const size = [x, y, z].map((side) => shortNumber(side)).join(" × ");
  return `${size} mm, ${millilitres(volume_mm3 / 1000)}, ${counted(triangle_count, "triangle")}`;
}
