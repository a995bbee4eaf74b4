import * as v from "valibot";
import { field } from "../../api/field.ts";
import { duration } from "../../command/describe-scene.ts";
import { summarisePlate } from "../plate-summary.ts";
import { defineTool, plate as plateField } from "../tool.ts";

/** Says what a plate holds, and what its print takes. */
export const estimate = defineTool(
  {
    name: "estimate",
    title: "Time, material and cost",
    description:
      "What a plate holds and what its print takes: its parts with sizes and places, layers, print time, material, and the cost of the material if a price is given.",
    fields: {
      plate: plateField,
      exact: field(v.optional(v.boolean(), false), "Computes the time from the sliced layers: slower."),
      price_per_l: field(v.optional(v.pipe(v.number(), v.minValue(0))), "Price of a litre of resin, in any currency."),
      price_per_kg: field(v.optional(v.pipe(v.number(), v.minValue(0))), "Price of a kilogram of powder."),
    },
    hints: { readOnlyHint: true },
  },
  async ({ plate, exact, price_per_l, price_per_kg }, call) => {
    call.expect(exact ? 3 : 2);
    const { lines, data } = await summarisePlate(call, plate);
    const times = exact
      ? await call.request("scene/calculate-print-time", { scene_id: call.sceneId(plate) })
      : undefined;
    const cost = costOf(data.material_usage as MaterialUsage, price_per_l, price_per_kg);
    return {
      lines: [
        ...lines,
        ...(times ? [`time from the layers: ${duration(times.total_print_time_s)}`] : []),
        ...(cost === undefined ? [] : [`material costs ${cost}`]),
      ],
      data: {
        ...data,
        ...(times && { total_print_time_s: times.total_print_time_s }),
        ...(cost !== undefined && { material_cost: cost }),
      },
    };
  },
);

interface MaterialUsage {
  readonly volume_ml?: number;
  readonly total_powder_kg?: number;
}

/** The cost of the material, rounded to hundredths; undefined without a price of this kind of material. */
function costOf(
  { volume_ml, total_powder_kg }: MaterialUsage,
  perLitre: number | undefined,
  perKilogram: number | undefined,
): number | undefined {
  const cost =
    volume_ml === undefined
      ? perKilogram && perKilogram * (total_powder_kg ?? 0)
      : perLitre && (perLitre * volume_ml) / 1000;
  return cost === undefined ? undefined : Math.round(100 * cost) / 100;
}
