import * as v from "valibot";
import { field } from "../../api/field.ts";
import { coordinateMm } from "../../api/schema.ts";
import { CHECK_KINDS } from "../../scene/findings.ts";
import { listFindings, worstPlaces } from "../finding-list.ts";
import { defineTool, plate as plateField } from "../tool.ts";

/** Checks whether a plate can be printed. */
export const check = defineTool(
  {
    name: "check",
    title: "Check a plate",
    description:
      "Whether a plate can be printed: parts outside of the build volume, collisions, open meshes, cups that trap resin, regions that begin in mid-air (minima), overhangs without support, thin walls on request. Lists findings with their worst places and fixes; status OK, WARNING or ERROR.",
    fields: {
      plate: plateField,
      thin_mm: field(
        v.optional(v.pipe(coordinateMm, v.gtValue(0))),
        "Also finds walls thinner than this, in mm, such as 0.4. May take minutes.",
      ),
    },
    hints: { readOnlyHint: true },
  },
  async ({ plate, thin_mm }, call) => {
    call.expect(3);
    const { status, findings } = await call.request("scene/check", {
      scene_id: call.sceneId(plate),
      ...(thin_mm !== undefined && { checks: CHECK_KINDS, threshold_mm: thin_mm }),
    });
    const found = listFindings(call, findings, await worstPlaces(call, plate, findings));
    const next =
      status === "OK"
        ? "Next: picture, save."
        : "Next: edit_parts with do: fix and a finding, or picture with a finding to look at it.";
    return {
      lines: [
        `${status}: ${findings.length} ${findings.length === 1 ? "finding" : "findings"}. ${next}`,
        ...found.lines,
      ],
      data: { plate, status, ...found.data },
    };
  },
);
