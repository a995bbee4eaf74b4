/**
 * Force with which the film pulls a layer as it peels off, N/mm². Working value. I. Kovalenko et al. measured that the force grows
 * linearly with the area: "Examining the Relationship between Forces During Stereolithography 3D Printing and Geometric Parameters of
 * the Model" (2016), doi 10.1051/matecconf/20164002005.
 */
export const PEEL_STRESS = 0.04;

/** Approximate stress at which fresh resin tears, N/mm². Working value. */
export const TEARING_STRESS = 10;

/** The film peels from one side to the other: at any time only about this share of the holds of a layer bears load. */
export const BEARING_SHARE = 0.2;

/**
 * Strength of the bond between cured resin and bare metal, N/mm². Source: S. Kalra, V. Kharsan, N. M. Kalra,
 * "Comparative evaluation of effect of metal primer and sandblasting on the shear bond strength between heat cured
 * acrylic denture base resin and cobalt–chromium alloy" (Contemporary Clinical Dentistry 6, 2015): 2.59 ± 0.32 MPa
 * without surface treatment. Platforms are ground or blasted, which holds better; oxygen and wear make it worse.
 */
export const BOND_STRENGTH = 2.59;

/**
 * Young's modulus of printed resin before it is post-cured, N/mm². Source: Formlabs, "Clear: Material Properties"
 * (FLGPCL02, 2016), tensile modulus of green parts by ASTM D 638: 1.6 GPa.
 */
export const GREEN_MODULUS = 1600;

/** Area by which a touchpoint of a given diameter holds the model, mm². */
export const touchAreaMm2 = (sizeMm: number): number => Math.PI * (sizeMm / 2) ** 2;

/** Force that a touchpoint of a given diameter bears, N. */
export const touchStrengthN = (sizeMm: number): number => BEARING_SHARE * TEARING_STRESS * touchAreaMm2(sizeMm);
