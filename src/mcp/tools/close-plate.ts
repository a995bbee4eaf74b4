import { plate as plateField, defineTool } from "../tool.ts";

/** Removes a plate from memory. */
export const closePlate = defineTool(
  {
    name: "close_plate",
    title: "Close a plate",
    description: "Removes a plate from memory. What was not saved is lost.",
    fields: { plate: plateField },
    hints: { destructiveHint: true },
  },
  async ({ plate }, call) => {
    const { plates, parts, runner } = call.workspace;
    await call.request("DELETE /v1/scene/delete/", { scene_id: call.sceneId(plate) });
    const { scenes } = runner.server.store.read();
    const present = new Set(scenes.flatMap(({ id, models }) => [id, ...models.map((model) => model.id)]));
    plates.drop((id) => !present.has(id));
    parts.drop((id) => !present.has(id));
    return {
      lines: [`${plate} is closed. Open: ${plates.all().join(", ") || "none"}.`],
      data: { plates: plates.all() },
    };
  },
);
