import { ApiError } from "../core/api-error.ts";
import { isRecord } from "../core/json.ts";
import { ModelFailures } from "./model-failures.ts";

// Messages name endpoints and fields of `/v1/`. Clients of 0.9 get the corresponding paths and fields of 0.9.

/** The equivalent in 0.9 of each endpoint of `/v1/` that messages name. */
const COMPAT_PATHS: Readonly<Record<string, string>> = {
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
  // 0.9 checks and repairs models only during an import.
  "scene/model/repair": 'repair_behavior "REPAIR" of /scene/{scene_id}/import-model/',
  "scene/model/validate/manifoldness": 'repair_behavior "ERROR" of /scene/{scene_id}/import-model/',
  // 0.9 has no equivalents.
  "scene/check": "/v1/scene/check/ of the newer interface, which this server has too,",
  "scene/export": "/v1/scene/export/ of the newer interface, which this server has too,",
};

/** An endpoint as messages name it, with or without the version. Parts of file paths that look like one do not match. */
const NAMED = new RegExp(`(?<![\\w/.-])(?:/v1/)?(${Object.keys(COMPAT_PATHS).join("|")})(?:/|(?![\\w/-]))`, "g");

/** Names of fields in 0.9, by their names in `/v1/`. */
type CompatFields = Readonly<Record<string, string>>;

const COMPAT_FIELDS: CompatFields = {
  model_ids: "models",
  max_search_distance_mm: "max_search_distance",
  flyaround: "flyaround_transform",
  keyframes: "transform",
};

/** A field in a sentence. Parts of file paths that look like one do not match. */
const FIELD = new RegExp(`(?<=^|[\\s("])(${Object.keys(COMPAT_FIELDS).join("|")})(?=[\\s)".,:;]|$)`, "g");

/** The JSON pointer at the beginning of a message about a field. */
const POINTER = /^"(\/[^"]*)"(?=: )/;

const compatText = (text: string, fields: CompatFields = COMPAT_FIELDS): string =>
  text
    .replace(POINTER, (_, pointer: string) => `"${compatPointer(pointer, fields)}"`)
    .replace(NAMED, (whole, endpoint: string) => COMPAT_PATHS[endpoint] ?? whole)
    .replace(FIELD, (field) => COMPAT_FIELDS[field] ?? field);

const compatPointer = (pointer: string, fields: CompatFields): string =>
  pointer
    .split("/")
    .map((key) => fields[key] ?? key)
    .join("/");

/** Replaces the paths and fields in the message of an error by those of 0.9. `fields` are additional ones of a single path. */
export const inCompatTerms = (error: ApiError, fields: CompatFields = {}): ApiError => {
  const translated = new ApiError(error.code, compatText(error.message, { ...COMPAT_FIELDS, ...fields }));
  return error instanceof ModelFailures ? new ModelFailures(translated, error.modelIds) : translated;
};

/** Replaces the paths and fields in the warnings and infos of an answer by those of 0.9. */
export const withCompatNotices = <Answer>(answer: Answer): Answer =>
  isRecord(answer)
    ? { ...answer, ...compatTexts("warnings", answer.warnings), ...compatTexts("infos", answer.infos) }
    : answer;

const compatTexts = (name: string, texts: unknown): object =>
  Array.isArray(texts) ? { [name]: (texts as string[]).map((text) => compatText(text)) } : {};
