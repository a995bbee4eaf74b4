import { ACTIONS } from "./actions.ts";
import { isFieldName, labelOf } from "./field.ts";

/** Buttons for paths that messages of the server name and that are no actions with a form. */
const BUTTONS: Readonly<Record<string, string>> = {
  "/v1/scene/export/": "Save",
  "/v1/scene/save/": "Save",
  "/v1/scene/open/": "Open files",
  "/v1/scene/update/": "Printer and material",
  "/v1/scene/model/import/": "Import models",
  "/v1/scene/model/orient/": "Turn",
  "/v1/scene/model/list/": "Models",
  "/v1/scene/list/": "Scenes",
  ...Object.fromEntries(ACTIONS.map(({ path, title }) => [path, title])),
};

/** Not those of files, and not in names that are quoted. */
const FIELD_NAME = /(?<![\w"./-])[a-z]+(?:_[a-z]+)+(?![\w"-]|\.\w)/g;

/** A message of the server with the page's buttons in place of the paths of its interface, and labels in place of names of fields. */
export const inPageWords = (message: string): string =>
  message
    .replaceAll(/\/v1(?:\/[a-z-]+)+\//g, (path) => (BUTTONS[path] ? `“${BUTTONS[path]}”` : path))
    .replaceAll(FIELD_NAME, (name) => (isFieldName(name) ? `“${labelOf(name).label}”` : name));
