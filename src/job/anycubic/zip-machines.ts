/** What the jobs of a machine state about it beyond its pixels. Sources: the settings that df-plugin-anycubic (MIT) writes for these machines. */
export interface ZipMachine {
  /** The maker's name in jobs. */
  readonly name: string;
  /** Extension of the jobs, without the dot. */
  readonly suffix: string;
  /** Name of a picture of the machine in the maker's slicer. */
  readonly picture: string;
  /** Usable part of the display; absent where sources disagree: the whole display. */
  readonly usableMm?: readonly [x: number, y: number];
  /** By how many degrees the machine turns the outlines of the maker's slicer. Pictures are not turned. */
  readonly rotateZ: number;
  readonly segmentsCapacity: number;
  readonly maxVersion: number;
}

export const ZIP_MACHINES: readonly ZipMachine[] = [
  {
    name: "Anycubic Photon Mono M7",
    suffix: "pm7",
    picture: "Anycubic_Photon_Mono_M7.png",
    usableMm: [223.642, 126.48],
    rotateZ: 0,
    segmentsCapacity: 100_000,
    maxVersion: 518,
  },
  {
    name: "Anycubic Photon Mono M7 Pro",
    suffix: "pwsz",
    picture: "Anycubic_Photon_Mono_M7Pro.png",
    usableMm: [223.642, 126.48],
    rotateZ: 0,
    segmentsCapacity: 100_000,
    maxVersion: 518,
  },
  {
    name: "Anycubic Photon Mono M7 Max",
    suffix: "pm7m",
    picture: "Anycubic_Photon_Mono_M7Max.png",
    usableMm: [297.5, 164],
    rotateZ: 0,
    segmentsCapacity: 0,
    maxVersion: 518,
  },
  {
    name: "Anycubic Photon Mono 4 Ultra",
    suffix: "pm4u",
    picture: "Anycubic_Photon_Mono_M4Ultra.png",
    usableMm: [153.408, 87.04],
    rotateZ: 180,
    segmentsCapacity: 100_000,
    maxVersion: 518,
  },
  {
    name: "Anycubic Photon P1",
    suffix: "pp1",
    picture: "Anycubic_Photon_P1.png",
    rotateZ: 0,
    segmentsCapacity: 100_000,
    maxVersion: 519,
  },
  {
    name: "Anycubic Photon P1 Max",
    suffix: "pp1m",
    picture: "Anycubic_Photon_P1Max.png",
    rotateZ: 0,
    segmentsCapacity: 100_000,
    maxVersion: 519,
  },
];

const MAKER = "Anycubic ";

/** The machine of a name in jobs, with or without the maker's. */
export const zipMachineOf = (nameInJobs: string): ZipMachine | undefined =>
  ZIP_MACHINES.find(({ name }) => name === nameInJobs || name === MAKER + nameInJobs);
