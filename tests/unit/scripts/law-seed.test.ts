import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { lawSeed } from '../../../scripts/law-seed.mjs';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

function sources(files: Record<string, string>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'law-seed-'));
  roots.push(root);
  for (const folder of ['app', 'models', 'cli', 'tests']) mkdirSync(path.join(root, folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  return root;
}

describe('the seed of the property tests', () => {
  it('depends on the sources', () => {
    const [a, b] = ['app/a.ts', 'models/b.ts'];
    const seed = lawSeed(sources({ [a]: '1', [b]: '2' }), '');
    expect(lawSeed(sources({ [b]: '2', [a]: '1', 'app/note.md': 'x' }), '')).toBe(seed);
    expect(lawSeed(sources({ [a]: '1', [b]: '3' }), '')).not.toBe(seed);
    expect(lawSeed(sources({ [a]: '1', 'models/c.ts': '2' }), '')).not.toBe(seed);
  });

  it('can be set', () => {
    const root = sources({});
    expect(lawSeed(root, '-17')).toBe(-17);
    expect(new Set([1, 2, 3].map(() => lawSeed(root, 'random'))).size).toBeGreaterThan(1);
    expect(() => lawSeed(root, 'seven')).toThrow('LAW_SEED must be a whole number or "random", not "seven"');
  });

  it('is used by the property tests', () => {
    expect(fc.readConfigureGlobal().seed).toBe(Number(process.env['LAW_SEED']));
    expect(process.env['LAW_SEED']).toMatch(/^-?\d+$/);
  });
});
