import * as v from "valibot";
import { field } from "../../api/field.ts";
import { coordinateMm } from "../../api/schema.ts";
import { OVERFLOWS } from "../../feature/prepare/prepare-scene.ts";
import { listFindings } from "../finding-list.ts";
import { summarisePlate } from "../plate-summary.ts";
import { defineTool, parts as partsField, plate as plateField } from "../tool.ts";
import { warningsInWords } from "../tool-words.ts";

const flag = v.optional(v.boolean());

/** Turns, supports, arranges and checks the parts of a plate. */
export const prepare = defineTool(
  {
    name: "prepare",
    title: "Prepare a plate",
    description:
      "Resin: turns parts so that they print best, supports them, arranges them on the platform. Powder: packs them. Then checks the plate. One change: all of it is done, or nothing. May take minutes.",
    fields: {
      plate: plateField,
      parts: partsField,
      orient: field(flag, "Resin: turn parts. Default true."),
      support: field(flag, "Resin: support parts. Default true."),
      layout: field(flag, "Resin: arrange parts. Default true."),
      dental: field(flag, "Dental arches: put on their bases, and nested."),
      density: field(v.optional(v.pipe(v.number(), v.minValue(0))), "Factor for the number of supports; 1 is usual."),
      touchpoint_size_mm: field(
        v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(5))),
        "Diameter of the tips of supports; that of the print setting if absent.",
      ),
      internal_supports: field(flag, "Lets supports stand on parts."),
      spacing_mm: field(
        v.optional(v.pipe(coordinateMm, v.minValue(0))),
        "Least distance between parts; 2 mm on resin printers if absent.",
      ),
      overflow: field(
        v.optional(v.picklist(OVERFLOWS)),
        "If not all fit. FAIL (default): nothing changes. BESIDE: the others stand beside the platform. NEW_SCENE: a new plate.",
      ),
    },
    hints: {},
  },
  async (input, call) => {
    const { plate, parts, overflow } = input;
    call.expect(3);
    const isPowder = call.scene(plate).setting.printerType.family === "powder";
    const reply = await call.request("scene/prepare", {
      scene_id: call.sceneId(plate),
      ...(parts && { model_ids: call.modelIds(plate, parts) }),
      ...stepsOf(input, isPowder),
      ...(overflow && { overflow }),
    });
    const { status, findings, warnings, unplaced_model_ids: unplaced, new_scene_id: added } = reply;
    const other = added === null ? undefined : call.workspace.plates.of(added);
    const found = listFindings(call, findings);
    const summary = await summarisePlate(call, plate);
    const told = warningsInWords(warnings, call.workspace);
    const next =
      status === "OK"
        ? "Next: picture to look at it, save to write it."
        : "Next: edit_parts with do: fix, or picture with a finding.";
    return {
      lines: [
        `Prepared; the check says ${status}. ${next}`,
        ...(other === undefined
          ? []
          : [`${call.scene(other).models.length} parts did not fit and are on ${other}, arranged as well.`]),
        ...(other === undefined && unplaced.length > 0 ? [`${unplaced.length} parts stand beside the platform.`] : []),
        ...found.lines,
        ...told.lines,
        ...summary.lines,
      ],
      data: {
        ...summary.data,
        status,
        ...found.data,
        unplaced_count: unplaced.length,
        ...(other !== undefined && { new_plate: other }),
        ...told.data,
      },
    };
  },
);

interface Choices {
  readonly orient?: boolean | undefined;
  readonly support?: boolean | undefined;
  readonly layout?: boolean | undefined;
  readonly dental?: boolean | undefined;
  readonly density?: number | undefined;
  readonly touchpoint_size_mm?: number | undefined;
  readonly internal_supports?: boolean | undefined;
  readonly spacing_mm?: number | undefined;
}

/** The fields of scene/prepare. Those of resin that are given for powder are passed on, since the error of the interface says why they are wrong. */
function stepsOf(
  { orient, support, layout, dental, density, touchpoint_size_mm, internal_supports, spacing_mm }: Choices,
  isPowder: boolean,
) {
  const spacing = spacing_mm === undefined ? {} : { model_spacing_mm: spacing_mm };
  const mode = dental ? { mode: "DENTAL" } : {};
  const supports = {
    ...(density !== undefined && { density }),
    ...(touchpoint_size_mm !== undefined && { touchpoint_size_mm }),
    ...(internal_supports !== undefined && { internal_supports_enabled: internal_supports }),
  };
  return {
    ...stepOf("orient", orient, mode),
    ...stepOf("support", support, supports),
    ...stepOf("layout", layout, isPowder ? mode : { ...mode, ...spacing }),
    ...(isPowder ? stepOf("pack", undefined, spacing) : {}),
  };
}

/** A field of scene/prepare for a step; none where neither it nor an option was given. */
function stepOf(name: string, isDone: boolean | undefined, options: object) {
  if (isDone === false) return { [name]: false };
  if (Object.keys(options).length > 0) return { [name]: options };
  return isDone === undefined ? {} : { [name]: true };
}
