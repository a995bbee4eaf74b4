import * as v from "valibot";
import { field, object } from "../../api/field.ts";
import { anglesReply, positionReply, uuid } from "../../api/schema.ts";

/** A hole in a reply, as `drill` takes it. `createPlug` is the description of its field `create_plug`. */
export const drainHoleReply = (createPlug: string) =>
  object({
    orientation: field(anglesReply, "Rotation of the hole, whose axis is the rotated -z."),
    position: field(positionReply, "Point of the surface in the scene where the hole begins."),
    diameter_mm: field(v.number(), "Diameter of the hole in mm."),
    depth_mm: field(v.number(), "Depth of the hole in mm."),
    outset_mm: field(v.number(), "Distance outside the surface at which the hole begins, in mm."),
    create_plug: field(v.boolean(), createPlug),
  });

/** The plugs that requests make for holes. */
export const plugsReply = field(
  v.array(
    object({
      plug_model_id: field(uuid, "Id of the model of the plug."),
      drilled_model_id: field(uuid, "Id of the model that has the hole."),
    }),
  ),
  "The new plugs.",
);
