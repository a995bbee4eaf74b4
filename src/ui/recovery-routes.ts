import * as v from "valibot";
import { inputError } from "../core/api-error.ts";
import { MAX_KEPT_MS } from "../core/limits.ts";
import { runStepwise } from "../core/steps.ts";
import type { App } from "../http/app.ts";
import { readBody } from "../http/read-request.ts";
import type { SceneKeeper } from "../keep/scene-keeper.ts";
import { type PageServices, jsonAnswer } from "./page-services.ts";
import type { PageRecovery } from "./replies.ts";

const idsBody = v.strictObject({ ids: v.pipe(v.array(v.pipe(v.string(), v.uuid())), v.nonEmpty()) });

/** Adds the routes for the scenes that an earlier server left in the state folder. */
export function addRecoveryRoutes(app: App, { keeper }: PageServices): void {
  app.get("/ui/recovery", async () => jsonAnswer(keeper ? await recoveryOf(keeper) : { scenes: [], damaged: [] }));
  app.post("/ui/recovery/bring-back", async ({ env }) => {
    const { ids } = (await runStepwise(readBody({ body: idsBody }, env.rawBody.bytes()))) as v.InferOutput<
      typeof idsBody
    >;
    return jsonAnswer({ ids: await requireKeeper(keeper).bringBack(ids) });
  });
  app.delete("/ui/recovery", async () => {
    await requireKeeper(keeper).discard();
    return jsonAnswer({});
  });
}

async function recoveryOf(keeper: SceneKeeper): Promise<PageRecovery> {
  const { scenes, damaged } = await keeper.earlier();
  return {
    scenes: scenes.map(({ id, name, keptAt, modelNames }) => ({
      id,
      name,
      kept_at: keptAt,
      removed_at: new Date(Date.parse(keptAt) + MAX_KEPT_MS).toISOString(),
      model_count: modelNames.length,
    })),
    damaged,
  };
}

function requireKeeper(keeper: SceneKeeper | undefined): SceneKeeper {
  if (!keeper) throw inputError("This server keeps no scenes: start it with --state-folder.");
  return keeper;
}
