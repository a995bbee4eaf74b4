import type { Brep, BrepFace } from "rhino3dm";
import type { Vec3 } from "../../geometry/vector.ts";
import { BYTES_PER_TEXT, STEP_END, newProducts, realText } from "../occt/step-text.ts";
import { type Own, enumValue, withHandles } from "./rhino-library.ts";
import { type Writer, curveText, surfaceText } from "./step-geometry.ts";

/** A Brep to write, with the name by which its triangles are found again. */
export interface NamedBrep {
  readonly name: string;
  readonly brep: Brep;
  /** Millimetres per unit of its coordinates. */
  readonly unitMm: number;
}

const HEADER = `ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('','',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 }'));
ENDSEC;
DATA;`;

/**
 * Breps as a STEP file (ISO 10303-214) in millimetres, each a named product: a solid if it is one in Rhino, else a shell. The curves
 * of edges in surface parameters are left out; OpenCASCADE computes them.
 */
export const stepOfBreps = (breps: readonly NamedBrep[], toleranceMm: number): string =>
  stepTexts(breps, toleranceMm, Number.POSITIVE_INFINITY).next().value!.text;

/** A STEP file with some Breps. */
export interface StepText {
  readonly breps: readonly NamedBrep[];
  readonly text: string;
}

/** Breps in their order as {@link stepOfBreps}, divided into files: a new one starts after each `characters`. */
export function* stepTexts(
  breps: readonly NamedBrep[],
  toleranceMm: number,
  characters = BYTES_PER_TEXT,
): Generator<StepText, undefined> {
  let file = newStepFile(toleranceMm);
  let from = 0;
  for (const [i, brep] of breps.entries()) {
    file.add(brep);
    if (file.characters() < characters && i + 1 < breps.length) continue;
    yield { breps: breps.slice(from, i + 1), text: file.text() };
    from = i + 1;
    file = newStepFile(toleranceMm);
  }
}

interface StepFile {
  add(brep: NamedBrep): void;
  characters(): number;
  text(): string;
}

function newStepFile(toleranceMm: number): StepFile {
  const lines = [HEADER];
  let last = 0;
  let characters = 0;
  const add = (text: string): string => {
    const id = `#${++last}`;
    lines.push(`${id}=${text};`);
    characters += text.length;
    return id;
  };
  const ids = new Map<string, string>();
  const share = (text: string): string => {
    const id = ids.get(text) ?? add(text);
    ids.set(text, id);
    return id;
  };
  const addProduct = newProducts(add);
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
  const addBrep = ({ name, brep, unitMm }: NamedBrep): void => {
    const shape = addProduct(name);
    const faces = facesOf(brep, unitMm, { add, share }).join(",");
    const kind = brep.isSolid ? "ADVANCED_BREP" : "MANIFOLD_SURFACE";
    const item = brep.isSolid
      ? add(`MANIFOLD_SOLID_BREP('',${add(`CLOSED_SHELL('',(${faces}))`)})`)
      : add(`SHELL_BASED_SURFACE_MODEL('',(${add(`OPEN_SHELL('',(${faces}))`)}))`);
    const representation = add(`${kind}_SHAPE_REPRESENTATION('',(${item}),${context})`);
    add(`SHAPE_DEFINITION_REPRESENTATION(${shape},${representation})`);
  };
  return {
    add: addBrep,
    characters: () => characters,
    text: () => `${lines.join("\n")}${STEP_END}`,
  };
}

function facesOf(brep: Brep, unitMm: number, { add, share }: Pick<Writer, "add" | "share">): string[] {
  return withHandles((own) => {
    const triple = (vector: Vec3): string => `(${vector.map(realText).join(",")})`;
    const writer: Writer = {
      add,
      share,
      unitMm,
      point: ([x, y, z]) => share(`CARTESIAN_POINT('',${triple([x * unitMm, y * unitMm, z * unitMm])})`),
      direction: (vector) => share(`DIRECTION('',${triple(vector)})`),
    };
    const vertexList = own(brep.vertices());
    const vertices = Array.from({ length: vertexList.count }, (_, i) =>
      add(`VERTEX_POINT('',${writer.point(own(vertexList.get(i)).location as unknown as Vec3)})`),
    );
    const faceList = own(brep.faces());
    const faces = Array.from({ length: faceList.count }, (_, i) => own(faceList.get(i)));
    const loops = faces.map((face) => loopsOf(face, own));
    const ends = edgeEnds(loops.flat());
    const edgeList = own(brep.edges());
    const edges = Array.from({ length: edgeList.count }, (_, i) => {
      const [from, to] = ends.get(i) ?? [];
      if (from === undefined || to === undefined) return undefined;
      const curve = curveText(own(own(edgeList.get(i)).toNurbsCurve()), writer, own);
      return add(`EDGE_CURVE('',${vertices[from]},${vertices[to]},${curve},.T.)`);
    });
    return faces.map((face, i) => {
      const { surface, isFlipped } = surfaceText(own(face.underlyingSurface()), writer, own);
      const { orientationIsReversed: isReversed } = face;
      const bounds = loops[i].map(({ isOuter, trims }) => {
        const oriented = trims
          .filter(({ edge }) => edges[edge] !== undefined)
          .map((trim) => add(`ORIENTED_EDGE('',*,*,${edges[trim.edge]},${trim.isReversed ? ".F." : ".T."})`));
        const loop = add(`EDGE_LOOP('',(${oriented.join(",")}))`);
        return add(`FACE_${isOuter ? "OUTER_" : ""}BOUND('',${loop},${isReversed ? ".F." : ".T."})`);
      });
      return add(`ADVANCED_FACE('',(${bounds.join(",")}),${surface},${isReversed === isFlipped ? ".T." : ".F."})`);
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
    const type = enumValue(loop.loopType);
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
