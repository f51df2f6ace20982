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

/** A program that this process has loaded. */
interface Loaded {
  file: string;
  script: Script;
  /** What a compiled form has to begin with to belong to it. */
  key: Buffer;
  /** True when it did not have to be compiled. */
  wasCompiled: boolean;
}

const loaded: Loaded[] = [];

/** Bytes of a key: V8 wants what follows it to lie on an address that is a multiple of 8. */
const KEY_BYTES = 128;
/** Hexadecimal digits of SHA-256 with which a program ends; of its text V8 itself compares only the length. */
const DIGEST_LENGTH = 64;

const compiledFile = (file: string): string => `${file}.compiled`;

function keyOf(source: string): Buffer {
  const words = [process.version, process.platform, process.arch, source.slice(-DIGEST_LENGTH)];
  return Buffer.alloc(KEY_BYTES, `${words.join(' ')}\n`.padEnd(KEY_BYTES));
}

/** The compiled form of a program, when there is one of this text and for this Node. */
function readCompiled(file: string, key: Buffer): Buffer | undefined {
  try {
    const bytes = readFileSync(compiledFile(file));
    return bytes.subarray(0, KEY_BYTES).equals(key) ? bytes.subarray(KEY_BYTES) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs a program that `scripts/build-node.mjs` has made, and returns what it exports. Compiling and first running its
 * functions is most of a start, so V8 is given what the build has kept of that. Whatever it does not take, made by another
 * Node or for other flags, is as if it were not there.
 */
export function loadProgram<T extends object>(file: string): T {
  const bytes = readFileSync(file);
  // Text of one byte a character is neither decoded nor copied.
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

/** The programs that this process has loaded, and whether they had been compiled before. */
export const loadedPrograms = (): { file: string; wasCompiled: boolean }[] =>
  loaded.map(({ file, wasCompiled }) => ({ file, wasCompiled }));

/** Keeps what V8 has compiled of the loaded programs so far, for later starts. The files appear whole. */
export function saveCompiled(): void {
  for (const { file, script, key } of loaded) {
    const own = `${compiledFile(file)}.${process.pid}.new`;
    writeFileSync(own, Buffer.concat([key, script.createCachedData()]));
    renameSync(own, compiledFile(file));
  }
}
