import type { Brep, BrepFace, NurbsCurve, NurbsSurface, Surface } from "rhino3dm";
import { type Vec3, cross, distance, dot, subtract, times, unitOrZero } from "../../geometry/vector.ts";
import { realText } from "../occt/step-units.ts";
import { type Own, numberOf, withHandles } from "./rhino-library.ts";

/** A Brep to be written, with the name by which its triangles are found again. */
export interface NamedBrep {
  readonly name: string;
  readonly brep: Brep;
  /** Millimetres per unit of its coordinates. */
  readonly unitMm: number;
}

/** A plane is written for a surface whose control points are so near to it, relative to its size. */
const PLANE_SHARE = 1e-9;

const HEADER = `ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('','',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 }'));
ENDSEC;
DATA;`;

/**
 * Breps as a STEP file (ISO 10303-214) in millimetres, each a product with its name: a solid where Rhino has one, else a shell. Curves
 * and surfaces are the NURBS that Rhino has, but planes and lines, which are tessellated in a fraction of the time. The curves of
 * edges in the parameters of surfaces are left out: OpenCASCADE computes them.
 */
export function stepOfBreps(breps: readonly NamedBrep[], toleranceMm: number): string {
  const lines = [HEADER];
  let last = 0;
  const add = (text: string): string => {
    const id = `#${++last}`;
    lines.push(`${id}=${text};`);
    return id;
  };
  const application = add("APPLICATION_CONTEXT('automotive design')");
  const productContext = add(`PRODUCT_CONTEXT('',${application},'mechanical')`);
  const definitionContext = add(`PRODUCT_DEFINITION_CONTEXT('part definition',${application},'design')`);
  const millimetre = add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))");
  const radian = add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))");
  const steradian = add("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())");
  const uncertainty = add(
    `UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(${realText(toleranceMm)}),${millimetre},'distance_accuracy_value','')`,
  );
  const context = add(
    `(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((${uncertainty}))` +
      `GLOBAL_UNIT_ASSIGNED_CONTEXT((${millimetre},${radian},${steradian}))REPRESENTATION_CONTEXT('',''))`,
  );
  for (const { name, brep, unitMm } of breps) {
    const product = add(`PRODUCT('${name}','${name}','',(${productContext}))`);
    const formation = add(`PRODUCT_DEFINITION_FORMATION('','',${product})`);
    const definition = add(`PRODUCT_DEFINITION('','',${formation},${definitionContext})`);
    const shape = add(`PRODUCT_DEFINITION_SHAPE('','',${definition})`);
    const faces = facesOf(brep, unitMm, add).join(",");
    const kind = brep.isSolid ? "ADVANCED_BREP" : "MANIFOLD_SURFACE";
    const item = brep.isSolid
      ? add(`MANIFOLD_SOLID_BREP('',${add(`CLOSED_SHELL('',(${faces}))`)})`)
      : add(`SHELL_BASED_SURFACE_MODEL('',(${add(`OPEN_SHELL('',(${faces}))`)}))`);
    const representation = add(`${kind}_SHAPE_REPRESENTATION('',(${item}),${context})`);
    add(`SHAPE_DEFINITION_REPRESENTATION(${shape},${representation})`);
  }
  return `${lines.join("\n")}\nENDSEC;\nEND-ISO-10303-21;\n`;
}

/** Writes an instance and returns its id. */
type Add = (text: string) => string;

