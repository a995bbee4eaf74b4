import { ApiError } from "../core/api-error.ts";
import { isRecord } from "../core/json.ts";
import { ModelFailures } from "./model-failures.ts";

// Messages name endpoints of `/v1/` as the way out. Clients of 0.9 get the path of it that does the same.

/** What does in 0.9 what an endpoint of `/v1/` does that messages name. */
const OWN: Readonly<Record<string, string>> = {
  "device/list": "/devices/",
  "print-setting/list": "/list-materials/",
  "scene/list": "/scenes/",
  "scene/open": "/load-form/",
  "scene/save": "/scene/{scene_id}/save-form/",
  "scene/update": "PUT /scene/{scene_id}/",
  "scene/model/list": "GET /scene/{scene_id}/",
  "scene/model/orient": "/scene/{scene_id}/models/{id}/",
  "scene/model/auto-support": "/scene/{scene_id}/auto-support/",
  "scene/model/drill": "/scene/{scene_id}/add-drain-holes/",
  // 0.9 checks and repairs models only while it imports them.
  "scene/model/repair": 'repair_behavior "REPAIR" of /scene/{scene_id}/import-model/',
  "scene/model/validate/manifoldness": 'repair_behavior "ERROR" of /scene/{scene_id}/import-model/',
  // 0.9 has nothing of the kind.
  "scene/export": "/v1/scene/export/ of the newer interface, which this server has too,",
};

/** An endpoint as messages name it, with or without the version. Not what only looks like one in the path of a file. */
const NAMED = new RegExp(`(?<![\\w/.-])(?:/v1/)?(${Object.keys(OWN).join("|")})(?:/|(?![\\w/-]))`, "g");

const ownText = (text: string): string => text.replace(NAMED, (_, endpoint: string) => OWN[endpoint]);

/** The error with the paths of 0.9 in its message. */
export const inOwnPaths = (error: ApiError): ApiError => {
  const own = new ApiError(error.code, ownText(error.message));
  return error instanceof ModelFailures ? new ModelFailures(own, error.modelIds) : own;
};

/** An answer whose notices have the paths of 0.9. */
export const withOwnNotices = <Answer>(answer: Answer): Answer =>
  isRecord(answer)
    ? { ...answer, ...ownTexts("warnings", answer.warnings), ...ownTexts("infos", answer.infos) }
    : answer;

const ownTexts = (name: string, texts: unknown): object =>
  Array.isArray(texts) ? { [name]: (texts as string[]).map(ownText) } : {};
