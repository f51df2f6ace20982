/** Writes the bundle and returns its URL, for `import()` in this or another process. */
export function bundleStorage(name?: string): Promise<string>;
