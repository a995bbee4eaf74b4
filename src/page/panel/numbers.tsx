import { moveBy, moveTo, scaleBy, scaleTo, rotateTo } from "../state/edit.ts";
import { details, isMeasuring, metadata, selectedIds } from "../state/project.ts";
import type { Corner, ModelDetails } from "../server/replies.ts";
import { millilitres, shortNumber } from "../../core/quantities.ts";
import { PENDING, parseNumber } from "../widget/quantities.ts";
import { useTypedText } from "../widget/typed-text.ts";

const AXES = ["x", "y", "z"] as const;
type Axis = (typeof AXES)[number];

/** Returns the text of a value that all models share; undefined if they differ. */
function common(values: readonly number[], digits: number): string | undefined {
  // Thousands of copies have few different values, and formatting them all would delay the next key.
  const texts = new Set([...new Set(values)].map((value) => shortNumber(value, digits)));
  return texts.size === 1 ? [...texts][0] : undefined;
}

const sizeOf = ({ bounding_box: { min_corner: a, max_corner: b } }: ModelDetails): Corner => ({
  x: b.x - a.x,
  y: b.y - a.y,
  z: b.z - a.z,
});

const meanOf = (models: readonly ModelDetails[], axis: Axis): number =>
  models.reduce((sum, { position }) => sum + position[axis], 0) / models.length;

/** Position, rotation, scale and size of the selected models. */
export function Numbers() {
  const models = selectedIds.value.flatMap((id) => details.value.get(id) ?? []);
  const [first, ...others] = models;
  if (!first) return null;
  const only = others.length === 0 ? first : undefined;
  const ids = models.map(({ id }) => id);
  const title = only ? only.name : `${models.length} parts`;
  return (
    <section class="numbers" aria-label="Numbers of the selection">
      <h2 title={title}>{title}</h2>
      <Triple
        name="Position"
        unit="mm"
        valueOf={(axis) => shortNumber(meanOf(models, axis))}
        onChange={(axis, value) => move(models, axis, value)}
      />
      <Triple
        name="Rotation"
        unit="°"
        valueOf={(axis) =>
          common(
            models.map(({ orientation }) => orientation[axis]),
            1,
          )
        }
        onChange={(axis, degrees) => rotateTo(ids, { [axis]: degrees })}
      />
      {only && <Size model={only} />}
      <div class="triple-row">
        <span class="triple-name">Scale</span>
        <NumberCell
          name="Scale, percent"
          value={common(
            models.map(({ scale }) => scale * 100),
            2,
          )}
          onChange={(value) => value > 0 && scaleTo(ids, value / 100)}
        />
        <span class="unit">%</span>
      </div>
      <Measures ids={ids} />
    </section>
  );
}

/** Moves models so that the mean of their positions has this value on an axis. */
function move(models: readonly ModelDetails[], axis: Axis, value: number): Promise<void> {
  const ids = models.map(({ id }) => id);
  const [first, ...others] = models;
  if (first && others.length === 0) return moveTo(ids, { ...first.position, [axis]: value });
  const by = value - meanOf(models, axis);
  return moveBy(ids, [axis === "x" ? by : 0, axis === "y" ? by : 0, axis === "z" ? by : 0]);
}

/** Size of a model. It can be changed only without supports, whose size it includes. */
function Size({ model }: { model: ModelDetails }) {
  const size = sizeOf(model);
  const scale = (axis: Axis, value: number): unknown => value > 0 && scaleBy([model.id], value / size[axis]);
  return (
    <Triple
      name="Size"
      unit="mm"
      note={model.has_supports ? "with supports" : undefined}
      valueOf={(axis) => shortNumber(size[axis])}
      onChange={model.has_supports ? undefined : scale}
    />
  );
}

function Measures({ ids }: { ids: readonly string[] }) {
  const chosen = new Set(ids);
  const measures = (metadata.value?.models ?? []).filter(({ id }) => chosen.has(id));
  if (measures.length === 0 && !isMeasuring.value) return null;
  const sum = (key: "volume_ml" | "support_volume_ml" | "triangle_count"): number =>
    measures.reduce((total, one) => total + one[key], 0);
  return (
    <dl class="measures">
      <dt>Volume</dt>
      <dd>{isMeasuring.value ? PENDING : millilitres(sum("volume_ml"))}</dd>
      {sum("support_volume_ml") > 0 && (
        <>
          <dt>Supports</dt>
          <dd>{millilitres(sum("support_volume_ml"))}</dd>
        </>
      )}
      <dt>Triangles</dt>
      <dd>{isMeasuring.value ? PENDING : sum("triangle_count").toLocaleString("en")}</dd>
    </dl>
  );
}

function Triple(props: {
  name: string;
  unit: string;
  note?: string | undefined;
  valueOf: (axis: Axis) => string | undefined;
  onChange: ((axis: Axis, value: number) => unknown) | undefined;
}) {
  const { name, unit, note, valueOf, onChange } = props;
  return (
    <div class="triple-row" role="group" aria-label={name} title={note}>
      <span class="triple-name">{name}</span>
      {AXES.map((axis) => (
        <NumberCell
          key={axis}
          name={`${name} ${axis}, ${unit}`}
          axis={axis}
          value={valueOf(axis)}
          onChange={onChange && ((value) => onChange(axis, value))}
        />
      ))}
      <span class="unit">{unit}</span>
    </div>
  );
}

/** A number field. Its value is sent when the field loses the focus. */
function NumberCell(props: {
  name: string;
  axis?: Axis;
  value: string | undefined;
  onChange: ((value: number) => unknown) | undefined;
}) {
  const { name, axis, value = "", onChange } = props;
  const { ref, show } = useTypedText(value);
  return (
    <input
      ref={ref}
      type="text"
      inputMode="decimal"
      autocomplete="off"
      aria-label={name}
      data-axis={axis}
      placeholder="mixed"
      disabled={onChange === undefined}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.value = value;
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
      }}
      onBlur={async (event) => {
        const text = event.currentTarget.value;
        const typed = parseNumber(text);
        // Shows the typed value until the server confirms.
        if (typed !== undefined && text !== value) await onChange?.(typed);
        show();
      }}
    />
  );
}
