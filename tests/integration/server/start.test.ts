import { execFile } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort, startServer } from '#tests/support/server.ts';

const run = promisify(execFile);

/** Packages that only some requests need, most with many dependencies. */
const NOT_AT_START = [
  '@modelcontextprotocol/sdk',
  '@simplewebauthn/server',
  'ical-generator',
  'nodemailer',
  'pdfkit',
  'sharp',
  'stripe',
  'web-push',
];

const PROGRAMS = ['build/web/web.script.js', 'build/server/remix.script.js'];
const LOADER = pathToFileURL(path.resolve('build/web/program.js')).href;

type Environment = Record<string, string | undefined>;

/** Runs code in a separate Node process, with the program loader in scope, and parses its output as JSON. */
async function inNode<T>(code: string, flags: readonly string[] = [], own: Environment = {}): Promise<T> {
  const lines = [
    "import { createRequire } from 'node:module';",
    `import { loadProgram, loadedPrograms, saveCompiled } from ${JSON.stringify(LOADER)};`,
    `const { cache } = createRequire(${JSON.stringify(LOADER)});`,
    code,
  ];
  const args = [...flags, '--input-type=module', '--eval', lines.join('\n')];
  const env = { ...process.env, ...own, NODE_ENV: 'production' as const };
  const { stdout } = await run(process.execPath, args, { env });
  return JSON.parse(stdout) as T;
}
const loading = (files: readonly string[]): string =>
  files.map((file) => `loadProgram(${JSON.stringify(path.resolve(file))});`).join('\n');

/** Package names in the paths of the bundler's comments. */
const packagesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//g)].map(([, name = '']) => name));

