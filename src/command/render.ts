import { inputError } from "../core/api-error.ts";
import type { CommandModule } from "./command-module.ts";
import { requireWritableOutput } from "./outputs.ts";
import { numberOf, parseWords } from "./parse-words.ts";
import { PIPE, extensionOfFormat, withPipes } from "./pipes.ts";
import { PREPARE_OPTIONS, PREPARE_USAGE, planPreparation } from "./prepare-steps.ts";
import { PLAN_OPTIONS, PLAN_USAGE, printingOption, runPlans } from "./run-plan.ts";

const USAGE = `Usage: printwright render PART… -o PICTURE [options]

Draws parts as they are placed in the printer, with their supports, without a server or a GPU. Parts are model files, or one .form project.

  printwright render bracket.stl --orient --support -o bracket.png
  printwright render plate.form -o plate.webp --flyaround 60

  -o, --output FILE    picture to write, .png or .webp (required); - writes it to standard output
  --output-format EXT  its format there (default png)
  --yaw DEGREES        at 0 the camera looks along -x, at 90 along +y (default 45: from the front right)
  --pitch DEGREES      from above, -90 to 90 (default 35.264)
  --size PIXELS        longer side of the picture, 16 to 4096 (default 820)
  --view WHAT          models (default), volume or platform: what fills the picture
  --square             do not crop the picture to its content
  --flyaround FRAMES   a .webp that moves once around the parts

${PREPARE_USAGE}  Without --printer, the parts stand in a Form 4.

${PLAN_USAGE}

Exit status: 0 written, 1 failed, 2 the words are wrong (nothing was begun), 130 interrupted (nothing is half written).`;

const VIEWS: Readonly<Record<string, string>> = {
  models: "ZOOM_ON_MODELS",
  volume: "FULL_BUILD_VOLUME",
  platform: "FULL_PLATFORM_WIDTH",
};

const text = { type: "string" } as const;

const OPTIONS = {
  ...PREPARE_OPTIONS,
  ...PLAN_OPTIONS,
  output: { type: "string", short: "o" },
  "output-format": text,
  yaw: text,
  pitch: text,
  size: text,
  view: text,
  square: { type: "boolean", default: false },
  flyaround: text,
} as const;

/** `printwright render`: draws a picture of parts. */
export const renderCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const { output: named } = values;
    if (named === undefined) throw inputError("name the picture to write with -o");
    const words = { parts: positionals, results: [named], format: values.format, printing: printingOption(values) };
    const resultExtension = (): string => extensionOfFormat(values["output-format"]) ?? ".png";
    return withPipes({ ...words, resultExtension }, output, ({ parts, results, output: told, inWords }) => {
      const file = results[0]!;
      requireWritableOutput(file);
      const { steps, scene } = planPreparation(parts, values, { isPrinterOptional: true });
      const render = { request: "scene/render", body: { scene_id: scene, file, ...viewOf(values) } };
      const name = named === PIPE ? "standard output" : named;
      const conclude = () => ({ text: name, json: { files: [name] }, status: 0 });
      return runPlans([{ steps: [...steps, render], conclude, inWords }], values, open, told);
    });
  },
};

/** The fields of scene/render from the options. */
function viewOf(values: ReturnType<typeof parseWords<typeof OPTIONS>>["values"]): object {
  const { view = "models", square } = values;
  if (!Object.hasOwn(VIEWS, view)) throw inputError(`--view must be models, volume or platform, not "${view}"`);
  const [yaw, pitch] = [numberOf("yaw", values.yaw), numberOf("pitch", values.pitch)];
  const frames = numberOf("flyaround", values.flyaround);
  const [start, height] = [yaw ?? 45, pitch ?? 35.264];
  const keyframes = [0, 120, 240, 360].map((turn) => ({ yaw: start + turn, pitch: height }));
  return {
    view_type: VIEWS[view],
    crop_to_models: !square,
    ...(values.size !== undefined && { image_size_px: numberOf("size", values.size) }),
    ...(yaw !== undefined && { yaw }),
    ...(pitch !== undefined && { pitch }),
    ...(frames !== undefined && { flyaround: { keyframes, frame_count: frames } }),
  };
}
