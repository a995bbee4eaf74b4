import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";

/** Paths at which Linux lists control groups: https://docs.kernel.org/admin-guide/cgroup-v2.html and cgroup-v1/memory.html. */
const CGROUP_ROOT = "/sys/fs/cgroup";
const OWN_GROUPS = "/proc/self/cgroup";

/** The memory that this process may use, in bytes: that of the machine, or of its container where that has less. */
export const machineMemoryBytes = (): number => Math.min(totalmem(), ...containerLimits(readIfThere));

/**
 * The memory limits, in bytes, of the control groups of this process, of both versions. Inside a container, the group may be mounted at the
 * root instead of at the path that the kernel names, so every folder up to the root is tried.
 */
export function containerLimits(read: (path: string) => string | undefined): number[] {
  const groups = (read(OWN_GROUPS) ?? "").split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === undefined || controllers === undefined) return [];
    if (controllers === "") return [{ root: CGROUP_ROOT, path, file: "memory.max" }];
    const isMemory = controllers.split(",").includes("memory");
    return isMemory ? [{ root: join(CGROUP_ROOT, "memory"), path, file: "memory.limit_in_bytes" }] : [];
  });
  return groups.flatMap(({ root, path, file }) =>
    foldersUp(path).flatMap((folder) => {
      // Version 2 has "max" where there is no limit, version 1 a number larger than any machine.
      const limit = Number.parseInt(read(join(root, folder, file)) ?? "", 10);
      return limit > 0 ? [limit] : [];
    }),
  );
}

const foldersUp = (path: string): string[] => (path === dirname(path) ? [path] : [path, ...foldersUp(dirname(path))]);

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
