import { profileOf } from "../catalog/profile.ts";
import { snakeKeys } from "../core/json.ts";
import { packingDistances } from "../feature/pack/endpoint.ts";
import { supportBody } from "../feature/support/endpoint.ts";
import type { Scene } from "../scene/project.ts";
import type { PageDefaults } from "./replies.ts";

/** The values that the print setting of a scene gives to absent fields of requests, by their paths: forms show what "auto" means. */
export function formDefaults(scene: Scene): PageDefaults {
  const profile = profileOf(scene.setting);
  if (profile.family === "powder") {
    const spacing = { model_spacing_mm: packingDistances(scene).spacingMm };
    const paths = ["auto-pack", "fill-build-chamber", "cage"].map((action) => `/v1/scene/model/${action}/`);
    return { fields: Object.fromEntries(paths.map((path) => [path, spacing])) };
  }
  const settings = Object.entries(snakeKeys(profile.supports)).filter(([name]) => name in supportBody.entries);
  return { fields: { "/v1/scene/model/auto-support/": Object.fromEntries(settings) } };
}
