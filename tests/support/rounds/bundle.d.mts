/** Writes the storage layer's bundle and returns its URL, for `import()` in this or another process. */
export function bundleStorage(name?: string): Promise<string>;
/** The same of the engine's face. */
export function bundleEngine(name?: string): Promise<string>;
