/** What the address of the page says, after the `#`: `scene=UUID&step=support&layer=321&sel=ID,ID`. */
export interface PageAddress {
  readonly scene?: string;
  /** Name of the open step in the panel, in lower case. */
  readonly step?: string;
  /** Number of the shown layer, 1-based. */
  readonly layer?: number;
  /** Ids of the selected models. */
  readonly selected: readonly string[];
}

/** Maximum number of selected models in the address. */
const MOST_SELECTED = 20;

export function readAddress(hash: string): PageAddress {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const layer = Number(fields.get("layer"));
  const text = (name: string) => fields.get(name) || undefined;
  const [scene, step] = [text("scene"), text("step")];
  return {
    ...(scene !== undefined && { scene }),
    ...(step !== undefined && { step }),
    ...(Number.isInteger(layer) && layer > 0 && { layer }),
    selected: (text("sel") ?? "").split(",").filter(Boolean).slice(0, MOST_SELECTED),
  };
}

export function writeAddress({ scene, step, layer, selected }: PageAddress): string {
  const fields = [
    scene !== undefined && `scene=${scene}`,
    step !== undefined && `step=${encodeURIComponent(step)}`,
    layer !== undefined && `layer=${layer}`,
    selected.length > 0 && `sel=${selected.slice(0, MOST_SELECTED).join(",")}`,
  ];
  return `#${fields.filter((one) => one !== false).join("&")}`;
}
