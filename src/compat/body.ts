import { isRecord } from "../core/json.ts";

// Converts bodies of the 0.9 interface to those of `/v1/`, which checks the values. 0.9 ignores unknown fields.

/** The body of a 0.9 request without nulls, which clients send for absent fields. */
export type Body = Readonly<Record<string, unknown>>;

/** Removes entries that are null from all objects in a value. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutNulls(one)]));
}

/** Keeps only the named fields of a record. Other values are returned unchanged. */
export function pick<T>(value: T, ...fields: readonly string[]): T {
  if (!isRecord(value)) return value;
  const known = fields.filter((field) => value[field] !== undefined);
  return Object.fromEntries(known.map((field) => [field, value[field]])) as T;
}

/** A record with the value under this name; empty if the value is undefined. */
export const entry = (name: string, value: unknown): Body => (value === undefined ? {} : { [name]: value });

/**
 * Converts `models` ("ALL" or a list of ids, by default ALL) to `model_ids`. Undefined for an empty list, which means no model in 0.9, and
 * all models in `/v1/`.
 */
export function modelIdsOf(models: unknown): Body | undefined {
  if (models === undefined || models === "ALL") return {};
  return Array.isArray(models) && models.length === 0 ? undefined : { model_ids: models };
}

const AXES = ["x", "y", "z"] as const;

export const positionOf = (position: unknown): unknown => pick(position, ...AXES);

/** An orientation in one of its three forms. Directions may be objects with x, y and z. */
export function orientationOf(orientation: unknown): unknown {
  if (!isRecord(orientation)) return orientation;
  if ("linear" in orientation) return pick(orientation, "linear");
  if (!("z_direction" in orientation || "x_direction" in orientation)) return pick(orientation, ...AXES);
  const { z_direction, x_direction } = orientation;
  return { ...entry("z_direction", listOf(z_direction)), ...entry("x_direction", listOf(x_direction)) };
}

const listOf = (vector: unknown): unknown => (isRecord(vector) ? AXES.map((axis) => vector[axis]) : vector);

/** Limits a number to these bounds; other values are returned unchanged. */
export const clamped = (value: unknown, min: number, max: number): unknown =>
  typeof value === "number" ? Math.min(max, Math.max(min, value)) : value;

/** Rounds a number, for fields of `/v1/` that accept only whole numbers. */
export const rounded = (value: unknown): unknown => (typeof value === "number" ? Math.round(value) : value);
