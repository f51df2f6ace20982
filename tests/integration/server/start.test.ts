import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** Packages that only some requests need, most of them with many others behind them. */
const NOT_AT_START = [
  '@simplewebauthn/server',
  'ical-generator',
  'nodemailer',
  'pdfkit',
  'sharp',
  'stripe',
  'web-push',
];

interface Loaded {
  /** Packages in files of their own. */
  packages: Set<string>;
  /** Packages in the bundles. */
  bundled: Set<string>;
}

/** What files of the build load by themselves, those that they import included; `import()` waits until it is called. */
function loadedBy(entries: readonly string[]): Loaded {
  const files = new Set(entries.map((entry) => path.resolve(entry)));
  const loaded: Loaded = { packages: new Set(), bundled: new Set() };
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    for (const [, name = ''] of source.matchAll(/^(?:import|export)\b[^'"();]*["']([^"']+)["'];?/gm)) {
      if (name.startsWith('.')) files.add(path.resolve(path.dirname(file), name));
      else loaded.packages.add(name);
    }
    // The bundler writes a line with its path before each file.
    for (const [, name = ''] of source.matchAll(/^ *\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm))
      loaded.bundled.add(name);
  }
  return loaded;
}

describe('the start of a server', () => {
  it('loads nothing that its first answer does not need', () => {
    const { packages, bundled } = loadedBy(['build/web/server.js', 'build/server/remix.js']);
    // What it does load is found, so that the list above means something.
    expect([...packages]).toEqual(expect.arrayContaining(['pino', '@node-rs/argon2']));
    expect([...bundled]).toEqual(expect.arrayContaining(['mongoose', 'express', '@remix-run/react']));
    expect(NOT_AT_START.filter((name) => packages.has(name) || bundled.has(name))).toEqual([]);
  });
});
