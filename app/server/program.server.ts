import { isAscii } from 'node:buffer';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';

/**
 * The parameters of the function that a program is, as `require` gives them to a CommonJS file, and what imports for it: in
 * a script that was compiled before, `import()` itself fails.
 */
type Program = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  dirname: string,
  importPackage: (name: string) => Promise<unknown>,
) => void;

interface Loaded {
  file: string;
  script: Script;
  /** What the compiled form must begin with to belong to this program. */
  key: Buffer;
  /** True if it did not have to be compiled. */
  wasCompiled: boolean;
}

const loaded: Loaded[] = [];

/** Bytes of a key. A multiple of 8, because V8 requires the data after it to be aligned. */
const KEY_BYTES = 128;
/** Hexadecimal digits of SHA-256 at the end of a program; V8 itself compares only the length of its text. */
const DIGEST_LENGTH = 64;

const compiledFile = (file: string): string => `${file}.compiled`;

function keyOf(source: string): Buffer {
  const words = [process.version, process.platform, process.arch, source.slice(-DIGEST_LENGTH)];
  return Buffer.alloc(KEY_BYTES, `${words.join(' ')}\n`.padEnd(KEY_BYTES));
}

/** The compiled form of a program, if there is one for this text and this Node version. */
function readCompiled(file: string, key: Buffer): Buffer | undefined {
  try {
    const bytes = readFileSync(compiledFile(file));
    return bytes.subarray(0, KEY_BYTES).equals(key) ? bytes.subarray(KEY_BYTES) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs a program built by `scripts/build-node.mjs` and returns its exports. Most of a start is compiling functions and
 * running them for the first time, so V8 gets the build's code cache. It ignores a cache from another Node version or other
 * flags.
 */
export function loadProgram<T extends object>(file: string): T {
  const bytes = readFileSync(file);
  // One-byte text is neither decoded nor copied.
  const source = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  const key = keyOf(source);
  const cachedData = readCompiled(file, key);
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  loaded.push({ file, script, key, wasCompiled: script.cachedDataRejected === false });
  const module = { exports: {} };
  const program = script.runInThisContext() as Program;
  const importPackage = (name: string): Promise<unknown> => import(name);
  program(module.exports, createRequire(file), module, file, path.dirname(file), importPackage);
  return module.exports as T;
}

/** The programs this process has loaded, and whether they came from a code cache. */
export const loadedPrograms = (): { file: string; wasCompiled: boolean }[] =>
  loaded.map(({ file, wasCompiled }) => ({ file, wasCompiled }));

/** Saves the code cache of the loaded programs for later starts. Each file is complete when it appears. */
export function saveCompiled(): void {
  for (const { file, script, key } of loaded) {
    const own = `${compiledFile(file)}.${process.pid}.new`;
    writeFileSync(own, Buffer.concat([key, script.createCachedData()]));
    renameSync(own, compiledFile(file));
  }
}
