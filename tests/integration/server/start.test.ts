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

/** What files of the build import by themselves, those that they import included; `import()` waits until it is called. */
function importedBy(entries: readonly string[]): Set<string> {
  const [files, packages] = [new Set(entries.map((entry) => path.resolve(entry))), new Set<string>()];
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    for (const [, name = ''] of source.matchAll(/^(?:import|export)\b[^'"();]*["']([^"']+)["'];?/gm)) {
      if (name.startsWith('.')) files.add(path.resolve(path.dirname(file), name));
      else packages.add(name);
    }
  }
  return packages;
}

describe('the start of a server', () => {
  it('loads nothing that its first answer does not need', () => {
    const packages = importedBy(['build/web/server.js', 'build/server/remix.js']);
    // What it does load is found, so that the list above means something.
    expect([...packages]).toEqual(expect.arrayContaining(['mongoose', 'express', '@remix-run/react']));
    expect(NOT_AT_START.filter((name) => packages.has(name))).toEqual([]);
  });
});
