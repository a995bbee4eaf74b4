import { fadedLayers, type JobFacts, layerCount, meanThicknessMm } from "../job-facts.ts";

/** `prusaslicer.ini`: programs that open the job take the display and the layers from it. */
export function settingsIni(facts: JobFacts, model: string) {
  const { printer, exposure, boundariesMm } = facts;
  const [columns, rows] = printer.pixels;
  const [width, depth] = [columns * printer.pixelMm[0], rows * printer.pixelMm[1]].map(rounded);
  return {
    bed_shape: `0x0,${width}x0,${width}x${depth},0x${depth}`,
    display_height: depth,
    display_mirror_x: printer.mirrorX ? 1 : 0,
    display_mirror_y: 0,
    display_orientation: printer.portrait ? "portrait" : "landscape",
    display_pixels_x: columns,
    display_pixels_y: rows,
    display_width: width,
    exposure_time: exposure?.normalS ?? 0,
    faded_layers: fadedLayers(facts),
    initial_exposure_time: exposure?.firstS ?? 0,
    initial_layer_height: layerCount(facts) > 0 ? rounded(boundariesMm[1] - boundariesMm[0]) : meanThicknessMm(facts),
    layer_height: meanThicknessMm(facts),
    max_print_height: printer.volumeMm[2],
    printer_model: model,
    printer_technology: "SLA",
    printer_variant: "default",
  };
}

/** To the nanometre: products of pixels carry rounding. */
const rounded = (mm: number): number => Math.round(mm * 1e6) / 1e6;
