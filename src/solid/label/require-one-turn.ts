import { operationFailed } from "../../core/fault.ts";
import { exactLength, subtract, type Vec3 } from "../../core/geometry.ts";
import { WAY_OUT } from "./way-out.ts";

/** In font sizes: where the line is looked at, and how near to itself it must not come once it has gone so far. */
const APART = 1 / 4;
const AWAY = 2;
const LEAST_DISTANCE = 1 / 2;

/** Throws OPERATION_FAILED for a line of text, of places one step apart, that goes round a part and meets itself. */
export function requireOneTurn(line: readonly Vec3[], stepMm: number, fontSizeMm: number): void {
  const every = Math.round((APART * fontSizeMm) / stepMm);
  const looks = line.filter((_, i) => i % every === 0);
  looks.forEach((place, i) => {
    const beyond = looks.slice(i + AWAY / APART);
    if (beyond.some((other) => exactLength(subtract(other, place)) < LEAST_DISTANCE * fontSizeMm))
      throw operationFailed(`the label goes all the way round: ${WAY_OUT}`);
  });
}
