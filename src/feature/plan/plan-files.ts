/** How files of plans are read: as they are, and all parts of a file as one model. */
export const FILE_OPTIONS = {
  repairBehavior: "IGNORE",
  split: false,
  options: { chordalToleranceMm: 0.01, angleToleranceDeg: 5 },
} as const;
