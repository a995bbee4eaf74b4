import { lazy } from "../core/memoize.ts";

/** Name of the file with the sample part. */
export const SAMPLE_NAME = "Sample dish.obj";

/** Flat pieces around the axis: fine enough to look round at 40 mm. */
const SEGMENTS = 96;
/** Points of each curve of the outline. */
const CURVE_POINTS = 8;

/** A point of the outline: distance from the axis and height, mm. */
type OutlinePoint = readonly [radiusMm: number, heightMm: number];

/**
 * The outline of a dish on a foot, from the bottom of its axis to the top. The underside of the dish is an overhang, which needs
 * supports; its inside is a cup, which traps resin if it is printed upright.
 */
function outline(): readonly OutlinePoint[] {
  const foot: OutlinePoint = [12, 3];
  const neck: OutlinePoint = [3.5, 13];
  const rim: OutlinePoint = [20, 20];
  return [
    [0, 0],
    [12, 0],
    foot,
    ...quarterBetween(foot, neck),
    neck,
    [3.5, 16],
    [18, 16.5],
    rim,
    [20, 27],
    [18, 27],
    [18, 20.5],
    ...quarterBetween([18, 20.5], [15.5, 18.5]),
    [15.5, 18.5],
    [0, 18.5],
  ];
}

/** Points of a quarter of an ellipse that leaves the first point inwards and arrives at the second one along the axis. */
const quarterBetween = ([r0, h0]: OutlinePoint, [r1, h1]: OutlinePoint): OutlinePoint[] =>
  Array.from({ length: CURVE_POINTS - 1 }, (_, i) => {
    const angle = ((i + 1) / CURVE_POINTS) * (Math.PI / 2);
    return [r1 + (r0 - r1) * (1 - Math.sin(angle)), h0 + (h1 - h0) * (1 - Math.cos(angle))];
  });

/** The sample part for a first try of the page, as Wavefront OBJ in millimetres: a closed solid of revolution. */
export const samplePart = lazy((): string => {
  const points = outline();
  const rings = points.slice(1, -1);
  const lines = [vertex(points[0] ?? [0, 0], 0), ...rings.flatMap(ringVertices), vertex(points.at(-1) ?? [0, 0], 0)];
  const [bottom, top] = [1, lines.length];
  const at = (ring: number, i: number): number => 2 + ring * SEGMENTS + (i % SEGMENTS);
  for (let i = 0; i < SEGMENTS; i++) {
    lines.push(`f ${bottom} ${at(0, i + 1)} ${at(0, i)}`);
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      lines.push(`f ${at(ring, i)} ${at(ring, i + 1)} ${at(ring + 1, i + 1)}`);
      lines.push(`f ${at(ring, i)} ${at(ring + 1, i + 1)} ${at(ring + 1, i)}`);
    }
    lines.push(`f ${at(rings.length - 1, i)} ${at(rings.length - 1, i + 1)} ${top}`);
  }
  return `${lines.join("\n")}\n`;
});

const ringVertices = (point: OutlinePoint): string[] => Array.from({ length: SEGMENTS }, (_, i) => vertex(point, i));

function vertex([radiusMm, heightMm]: OutlinePoint, segment: number): string {
  const angle = (2 * Math.PI * segment) / SEGMENTS;
  return `v ${[radiusMm * Math.cos(angle), radiusMm * Math.sin(angle), heightMm].map((mm) => mm.toFixed(4)).join(" ")}`;
}
