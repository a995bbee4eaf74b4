import { escapeXml } from "../../codec/escape-xml.ts";
import type { Progress } from "../../core/progress.ts";
import { VERSION } from "../../core/version.ts";
import { poseTransform } from "../../geometry/transform.ts";
import { type Mesh, type Surface, filterFacets, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import { BODY_COLOURS, BODY_KIND_NAMES, objectKey } from "../body-kinds.ts";
import type { BodyKind, ModelWriter, WrittenBody } from "../model-writer.ts";
import { TextBuffer, words } from "../../codec/text-buffer.ts";
import { ZipWriter, deflatedInChunks } from "../../codec/zip-writer.ts";

/**
 * 3MF (core specification 1.3), in millimetres: one object per mesh and kind of body, which has the colour of the kind, and one item
 * of the build per body, with its pose. If bodies with different names share an object, each name is an object that has the shared
 * one as its component. Supports are objects of the type "model" too, because readers leave out the types for supports.
 */
export const threeMfWriter: ModelWriter = {
  *chunks(bodies, _refuse, progress) {
    const zip = new ZipWriter();
    const encoder = new TextEncoder();
    yield* zip.add({ name: "[Content_Types].xml", pieces: [encoder.encode(CONTENT_TYPES)], compress: true });
    yield* zip.add({ name: "_rels/.rels", pieces: [encoder.encode(RELATIONSHIPS)], compress: true });
    yield* zip.addPacked(
      "3D/3dmodel.model",
      deflatedInChunks(modelPart(objectsOf(bodies), bodies, progress), THREE_MF_LEVEL),
    );
    yield* zip.end();
  },
};

/** Level of zlib: level 1 takes half the time for half as many bytes more, level 6 three times the time for a twentieth less. */
export const THREE_MF_LEVEL = 3;

const CONTENT_TYPES = `<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
 <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
 <Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>
`;

const RELATIONSHIPS = `<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
 <Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>
`;

/** Id of the basic materials. The ids of objects follow. */
const MATERIALS_ID = 1;
const KINDS: readonly BodyKind[] = ["part", "support", "lattice"];

interface MeshObject {
  readonly id: number;
  readonly mesh: Mesh;
  readonly kind: BodyKind;
  /** The id of the object for each name: the object itself if all its bodies have one name. */
  readonly idByName: ReadonlyMap<string, number>;
}

/** The objects of bodies by {@link objectKey}. */
function objectsOf(bodies: readonly WrittenBody[]): Map<string, MeshObject> {
  let id = MATERIALS_ID;
  return new Map(
    [...Map.groupBy(bodies, objectKey)].map(([key, [first, ...others]]) => {
      const names = [...new Set([first, ...others].map(({ name }) => name))];
      const own = ++id;
      const idByName = new Map(names.map((name) => [name, names.length === 1 ? own : ++id]));
      return [key, { id: own, mesh: first.mesh, kind: first.kind, idByName }];
    }),
  );
}

const VERTEX = words('<vertex x="', '" y="', '" z="', '"/>\n');
const TRIANGLE = words('<triangle v1="', '" v2="', '" v3="', '"/>\n');

function* modelPart(
  objects: ReadonlyMap<string, MeshObject>,
  bodies: readonly WrittenBody[],
  progress: Progress,
): Generator<Uint8Array> {
  const total = objects.values().reduce((sum, { mesh }) => sum + vertexCount(mesh) + triangleCount(mesh), 0);
  const buffer = new TextBuffer(total, progress);
  yield* buffer.text(`<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
<metadata name="Application">Printwright ${VERSION}</metadata>
<resources>
<basematerials id="${MATERIALS_ID}">
${KINDS.map((kind) => `<base name="${BODY_KIND_NAMES[kind]}" displaycolor="${hexColour(BODY_COLOURS[kind])}"/>\n`).join("")}</basematerials>
`);
  for (const { id, mesh, kind, idByName } of objects.values()) {
    const [[name, idOfName]] = idByName;
    const named = idOfName === id ? ` name="${escapeXml(name)}"` : "";
    yield* buffer.text(
      `<object id="${id}" type="model" pid="${MATERIALS_ID}" pindex="${KINDS.indexOf(kind)}"${named}>\n<mesh>\n<vertices>\n`,
    );
    yield* buffer.floats(VERTEX, mesh.vertices);
    yield* buffer.text("</vertices>\n<triangles>\n");
    yield* buffer.integers(TRIANGLE, withThreeCorners(mesh).triangles);
    yield* buffer.text("</triangles>\n</mesh>\n</object>\n");
    for (const [other, otherId] of idOfName === id ? [] : idByName) {
      yield* buffer.text(
        `<object id="${otherId}" type="model" name="${escapeXml(other)}"><components><component objectid="${id}"/></components></object>\n`,
      );
    }
  }
  yield* buffer.text("</resources>\n<build>\n");
  for (const body of bodies) {
    // Every body has an object.
    const id = objects.get(objectKey(body))!.idByName.get(body.name)!;
    yield* buffer.text(`<item objectid="${id}" transform="${poseTransform(body).join(" ")}"/>\n`);
  }
  yield* buffer.text("</build>\n</model>\n");
  yield buffer.end();
}

/** Without facets in which two corners are the same vertex, which the format forbids (section 4.1.5). */
const withThreeCorners = (mesh: Mesh): Surface =>
  filterFacets(mesh, (facet) => {
    const a = mesh.triangles[3 * facet];
    const b = mesh.triangles[3 * facet + 1];
    const c = mesh.triangles[3 * facet + 2];
    return a !== b && b !== c && c !== a;
  });

const hexColour = (rgb: number): string => `#${rgb.toString(16).padStart(6, "0").toUpperCase()}`;