function facesOf(brep: Brep, unitMm: number, add: Add): string[] {
  return withHandles((own) => {
    const pointOf = ([x, y, z]: readonly number[]): string =>
      add(`CARTESIAN_POINT('',(${[x, y, z].map((value) => realText(value * unitMm)).join(",")}))`);
    const vertexList = own(brep.vertices());
    const vertices = Array.from({ length: vertexList.count }, (_, i) =>
      add(`VERTEX_POINT('',${pointOf(own(vertexList.get(i)).location as unknown as number[])})`),
    );
    const faceList = own(brep.faces());
    const faces = Array.from({ length: faceList.count }, (_, i) => own(faceList.get(i)));
    const loops = faces.map((face) => loopsOf(face, own));
    const ends = edgeEnds(loops.flat());
    const edgeList = own(brep.edges());
    const edges = Array.from({ length: edgeList.count }, (_, i) => {
      const [from, to] = ends.get(i) ?? [];
      if (from === undefined || to === undefined) return undefined;
      const curve = curveText(own(own(edgeList.get(i)).toNurbsCurve()), pointOf, add, own);
      return add(`EDGE_CURVE('',${vertices[from]},${vertices[to]},${curve},.T.)`);
    });
    return faces.map((face, i) => {
      const sense = face.orientationIsReversed ? ".F." : ".T.";
      const bounds = loops[i].map(({ isOuter, trims }) => {
        const oriented = trims
          .filter(({ edge }) => edges[edge] !== undefined)
          .map(({ edge, isReversed }) => add(`ORIENTED_EDGE('',*,*,${edges[edge]},${isReversed ? ".F." : ".T."})`));
        const loop = add(`EDGE_LOOP('',(${oriented.join(",")}))`);
        return add(`FACE_${isOuter ? "OUTER_" : ""}BOUND('',${loop},${sense})`);
      });
      const surface = surfaceText(own(face.underlyingSurface()), pointOf, add, own);
      return add(`ADVANCED_FACE('',(${bounds.join(",")}),${surface},${sense})`);
    });
  });
}

interface Trim {
  readonly edge: number;
  readonly isReversed: boolean;
  readonly start: number;
  readonly end: number;
}

interface Loop {
  readonly isOuter: boolean;
  readonly trims: readonly Trim[];
}

/** `ON_BrepLoop::TYPE`. */
const OUTER_LOOP = 1;
const INNER_LOOP = 2;

/** The loops that bound a face, without the trims at its singular points, which have no edge. */
function loopsOf(face: BrepFace, own: Own): Loop[] {
  const list = own(face.loops);
  const loops: Loop[] = [];
  for (let i = 0; i < list.count; i++) {
    const loop = own(list.get(i));
    const type = numberOf(loop.loopType);
    if (type !== OUTER_LOOP && type !== INNER_LOOP) continue;
    const trimList = own(loop.trims);
    const trims = Array.from({ length: trimList.count }, (_, k) => own(trimList.get(k)))
      .filter(({ edgeIndex }) => edgeIndex >= 0)
      .map((trim) => ({
        edge: trim.edgeIndex,
        isReversed: trim.isReversed,
        start: trim.startVertexIndex,
        end: trim.endVertexIndex,
      }));
    if (trims.length > 0) loops.push({ isOuter: type === OUTER_LOOP, trims });
  }
  return loops;
}

/** The vertices at the start and the end of each edge, by its index. */
const edgeEnds = (loops: readonly Loop[]): ReadonlyMap<number, readonly [from: number, to: number]> =>
  new Map(
    loops.flatMap(({ trims }) =>
      trims.map(({ edge, isReversed, start, end }) => [edge, isReversed ? [end, start] : [start, end]] as const),
    ),
  );

type PointText = (point: readonly number[]) => string;

function curveText(curve: NurbsCurve, pointOf: PointText, add: Add, own: Own): string {
  const list = own(curve.points());
  const poles = Array.from({ length: list.count }, (_, i) => list.get(i));
  const { points, weights } = separated(poles);
  if (curve.order === 2 && points.length === 2) {
    const vector = add(`VECTOR('',${directionText(unitOrZero(subtract(points[1], points[0])), add)},1.)`);
    return add(`LINE('',${pointOf(points[0])},${vector})`);
  }
  const spline = `${curve.order - 1},(${points.map(pointOf).join(",")}),.UNSPECIFIED.,.F.,.F.`;
  const knots = `${knotText(own(curve.knots()))},.UNSPECIFIED.`;
  if (!weights) return add(`B_SPLINE_CURVE_WITH_KNOTS('',${spline},${knots})`);
  return add(
    `(BOUNDED_CURVE()B_SPLINE_CURVE(${spline})B_SPLINE_CURVE_WITH_KNOTS(${knots})CURVE()GEOMETRIC_REPRESENTATION_ITEM()` +
      `RATIONAL_B_SPLINE_CURVE((${weights.map(realText).join(",")}))REPRESENTATION_ITEM(''))`,
  );
}

