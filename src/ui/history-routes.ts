import type { App } from "../http/app.ts";
import { type PageServices, jsonAnswer, sceneById, sceneInMemory, versionOf, wholeNumberIn } from "./page-services.ts";

/** Adds the routes for undo and redo. */
export function addHistoryRoutes(app: App, services: PageServices): void {
  const { history, versions } = services;
  const { sceneQueue } = services.runner;
  for (const direction of ["undo", "redo"] as const) {
    app.post(`/ui/scene/:id/${direction}`, async ({ req }) => {
      const { id } = await sceneInMemory(services, req.param("id"));
      await sceneQueue.run([id], async () => history[direction](id));
      return jsonAnswer(versionOf(services, id));
    });
  }
  app.post("/ui/scene/:id/join", ({ req }) => {
    const { id } = sceneById(services, req.param("id"));
    const since = wholeNumberIn(req.query("since"), 1, Number.MAX_SAFE_INTEGER);
    history.join(id, (state) => versions.ofState(state) === since);
    return jsonAnswer(versionOf(services, id));
  });
  app.post("/ui/undo-delete", () => jsonAnswer(versionOf(services, history.undoDelete().id)));
}
