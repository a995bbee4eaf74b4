import type { MemoryBudget } from "../core/memory-budget.ts";
import type { App } from "../http/app.ts";
import type { Runner } from "../http/run-request.ts";
import type { SceneKeeper } from "../keep/scene-keeper.ts";
import { STREAMED_PATHS, addFileRoutes } from "./file-routes.ts";
import { addHistoryRoutes } from "./history-routes.ts";
import { addJobRoutes } from "./job-routes.ts";
import { addRecoveryRoutes } from "./recovery-routes.ts";
import { closePageServices, newPageServices } from "./page-services.ts";
import { addPreviewRoutes } from "./preview-routes.ts";
import { addLayerRoutes, addSceneRoutes } from "./scene-routes.ts";
import { addPage } from "./serve-page.ts";

/** Server side of the page in a browser: its files, and the routes that it needs in addition to `/v1/` (`replies.ts`). */
export interface Ui {
  addRoutes(app: App): void;
  /** Paths whose request bodies are files and are streamed. */
  readonly streamedPaths: readonly string[];
  close(): Promise<void>;
}

export function newUi(runner: Runner, budget?: MemoryBudget, keeper?: SceneKeeper): Ui {
  const services = newPageServices(runner, budget, keeper);
  return {
    streamedPaths: STREAMED_PATHS,
    addRoutes(app) {
      addPage(app);
      addSceneRoutes(app, services);
      addLayerRoutes(app, services);
      addFileRoutes(app, services);
      addHistoryRoutes(app, services);
      addRecoveryRoutes(app, services);
      addPreviewRoutes(app, services);
      addJobRoutes(app, services);
    },
    close: () => closePageServices(services),
  };
}
