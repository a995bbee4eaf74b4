import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { type ShapeExports, bytesFromShapes } from "../shape-kernel.ts";

/** A layer in a `.svgx` file. */
export interface SvgxLayer {
  /** The outlines as the data of an SVG path, in mm from the middle of the display, with y downward. Empty for an empty layer. */
  readonly path: Uint8Array;
  readonly areaMm2: number;
  readonly perimeterMm: number;
  /** Absent for an empty layer. */
  readonly box?: SvgxBox;
}

/** In the coordinates of the path. */
export interface SvgxBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Coordinates have four decimals. */
const PER_MM = 10_000;

/** Bytes of a corner in a path, at most: the end of a loop, a letter and two coordinates, with blanks. */
const CORNER_BYTES = 2 + 2 + 2 * "-123456.7890 ".length;

/** The outlines of a layer, whose pixels have this size across and down (`traced-outlines.as.ts`, `simple-outlines.as.ts`). */
export function encodeSvgxLayer(layer: LayerRuns, [across, down]: readonly [number, number]): SvgxLayer {
  let measures: Omit<SvgxLayer, "path"> = { areaMm2: 0, perimeterMm: 0 };
  const outlined = (exports: ShapeExports): number => {
    exports.acrossTenths.value = across * PER_MM;
    exports.downTenths.value = down * PER_MM;
    exports.traceOutlines();
    exports.simplifyOutlines();
    measures = measuresOf(exports);
    return CORNER_BYTES * exports.cornerCount.value;
  };
  const path = bytesFromShapes(layer, outlined, (exports, at) => exports.writeText(at) - at);
  return { path, ...measures };
}

function measuresOf({ area, perimeter, cornerCount, ...box }: ShapeExports): Omit<SvgxLayer, "path"> {
  const measures = { areaMm2: Math.abs(area.value) / 2 / PER_MM ** 2, perimeterMm: perimeter.value / PER_MM };
  if (cornerCount.value === 0) return measures;
  const [minX, minY] = [box.boxMinX.value / PER_MM, box.boxMinY.value / PER_MM];
  return { ...measures, box: { minX, minY, maxX: box.boxMaxX.value / PER_MM, maxY: box.boxMaxY.value / PER_MM } };
}
