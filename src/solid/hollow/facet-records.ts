/** Numbers of a facet's record; it begins a cache line. */
export const RECORD = 16;
/** Where in a record its plane stands: x, y and z of the unit normal and how far along it the plane is. The corners come first. */
export const PLANE = 9;

/** Facets that are no higher than this share of their longest side have no plane to speak of: of a sliver rounding turns it. */
const SLIVER = 1e-3;

/** Of each facet its corners and its plane; 0, 0, 0 and 0 for a facet without area, or nearly so. */
export function facetRecords(corners: Float32Array): Float32Array {
  const records = new Float32Array((RECORD * corners.length) / 9);
  for (let from = 0, to = 0; from < corners.length; from += 9, to += RECORD) {
    for (let i = 0; i < 9; i++) records[to + i] = corners[from + i];
    const ax = corners[from];
    const ay = corners[from + 1];
    const az = corners[from + 2];
    const bx = corners[from + 3] - ax;
    const by = corners[from + 4] - ay;
    const bz = corners[from + 5] - az;
    const cx = corners[from + 6] - ax;
    const cy = corners[from + 7] - ay;
    const cz = corners[from + 8] - az;
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    const nz = bx * cy - by * cx;
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const longest = Math.max(bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz);
    if (size < SLIVER * longest) continue;
    records[to + PLANE] = nx / size;
    records[to + PLANE + 1] = ny / size;
    records[to + PLANE + 2] = nz / size;
    records[to + PLANE + 3] = (ax * nx + ay * ny + az * nz) / size;
  }
  return records;
}
