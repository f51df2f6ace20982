import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../../app/styles/tokens.css', import.meta.url), 'utf8');
const colours = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/--color-([\w-]+): (#[0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [name, hex]),
  );
const [day = '', night = ''] = css.split('prefers-color-scheme: dark');
const schemes = { day: colours(day), night: colours(night) };

/** WCAG 2.2: relative luminance and contrast ratio. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ['paper', 'sheet', 'field'] as const;
const cross = <A, B>(left: readonly A[], right: readonly B[]) =>
  left.flatMap((a) => right.map((b) => [a, b] as const));

describe.each(Object.entries(schemes))('by %s', (_, colour) => {
  const ratio = (one: string, other: string) => contrast(colour[one] ?? '', colour[other] ?? '');

  it('knows the same colours as the other scheme', () => {
    expect(Object.keys(colour).sort()).toEqual(Object.keys(schemes.day).sort());
  });

  it.each(cross(['ink', 'pen', 'pen-deep'], GROUNDS))('sets figures in %s on %s at AAA', (one, other) => {
    expect(ratio(one, other)).toBeGreaterThanOrEqual(7);
  });

  it.each([
    ...cross(['soft', 'danger', 'warn', 'good'], GROUNDS),
    ['ink', 'pen-wash'],
    ['pen', 'pen-wash'],
    ['pen-deep', 'pen-wash'],
    ['pen', 'danger-wash'],
    ['ink', 'danger-wash'],
    ['danger', 'danger-wash'],
    ['ink', 'warn-wash'],
    ['warn', 'warn-wash'],
    ['pen', 'warn-wash'],
    ['ink', 'good-wash'],
    ['good', 'good-wash'],
    ['on-pen', 'pen'],
    ['on-pen', 'pen-deep'],
  ] as const)('sets text in %s on %s at AA', (one, other) => {
    expect(ratio(one, other)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(cross(['edge', 'pen', 'danger'], GROUNDS))(
    'draws the bounds of controls in %s on %s',
    (one, other) => {
      expect(ratio(one, other)).toBeGreaterThanOrEqual(3);
    },
  );
});
