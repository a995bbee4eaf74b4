import { ACTIONS } from "./actions.ts";
import { choiceLabel, isFieldName, labelOf } from "./form-field.ts";

/** Names of the buttons for paths that messages of the server mention. */
const BUTTONS: Readonly<Record<string, string>> = {
  "/v1/scene/check/": "Check",
  "/v1/scene/export/": "Save",
  "/v1/scene/save/": "Save",
  "/v1/scene/open/": "Open files",
  "/v1/scene/update/": "Printer and material",
  "/v1/scene/model/import/": "Import parts",
  "/v1/scene/model/orient/": "Rotate",
  "/v1/scene/model/list/": "Parts",
  "/v1/scene/list/": "Scenes",
  ...Object.fromEntries(ACTIONS.map(({ path, title }) => [path, title])),
};

/** Words for fields that no form shows, without quotation marks: they are no labels. */
const PLAIN_WORDS: Readonly<Record<string, string>> = {
  custom_bounds: "part of the plate",
  model_ids: "parts",
  scene_id: "this scene",
  scene_ids: "scenes",
  target_scene_id: "the other scene",
};

/** Sentences for messages that name what a program sent; each says the way on. */
const SENTENCES: readonly [pattern: RegExp, words: (...groups: string[]) => string][] = [
  [
    /Of (\d+) models (\d+) fit on the platform, .*/s,
    (all = "", fitting = "") =>
      `${Number(all) - Number(fitting)} of ${all} parts do not fit. Remove some, or let them stand closer together.`,
  ],
  [/custom_bounds are empty along ([xy]):.*/s, (axis = "") => `The part of the plate to use is empty along ${axis}.`],
  [
    /Cannot read "[^"]*\.(\w+)": it is no valid zip archive \(End of central directory.*/s,
    (extension = "") => `This ${extension.toUpperCase()} is damaged: its last part is missing. Export it again.`,
  ],
  [
    /Cannot read "[^"]*\.(\w+)": it is no valid zip archive .*/s,
    (extension = "") => `This ${extension.toUpperCase()} is damaged. Export it again.`,
  ],
];

/** Matches words with underscores, except in file names and in quoted names. */
const FIELD_NAME = /(?<![\w"./-])[a-z]+(?:_[a-z]+)+(?![\w"-]|\.\w)/g;
/** The same for values and codes of the interface, such as FULLY_LOCKED. */
const CONSTANT = /(?<![\w"./-])[A-Z]{2,}(?:_[A-Z]+)+(?![\w"-]|\.\w)/g;
const ID = /(?:\bmodel )?\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;

/** Temporary folders of uploads in messages of the server; they mean nothing to the user. */
const UPLOADED_PATH = /(?<=")[^"]*[/\\]printwright-page-[^"]*[/\\](?=[^"/\\]+")/g;

/**
 * Replaces in a message of the server what only programs know: paths of the interface by names of buttons, field names and values by
 * labels, ids by names of parts (`nameOf`), and paths of uploads by their names. Some messages become another sentence.
 */
export const inPageWords = (message: string, nameOf: (id: string) => string | undefined = () => undefined): string =>
  SENTENCES.reduce((text, [pattern, words]) => text.replace(pattern, (_, ...groups) => words(...groups)), message)
    .replaceAll(UPLOADED_PATH, "")
    .replaceAll(/\/v1(?:\/[a-z-]+)+\//g, (path) => `“${BUTTONS[path] ?? titleOf(path)}”`)
    .replaceAll(FIELD_NAME, fieldInWords)
    .replaceAll(CONSTANT, (value) => `“${choiceLabel(value)}”`)
    .replaceAll(ID, (found) => {
      const name = nameOf(found.replace("model ", ""));
      return name === undefined ? "such part" : `“${name}”`;
    });

const fieldInWords = (name: string): string =>
  PLAIN_WORDS[name] ?? (isFieldName(name) ? `“${labelOf(name).label}”` : name);

/** "Duplicate" for `/v1/scene/model/duplicate/`. */
const titleOf = (path: string): string => choiceLabel((path.split("/").at(-2) ?? "").replaceAll("-", "_"));
