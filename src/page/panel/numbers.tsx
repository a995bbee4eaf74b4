import { type Box, boxCentre, unionBoxes } from "../../geometry/box.ts";
import { withCoordinate } from "../../geometry/vector.ts";
import { dropFromSupports, moveBy, scaleBy, scaleTo, rotateTo } from "../state/edit.ts";
import { boxOf, details, family, isMeasuring, metadata, scene, selectedIds } from "../state/project.ts";
import type { Corner, ModelDetails } from "../server/replies.ts";
import { millilitres, shortNumber } from "../../core/quantities.ts";
import { NumberCell } from "../widget/number-cell.tsx";
import { NOTHING, PENDING } from "../widget/quantities.ts";

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

/** Bounding box of models with their supports. */
const boxOfAll = (models: readonly ModelDetails[]): Box => models.map(boxOf).reduce(unionBoxes);

/** Place, turn, scale and size of the selected models. */
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
      <Place models={models} />
      <Triple
        name="Turn"
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
      <Resets models={models} />
      <Measures models={models} />
    </section>
  );
}

/** Centre of the selection's box with supports, and the height of the parts themselves above the platform. The selection moves as one. */
function Place({ models }: { models: readonly ModelDetails[] }) {
  const ids = models.map(({ id }) => id);
  const box = boxOfAll(models);
  const centre = boxCentre(box);
  return (
    <>
      <div class="triple-row" role="group" aria-label="Centre">
        <span class="triple-name">Centre</span>
        {([0, 1] as const).map((axis) => (
          <NumberCell
            key={axis}
            name={`Centre ${AXES[axis]}, mm`}
            axis={AXES[axis]}
            value={shortNumber(centre[axis])}
            onChange={(value) => moveBy(ids, withCoordinate([0, 0, 0], axis, value - centre[axis]))}
          />
        ))}
        <span class="unit unit-last">mm</span>
      </div>
      <AbovePlate ids={ids} />
    </>
  );
}

/** Height of the lowest point of the selection without its supports. Resin parts are where the plate or their supports hold them. */
function AbovePlate({ ids }: { ids: readonly string[] }) {
  const chosen = new Set(ids);
  const parts = (scene.value?.models ?? []).filter(({ id }) => chosen.has(id));
  if (parts.length === 0) return null;
  const aboveMm = parts.reduce((lowest, { above_plate_mm }) => Math.min(lowest, above_plate_mm), Infinity);
  const isFree = family.value === "powder";
  const supported = parts.filter(({ supports }) => supports !== null).map(({ id }) => id);
  const lift = (byMm: number): Promise<void> => moveBy(ids, [0, 0, byMm]);
  return (
    <div class="triple-row">
      <span class="triple-name">Above plate</span>
      <NumberCell
        name="Above plate, mm"
        axis="z"
        value={shortNumber(aboveMm)}
        onChange={isFree ? (value) => lift(value - aboveMm) : undefined}
      />
      <button
        type="button"
        class="link triple-link"
        title={!isFree && supported.length > 0 ? "Removes the supports on which it stands" : undefined}
        disabled={isFree ? Math.abs(aboveMm) < SMALLEST_MM : supported.length === 0}
        onClick={() => void (isFree ? lift(-aboveMm) : dropFromSupports(supported))}
      >
        Drop to plate
      </button>
    </div>
  );
}

/** Smaller differences are not shown. */
const SMALLEST_MM = 0.005;

/** Turns the selection as its files have it, and gives it their size. */
function Resets({ models }: { models: readonly ModelDetails[] }) {
  const ids = models.map(({ id }) => id);
  const isTurned = models.some(({ orientation: { x, y, z } }) => x !== 0 || y !== 0 || z !== 0);
  const isScaled = models.some(({ scale }) => scale !== 1);
  return (
    <p class="resets">
      <button type="button" class="link" disabled={!isTurned} onClick={() => void rotateTo(ids, { x: 0, y: 0, z: 0 })}>
        Reset turn
      </button>
      <button type="button" class="link" disabled={!isScaled} onClick={() => void scaleTo(ids, 1)}>
        Reset scale
      </button>
    </p>
  );
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

/** Volumes and triangles. Its lines depend on the parts alone, not on what is measured yet: the fields above must not move under the pointer. */
function Measures({ models }: { models: readonly ModelDetails[] }) {
  const chosen = new Set(models.map(({ id }) => id));
  const measures = (metadata.value?.models ?? []).filter(({ id }) => chosen.has(id));
  const absent = isMeasuring.value ? PENDING : NOTHING;
  const isKnown = measures.length > 0;
  const sum = (key: "volume_ml" | "support_volume_ml" | "triangle_count"): number =>
    measures.reduce((total, one) => total + one[key], 0);
  return (
    <dl class="measures">
      <dt>Volume</dt>
      <dd>{isKnown ? millilitres(sum("volume_ml")) : absent}</dd>
      {models.some(({ has_supports }) => has_supports) && (
        <>
          <dt>Supports</dt>
          <dd>{isKnown ? millilitres(sum("support_volume_ml")) : absent}</dd>
        </>
      )}
      <dt>Triangles</dt>
      <dd>{isKnown ? sum("triangle_count").toLocaleString("en") : absent}</dd>
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
