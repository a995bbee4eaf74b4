/** Options of the commands that plan their steps, for the fields that messages about requests name. */
const OPTIONS: readonly (readonly [field: string, option: string])[] = [
  ["repair_behavior", "--repair"],
  ["/v1/scene/model/repair/", "--repair"],
  ["/v1/scene/update/", "--printer"],
  ["model_spacing_mm", "--spacing"],
  ["infill.cell_size_mm", "--infill-cell"],
  ["infill.wall_thickness_mm", "--infill-wall"],
  ["wall_thickness_mm", "--hollow"],
  ["touchpoint_size_mm", "--touchpoint"],
  ["image_size_px", "--size"],
  ["frame_count", "--flyaround"],
  ["threshold_mm", "--min-wall"],
  ["/v1/scene/model/drill/", "a step of printwright run, to which --print-steps gives the others"],
];

/** The options of a command for the fields that a message names. Undefined where it names none. */
export function optionsOfFields(message: string): string | undefined {
  const named = OPTIONS.filter(([field]) => message.includes(field)).map(([field, option]) => `${field} is ${option}`);
  return named.length === 0 ? undefined : `here, ${named.join(", and ")}`;
}
