import { isRecord } from "../core/json.ts";

// What the bodies of the 0.9 interface become in those of `/v1/`, which checks the values. 0.9 ignores fields that it does not know.

/** The body of a 0.9 request, without nulls: clients send them for what they leave out. */
export type Body = Readonly<Record<string, unknown>>;

/** The value without the entries of its objects that are null. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutNulls(one)]));
}

/** The record with those of the fields that it has. A value that is no record stays as it is. */
export function pick<T>(value: T, ...fields: readonly string[]): T {
  if (!isRecord(value)) return value;
  const known = fields.filter((field) => value[field] !== undefined);
  return Object.fromEntries(known.map((field) => [field, value[field]])) as T;
}

/** The entry under another name, where it is given. */
export const entry = (name: string, value: unknown): Body => (value === undefined ? {} : { [name]: value });

/**
 * `model_ids` of `models`: "ALL", or a list of ids, by default ALL. Undefined for an empty list, which names no model here and all of
 * them in `/v1/`.
 */
export function modelIdsOf(models: unknown): Body | undefined {
  if (models === undefined || models === "ALL") return {};
  return Array.isArray(models) && models.length === 0 ? undefined : { model_ids: models };
}

const AXES = ["x", "y", "z"] as const;

export const positionOf = (position: unknown): unknown => pick(position, ...AXES);

/** An orientation in one of its three shapes. Directions may be objects with x, y and z. */
export function orientationOf(orientation: unknown): unknown {
  if (!isRecord(orientation)) return orientation;
  if ("linear" in orientation) return pick(orientation, "linear");
  if (!("z_direction" in orientation || "x_direction" in orientation)) return pick(orientation, ...AXES);
  const { z_direction, x_direction } = orientation;
  return { ...entry("z_direction", listOf(z_direction)), ...entry("x_direction", listOf(x_direction)) };
}

const listOf = (vector: unknown): unknown => (isRecord(vector) ? AXES.map((axis) => vector[axis]) : vector);

/** A number no less and no more than these; other values as they are. */
export const clamped = (value: unknown, min: number, max: number): unknown =>
  typeof value === "number" ? Math.min(max, Math.max(min, value)) : value;

/** A number without its decimals, where `/v1/` takes whole ones alone. */
export const rounded = (value: unknown): unknown => (typeof value === "number" ? Math.round(value) : value);
