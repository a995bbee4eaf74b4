import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { systemNeeds } from "./elf.ts";
import type { Executable, Release, Target } from "./release.ts";
import { tarOf } from "./tar.ts";

/** Folders of the libraries of Debian, by the targets for which there are images. */
const LIBRARY_FOLDERS: Partial<Record<Target, string>> = {
  "linux-x64": "/lib/x86_64-linux-gnu",
  "linux-arm64": "/lib/aarch64-linux-gnu",
};

export const CONTAINER_TARGETS = Object.keys(LIBRARY_FOLDERS) as Target[];

/** Number of the user without rights in images without a distribution. */
export const CONTAINER_USER = 65_532;
const PORT = 44_388;

/**
 * Writes the folder from which an image is built: its Dockerfile, and `root.tar` with the executable, its licences and the folders that it
 * writes to. Returns that folder. The image has nothing else but the C library, which the build takes from an image of Debian.
 */
export function writeContainer(release: Release, executable: Executable, notices: string): string {
  const folder = join(release.folder, `container-${executable.target}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "Dockerfile"), dockerfileOf(release, executable));
  const entries = [
    { path: "etc/" },
    { path: "etc/passwd", content: `printwright:x:${CONTAINER_USER}:${CONTAINER_USER}::/work:\n` },
    { path: "etc/group", content: `printwright:x:${CONTAINER_USER}:\n` },
    { path: "tmp/", mode: 0o1777 },
    { path: "usr/" },
    { path: "usr/bin/" },
    { path: "usr/bin/printwright", mode: 0o755, content: readFileSync(executable.path) },
    { path: "usr/share/" },
    { path: "usr/share/doc/" },
    { path: "usr/share/doc/printwright/" },
    { path: "usr/share/doc/printwright/licences.txt", content: readFileSync(notices) },
    { path: "work/", mode: 0o750, owner: CONTAINER_USER },
  ];
  writeFileSync(join(folder, "root.tar"), tarOf(entries, release.date));
  return folder;
}

function dockerfileOf({ version, summary, licence, date, publisher }: Release, { target, path }: Executable): string {
  const folder = LIBRARY_FOLDERS[target];
  if (folder === undefined) throw new Error(`there is no container image for ${target}`);
  const { loader, libraries } = systemNeeds(path);
  const files = libraries.filter((file) => file !== basename(loader)).map((file) => `${folder}/${file}`);
  const labels = Object.entries({
    title: "Printwright",
    description: summary,
    version,
    licenses: licence,
    vendor: publisher.name,
    url: publisher.homepage,
    created: date.toISOString(),
  }).map(([name, value]) => `org.opencontainers.image.${name}=${JSON.stringify(value)}`);
  return `# Printwright ${version} for ${target}, made by "bun run package container".
ARG LIBRARIES=docker.io/library/debian:12-slim
FROM \${LIBRARIES} AS libraries

FROM scratch
LABEL ${labels.join(" \\\n      ")}
COPY --from=libraries ${loader} ${loader}
COPY --from=libraries ${files.join(" ")} ${folder}/
COPY --from=libraries /usr/share/doc/libc6/copyright /usr/share/doc/libc6/copyright
ADD root.tar /
USER ${CONTAINER_USER}:${CONTAINER_USER}
WORKDIR /work
VOLUME ["/work"]
EXPOSE ${PORT}
STOPSIGNAL SIGTERM
# By its address, because an image without a distribution need not know the name localhost.
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s CMD ["/usr/bin/printwright", "health", "http://127.0.0.1:${PORT}"]
ENTRYPOINT ["/usr/bin/printwright"]
CMD ["--port", "${PORT}", "--host", "0.0.0.0", "--allow-host", "localhost", "--state-folder", "/work/scenes"]
`;
}
