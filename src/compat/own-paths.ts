import { ApiError } from "../core/api-error.ts";
import { isRecord } from "../core/json.ts";
import { ModelFailures } from "./model-failures.ts";

// Messages name endpoints and fields of `/v1/`. Clients of 0.9 get the path and the field that do the same there.

/** What does in 0.9 what an endpoint of `/v1/` does that messages name. */
const OWN: Readonly<Record<string, string>> = {
  "device/list": "/devices/",
  "operation/get": "/operations/{id}/",
  "print-setting/list": "/list-materials/",
  "print-setting/save": "/scene/{scene_id}/save-fps-file/",
  "scene/create": "/scene/",
  "scene/list": "/scenes/",
  "scene/open": "/load-form/",
  "scene/render": "/scene/{scene_id}/save-screenshot/",
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

/** The fields of 0.9 for those that have other names in `/v1/`. */
type OwnFields = Readonly<Record<string, string>>;

const OWN_FIELDS: OwnFields = {
  model_ids: "models",
  max_search_distance_mm: "max_search_distance",
  flyaround: "flyaround_transform",
  keyframes: "transform",
};

/** A field in a sentence. Not what only looks like one in the path of a file. */
const FIELD = new RegExp(`(?<=^|[\\s("])(${Object.keys(OWN_FIELDS).join("|")})(?=[\\s)".,:;]|$)`, "g");

/** The JSON pointer that the message on a field begins with. */
const POINTER = /^"(\/[^"]*)"(?=: )/;

const ownText = (text: string, fields: OwnFields = OWN_FIELDS): string =>
  text
    .replace(POINTER, (_, pointer: string) => `"${ownPointer(pointer, fields)}"`)
    .replace(NAMED, (_, endpoint: string) => OWN[endpoint])
    .replace(FIELD, (field) => OWN_FIELDS[field]);

const ownPointer = (pointer: string, fields: OwnFields): string =>
  pointer
    .split("/")
    .map((key) => fields[key] ?? key)
    .join("/");

/** The error with the paths and fields of 0.9 in its message. `fields` are those of one path alone. */
export const inOwnPaths = (error: ApiError, fields: OwnFields = {}): ApiError => {
  const own = new ApiError(error.code, ownText(error.message, { ...OWN_FIELDS, ...fields }));
  return error instanceof ModelFailures ? new ModelFailures(own, error.modelIds) : own;
};

/** An answer whose notices have the paths of 0.9. */
export const withOwnNotices = <Answer>(answer: Answer): Answer =>
  isRecord(answer)
    ? { ...answer, ...ownTexts("warnings", answer.warnings), ...ownTexts("infos", answer.infos) }
    : answer;

const ownTexts = (name: string, texts: unknown): object =>
  Array.isArray(texts) ? { [name]: (texts as string[]).map((text) => ownText(text)) } : {};