function surfaceText(surface: Surface, pointOf: PointText, add: Add, own: Own): string {
  const nurbs = own(surface.toNurbsSurface());
  const list = own(nurbs.points());
  const rows = Array.from({ length: list.countU }, (_, u) =>
    separated(Array.from({ length: list.countV }, (_, v) => list.get(u, v))),
  );
  const plane = planeText(
    nurbs,
    rows.map(({ points }) => points),
    pointOf,
    add,
  );
  if (plane !== undefined) return plane;
  const poles = rows.map(({ points }) => `(${points.map(pointOf).join(",")})`).join(",");
  const spline = `${nurbs.orderU - 1},${nurbs.orderV - 1},(${poles}),.UNSPECIFIED.,.F.,.F.,.F.`;
  const [u, v] = [knotLists(own(nurbs.knotsU())), knotLists(own(nurbs.knotsV()))];
  const knots = `${u.multiplicities},${v.multiplicities},${u.values},${v.values},.UNSPECIFIED.`;
  if (rows.every(({ weights }) => weights === undefined)) {
    return add(`B_SPLINE_SURFACE_WITH_KNOTS('',${spline},${knots})`);
  }
  const weights = rows.map(({ points, weights: row }) => `(${(row ?? points.map(() => 1)).map(realText).join(",")})`);
  return add(
    `(BOUNDED_SURFACE()B_SPLINE_SURFACE(${spline})B_SPLINE_SURFACE_WITH_KNOTS(${knots})GEOMETRIC_REPRESENTATION_ITEM()` +
      `RATIONAL_B_SPLINE_SURFACE((${weights.join(",")}))REPRESENTATION_ITEM('')SURFACE())`,
  );
}

/** A plane with the normal of a surface whose control points lie in it; undefined for a curved one. */
function planeText(nurbs: NurbsSurface, rows: readonly Vec3[][], pointOf: PointText, add: Add): string | undefined {
  if (nurbs.orderU !== 2 || nurbs.orderV !== 2 || rows.length !== 2 || rows[0].length !== 2) return undefined;
  const [[a, b], [c, d]] = rows;
  const across = subtract(c, a);
  const normal = unitOrZero(cross(across, subtract(b, a)));
  const size = distance(a, d);
  const offset = Math.abs(dot(normal, subtract(d, a)));
  if (dot(normal, normal) === 0 || offset > PLANE_SHARE * size) return undefined;
  const axes = [normal, unitOrZero(across)].map((axis) => directionText(axis, add)).join(",");
  return add(`PLANE('',${add(`AXIS2_PLACEMENT_3D('',${pointOf(a)},${axes})`)})`);
}

const directionText = (direction: Vec3, add: Add): string =>
  add(`DIRECTION('',(${direction.map(realText).join(",")}))`);

/** Control points are homogeneous: x·w, y·w, z·w, w. The weights are undefined where all are 1. */
function separated(poles: readonly (readonly number[])[]): { points: Vec3[]; weights?: number[] } {
  const weights = poles.map(([, , , w]) => w);
  const points = poles.map(([x, y, z, w]) => times([x, y, z], 1 / w));
  return weights.every((w) => w === 1) ? { points } : { points, weights };
}

interface KnotList {
  toList(): number[];
  superfluousKnot(start: boolean): number;
}

const knotText = (list: KnotList): string => {
  const { multiplicities, values } = knotLists(list);
  return `${multiplicities},${values}`;
};

/** Rhino leaves out the first and the last knot, which no curve depends on. */
function knotLists(list: KnotList): { readonly multiplicities: string; readonly values: string } {
  const knots = [list.superfluousKnot(true), ...list.toList(), list.superfluousKnot(false)];
  const starts = [...knots.keys()].filter((i) => knots[i] !== knots[i - 1]);
  const values = starts.map((start) => knots[start]);
  const multiplicities = starts.map((start, i) => (starts[i + 1] ?? knots.length) - start);
  return { multiplicities: `(${multiplicities.join(",")})`, values: `(${values.map(realText).join(",")})` };
}
