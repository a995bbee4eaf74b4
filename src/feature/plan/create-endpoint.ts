import { servesServer } from "../../api/endpoint.ts";
import { requireFile } from "../../api/preconditions.ts";
import { inputError } from "../../core/api-error.ts";
import { READ_EXTENSIONS } from "../../format/model-formats.ts";
import { MAX_PLAN_PARTS, planBody, planReply } from "./plan-fields.ts";

export const createPlan = servesServer(
  {
    method: "POST",
    path: "/v1/plan/create/",
    errors: ["INPUT_ERROR", "OPERATION_FAILED"],
    summary:
      "An addition to the interface. Puts the parts of orders on as few plates of resin printers, and into as few chambers of powder printers, as it finds, in the order in which they are due, and these on the printers; says what is late and why. On plates parts keep their poses but for turns about z; chambers are packed as by auto-pack with packing_mode HEIGHT. Parts of a group share one plate or chamber, or two that follow each other. All parts are at least model_spacing_mm apart. Reads the files and changes no scene: plan/open makes the scene of a plate or chamber.",
    async: true,
    body: planBody,
    reply: planReply,
    check(body) {
      for (const { file } of body.orders) requireFile(file, READ_EXTENSIONS);
      const count = body.orders.reduce((sum, { copies }) => sum + copies, 0);
      if (count > MAX_PLAN_PARTS)
        throw inputError(`The orders have ${count} parts, more than ${MAX_PLAN_PARTS}: plan them in several requests.`);
    },
  },
  async (_, { body }, context) => {
    // Loaded when it is first needed: few servers plan.
    const { makePlan } = await import("./make-plan.ts");
    return makePlan(body, context);
  },
);
