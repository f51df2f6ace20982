import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanPicture } from '#app/integrations/pictures.server.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { picture } from '#tests/support/pictures.ts';

describe('decoding pictures', () => {
  let most = 0;
  let watch: NodeJS.Timeout;
  beforeEach(() => {
    most = 0;
    watch = setInterval(() => (most = Math.max(most, sharp.counters().process)), 1);
  });
  afterEach(() => clearInterval(watch));

  it('handles one at a time, however many arrive at once', async () => {
    const sent = await picture('png', { width: 2100, height: 1400 });
    most = 0;
    const made = await Promise.all(Array.from({ length: 6 }, () => cleanPicture(sent)));
    expect(made.map(({ width }) => width)).toEqual(made.map(() => 2048));
    expect(most).toBe(1);
  });

  it('rejects pictures while twenty wait, and accepts them again afterwards', async () => {
    const sent = await picture('png', { width: 700, height: 700 });
    const codes = await Promise.all(Array.from({ length: 26 }, () => codeOf(cleanPicture(sent))));
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(6);
    expect(codes.filter((code) => code === 'done')).toHaveLength(20);
    expect(await codeOf(cleanPicture(sent))).toBe('done');
  });

  it('rejects pictures of more than 24 million pixels before decoding them', async () => {
    const sent = await picture('png', { width: 6000, height: 4001 });
    expect(await codeOf(cleanPicture(sent))).toBe('INVALID_INPUT');
    expect(await codeOf(cleanPicture(await picture('png', { width: 6000, height: 4000 })))).toBe('done');
  });
});
