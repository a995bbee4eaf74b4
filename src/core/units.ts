/** The length units of model files in millimetres. */
export const UNIT_MM = { MILLIMETERS: 1, INCHES: 25.4 } as const;

export const UNITS = Object.keys(UNIT_MM) as Units[];

export type Units = keyof typeof UNIT_MM;

export const MM3_PER_ML = 1000;
export const MM2_PER_CM2 = 100;
