import { ACTIONS } from "./actions.ts";
import { isFieldName, labelOf } from "./form-field.ts";

/** Names of the buttons for paths that messages of the server mention. */
const BUTTONS: Readonly<Record<string, string>> = {
  "/v1/scene/export/": "Save",
  "/v1/scene/save/": "Save",
  "/v1/scene/open/": "Open files",
  "/v1/scene/update/": "Printer and material",
  "/v1/scene/model/import/": "Import models",
  "/v1/scene/model/orient/": "Rotate",
  "/v1/scene/model/list/": "Models",
  "/v1/scene/list/": "Scenes",
  ...Object.fromEntries(ACTIONS.map(({ path, title }) => [path, title])),
};

/** Matches words with underscores, except in file names and in quoted names. */
const FIELD_NAME = /(?<![\w"./-])[a-z]+(?:_[a-z]+)+(?![\w"-]|\.\w)/g;

/** Temporary folders of uploads in messages of the server; they mean nothing to the user. */
const UPLOADED_PATH = /(?<=")[^"]*[/\\]printwright-page-[^"]*[/\\](?=[^"/\\]+")/g;

/** Replaces paths of the interface in a message of the server by names of buttons, field names by labels, and paths of uploads by their names. */
export const inPageWords = (message: string): string =>
  message
    .replaceAll(UPLOADED_PATH, "")
    .replaceAll(/\/v1(?:\/[a-z-]+)+\//g, (path) => (BUTTONS[path] ? `“${BUTTONS[path]}”` : path))
    .replaceAll(FIELD_NAME, (name) => (isFieldName(name) ? `“${labelOf(name).label}”` : name));
