import * as v from "valibot";
import { field } from "../../api/field.ts";
import { excerpt, inputError, notFound } from "../../core/api-error.ts";
import type { Finding } from "../../scene/findings.ts";
import { type View, pictureOfLayer, pictureOfView } from "../picture-of.ts";
import { defineTool, parts as partsField, plate as plateField } from "../tool.ts";
import { inToolWords } from "../tool-words.ts";
import type { ToolCall } from "../workspace.ts";

/** Directions of the camera, degrees; ISO is the default of scene/render. */
const VIEWS = {
  ISO: { yaw: 45, pitch: 35.264 },
  ISO_BACK: { yaw: 225, pitch: 35.264 },
  FRONT: { yaw: 90, pitch: 0 },
  BACK: { yaw: 270, pitch: 0 },
  RIGHT: { yaw: 0, pitch: 0 },
  LEFT: { yaw: 180, pitch: 0 },
  TOP: { yaw: 90, pitch: 90 },
  BELOW: { yaw: 45, pitch: -30 },
} as const;

type ViewName = keyof typeof VIEWS;

const NAMES = Object.keys(VIEWS) as [ViewName, ...ViewName[]];

/** Draws a plate, or a layer of it. */
export const picture = defineTool(
  {
    name: "picture",
    title: "Look at a plate",
    description:
      "A picture of a plate (PNG, 768 px): its parts with supports from a direction, the parts of a finding, or one layer as the printer exposes it. Parts outside of the build volume are red.",
    fields: {
      plate: plateField,
      view: field(v.optional(v.picklist(NAMES)), "Direction. ISO (default) is from the front right, above."),
      parts: partsField,
      whole: field(v.optional(v.boolean(), false), "Shows the whole platform, not only the parts."),
      layer: field(
        v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
        "Draws this layer instead, from above; 0 is that on the platform.",
      ),
      finding: field(v.optional(v.string()), "Draws the parts of this finding of check."),
    },
    hints: { readOnlyHint: true },
  },
  async ({ plate, view, parts, whole, layer, finding }, call) => {
    if (layer !== undefined) {
      if (view ?? parts ?? finding)
        throw inputError(
          '"/layer": a layer is drawn of the whole plate, from above: leave view, parts and finding out.',
        );
      return layerOf(plate, layer, call);
    }
    if (parts && finding !== undefined) throw inputError('"/finding": name parts or a finding, not both.');
    const found = finding === undefined ? undefined : knownFinding(plate, finding, call);
    if (call.scene(plate).models.length === 0)
      throw inputError(`${plate} has no parts to look at: add_parts adds some.`);
    const direction = view ?? (found && FROM_BELOW.has(found.kind) ? "BELOW" : "ISO");
    const shown: View = {
      ...VIEWS[direction],
      model_ids: found?.modelIds ?? call.modelIds(plate, parts),
      ...(whole && { view_type: "FULL_PLATFORM_WIDTH" }),
    };
    const png = await pictureOfView(call, plate, shown);
    const subject = found
      ? `${call.partsOf(found.modelIds.slice(0, MAX_NAMED)).join(", ")}: ${inToolWords(found.text, call.workspace)}`
      : (parts?.slice(0, MAX_NAMED).join(", ") ?? "all parts");
    return { lines: [`${plate}, ${direction}: ${subject}`], data: { plate, view: direction }, picture: png };
  },
);

/** Most parts that the text beside a picture names. */
const MAX_NAMED = 10;

/** Findings at faces that look down. */
const FROM_BELOW: ReadonlySet<string> = new Set(["MINIMA", "SUPPORTEDNESS", "SUPPORTS"]);

function knownFinding(plate: string, id: string, call: ToolCall): Finding {
  const known = call.workspace.runner.server.keptFindings.of(call.scene(plate))?.findings ?? [];
  const finding = known.find((one) => one.id === id);
  if (finding) return finding;
  throw notFound(`No check of ${plate} has found "${excerpt(id)}": check lists the findings.`);
}

async function layerOf(plate: string, layer: number, call: ToolCall) {
  const { png, heightsMm } = await pictureOfLayer(call, plate, layer);
  return {
    lines: [
      `${plate}, layer ${layer}, from ${heightsMm[0]} to ${heightsMm[1]} mm above the platform; white is exposed`,
    ],
    data: { plate, layer, from_mm: heightsMm[0], to_mm: heightsMm[1] },
    picture: png,
  };
}
