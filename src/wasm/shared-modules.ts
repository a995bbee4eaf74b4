/** A compiled module. Threads share it, with the machine code that the runtime optimises while it runs. */
export interface SharedModule {
  /** Unique among the modules of the program. */
  readonly name: string;
  readonly module: WebAssembly.Module;
}

const modules = new Map<string, WebAssembly.Module>();
let announce: (compiled: SharedModule) => void = () => {};

/** Calls `listener` with each module that this thread compiles. Must be called once, when the thread starts. */
export const onCompiled = (listener: (compiled: SharedModule) => void): void => {
  announce = listener;
};

/** Uses a module that another thread has compiled. */
export function takeModule({ name, module }: SharedModule): void {
  if (!modules.has(name)) modules.set(name, module);
}

/** The module of this name; undefined if no thread has compiled it. */
export const knownModule = (name: string): WebAssembly.Module | undefined => modules.get(name);

/** Keeps a module that this thread has compiled, and gives it to the other threads. */
export function shareModule(name: string, module: WebAssembly.Module): void {
  modules.set(name, module);
  announce({ name, module });
}