describe('the start of a server', () => {
  it('says once that it runs as root, and only then', async () => {
    const server = await startServer();
    await server.stop();
    const warnings = server.output().match(/"level":40.*root/g) ?? [];
    expect(warnings).toHaveLength(process.getuid?.() === 0 ? 1 : 0);
  });

  it('loads nothing that its first response does not need', async () => {
    const print = 'console.log(JSON.stringify(Object.keys(cache)))';
    const files = await inNode<string[]>(`${loading(PROGRAMS)}\n${print}`);
    const loaded = packagesIn(files.join('\n'));
    const texts = await Promise.all(PROGRAMS.map((file) => readFile(file, 'utf8')));
    const comments = texts.flatMap((text) => text.match(/^ *\/\/ \S*node_modules\/.*$/gm) ?? []);
    const bundled = packagesIn(comments.join('\n'));
    // Packages that are loaded must be found, or the check above would mean nothing.
    expect([...loaded]).toEqual(expect.arrayContaining(['pino', '@node-rs/argon2']));
    expect([...bundled]).toEqual(expect.arrayContaining(['mongoose', 'express', '@remix-run/react']));
    expect(texts.join('\n')).toContain('require("@modelcontextprotocol/sdk/server/mcp.js")');
    expect(NOT_AT_START.filter((name) => loaded.has(name) || bundled.has(name))).toEqual([]);
  });

  it('uses the build’s code cache, on the Node version that created it', async () => {
    const header = await readFile(`${PROGRAMS[0] ?? ''}.compiled`, 'latin1');
    const isOurs = header.startsWith(`${process.version} ${process.platform} ${process.arch} `);
    const print = 'console.log(JSON.stringify(loadedPrograms().map(({ wasCompiled }) => wasCompiled)))';
    expect(await inNode(`${loading(PROGRAMS)}\n${print}`)).toEqual(PROGRAMS.map(() => isOurs));
  });

  it('runs one-byte programs, which import through their loader because cached code cannot', async () => {
    const texts = await Promise.all(PROGRAMS.map((file) => readFile(file, 'utf8')));
    for (const text of texts) {
      expect(/[\u0080-\uffff]/.exec(text)).toBeNull();
      expect(/(?:await|=>|return|[,=([])\s*import\(["']/.exec(text)).toBeNull();
    }
    expect(texts.join('\n')).toContain('await __import("stripe")');
  });

  it('requires only packages that are the same with require and with import', async () => {
    const texts = await Promise.all(PROGRAMS.map((file) => readFile(file, 'utf8')));
    const required = [...texts.join('\n').matchAll(/= require\("([^"]+)"\);$/gm)].map(
      ([, name = '']) => name,
    );
    const names = [...new Set(required)].filter((name) => !isBuiltin(name));
    expect(names).toEqual(expect.arrayContaining(['pino', '@remix-run/node']));
    const different = await inNode<string[]>(`
      const require = createRequire(${JSON.stringify(LOADER)});
      const differs = async (name) => {
        const { default: itself, 'module.exports': whole, ...parts } = await import(name);
        const other = require(name);
        return Object.keys(parts).some((part) => !(part in other)) || typeof (itself ?? other) !== typeof other;
      };
      const isInstalled = (name) => {
        try {
          return require.resolve(name) !== '';
        } catch {
          return false;
        }
      };
      const different = [];
      for (const name of ${JSON.stringify(names)}.filter(isInstalled))
        if (await differs(name)) different.push(name);
      console.log(JSON.stringify(different));`);
    expect(different).toEqual([]);
  });
});

describe('the embedded engine', () => {
  let folder: string;
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Whether the engine's socket folder and data directory exist just before the pages are loaded. */
  async function atLoading(own: Environment): Promise<{ hasSocket: boolean; hasData: boolean }> {
    folder = await mkdtemp(path.join(tmpdir(), 'v-'));
    const [dataDir, temporary] = [path.join(folder, 'data'), path.join(folder, 't')];
    await mkdir(temporary);
    const code = `
      const { existsSync, readdirSync, writeSync } = await import('node:fs');
      loadProgram(${JSON.stringify(path.resolve(PROGRAMS[0] ?? ''))}).serve(() => {
        const hasSocket = readdirSync(${JSON.stringify(temporary)}).some((name) => name.startsWith('vialbook-'));
        // By now, console output goes to the log.
        writeSync(1, JSON.stringify({ hasSocket, hasData: existsSync(${JSON.stringify(dataDir)}) }));
        process.exit(0);
      });`;
    const PORT = String(await freePort());
    const env = {
      PATH: process.env.PATH,
      TMPDIR: temporary,
      DATA_DIR: dataDir,
      PORT,
      MONGODB_URI: undefined,
    };
    return inNode(code, [], { ...env, ...own });
  }

  it('starts before the pages are loaded, so that its thread works meanwhile', async () => {
    expect(await atLoading({})).toEqual({ hasSocket: true, hasData: true });
  });

  it('does not start if the settings name a deployment', async () => {
    const env = { MONGODB_URI: 'mongodb://127.0.0.1:9/vialbook', SESSION_SECRET: 's'.repeat(40) };
    expect(await atLoading(env)).toEqual({ hasSocket: false, hasData: false });
  });
});

describe('the code cache of a program', () => {
  let folder: string;
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const digestOf = (letter: string): string => letter.repeat(64);
  const textOf = (answer: number, digest: string): string =>
    `(function (exports, require, module, file, folder, __import) { exports.answer = ${answer};\nexports.later = () => __import('node:os');\n})\n//# ${digest}`;
  interface Answer {
    answer: number;
    hasImported: boolean;
    wasCompiled: boolean;
  }
  async function answerOf(file: string, { saves = false, flags = [] as string[] } = {}): Promise<Answer> {
    return inNode<Answer>(
      [
        `const { answer, later } = loadProgram(${JSON.stringify(file)});`,
        "const hasImported = typeof (await later()).cpus === 'function';",
        saves ? 'saveCompiled();' : '',
        'const [{ wasCompiled }] = loadedPrograms();',
        'console.log(JSON.stringify({ answer, hasImported, wasCompiled }));',
      ].join('\n'),
      flags,
    );
  }
  async function compiled(): Promise<string> {
    folder = await mkdtemp(path.join(tmpdir(), 'vialbook-program-'));
    const file = path.join(folder, 'a.script.js');
    await writeFile(file, textOf(1, digestOf('a')));
    expect(await answerOf(file, { saves: true })).toEqual({
      answer: 1,
      hasImported: true,
      wasCompiled: false,
    });
    return file;
  }

  it('is used by the next process', async () => {
    const file = await compiled();
    expect(await answerOf(file)).toEqual({ answer: 1, hasImported: true, wasCompiled: true });
  });

  it('is not used for another text, even of the same length', async () => {
    const file = await compiled();
    await writeFile(file, textOf(2, digestOf('b')));
    expect(await answerOf(file)).toEqual({ answer: 2, hasImported: true, wasCompiled: false });
  });

  it('is not used if truncated, or from another Node version or other flags', async () => {
    const file = await compiled();
    const whole = await readFile(`${file}.compiled`);
    const plain = { answer: 1, hasImported: true, wasCompiled: false };
    expect(await answerOf(file, { flags: ['--no-lazy'] })).toEqual(plain);
    const otherNode = Buffer.concat([Buffer.from('v1.2.3'), whole.subarray(6)]);
    const lengths = [whole.length - 100, 40, 0];
    for (const other of [otherNode, ...lengths.map((length) => whole.subarray(0, length))]) {
      await writeFile(`${file}.compiled`, other);
      expect(await answerOf(file)).toEqual(plain);
    }
  });

  it('is optional, as in an installed package', async () => {
    const file = await compiled();
    const alone = path.join(folder, 'b.script.js');
    await cp(file, alone);
    expect(await answerOf(alone)).toEqual({ answer: 1, hasImported: true, wasCompiled: false });
  });
});
