import { describe, expect, it } from 'vitest';
import { inPasswordQueue } from '#app/features/accounts/password-queue.server.ts';
import { codeOf } from '#tests/support/outcomes.ts';

/** Work that ends when the test says so, and the order in which it began. */
function controlled() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (name: string, address: string, account: string) =>
    codeOf(
      inPasswordQueue({ address, account }, () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
  /** Lets the work that began first end, and what follows begin. */
  async function endOne(): Promise<void> {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  async function endAll(): Promise<void> {
    while (ends.length > 0) await endOne();
  }
  return { started, begin, endOne, endAll };
}

describe('passwords being checked', () => {
  it('are two at once, and clients, then accounts, take turns', async () => {
    const { started, begin, endOne, endAll } = controlled();
    const all = Array.from({ length: 6 }, (_, index) => begin(`a${index}`, '198.51.100.1', 'a'));
    all.push(begin('b0', '198.51.100.1', 'b'), begin('c0', '2001:db8:1:1::1', 'a'));
    all.push(begin('c1', '2001:db8:1:1::2', 'a'));
    expect(started).toEqual(['a0', 'a1']);
    await endOne();
    expect(started).toEqual(['a0', 'a1', 'a2']);
    await endAll();
    expect(started).toEqual(['a0', 'a1', 'a2', 'c0', 'b0', 'c1', 'a3', 'a4', 'a5']);
    expect(new Set(await Promise.all(all))).toEqual(new Set(['done']));
  });

  it('are refused when too many of one account, one client or all are waiting, and nobody else is', async () => {
    const { started, begin, endAll } = controlled();
    const many = (count: number, address: string, account: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => begin('x', address, account(index)));
    const refused = async (calls: Promise<string>[]) =>
      (await Promise.all(calls)).filter((code) => code === 'RATE_LIMITED').length;
    const ofAccount = many(400, '198.51.100.1', () => 'a');
    const ofClient = many(400, '198.51.100.2', (index) => `b${index}`);
    const ofMany = Array.from({ length: 400 }, (_, index) => begin('x', `203.0.113.${index}`, 'c'));
    const tooMuch = await codeOf(
      inPasswordQueue({ address: '192.0.2.1', account: 'd' }, () => Promise.resolve()),
    );
    expect(tooMuch).toBe('RATE_LIMITED');
    await endAll();
    expect(await refused(ofAccount)).toBe(400 - 2 - 50);
    expect(await refused(ofClient)).toBe(400 - 150);
    expect(await refused(ofMany)).toBe(400 - 300);
    expect(started).toHaveLength(2 + 50 + 150 + 300);
  });

  it('that fail free their place', async () => {
    const fail = () =>
      inPasswordQueue({ address: 'x', account: 'x' }, () => Promise.reject(new Error('broken')));
    for (let count = 0; count < 5; count += 1) await expect(fail()).rejects.toThrow('broken');
    const { started, begin, endAll } = controlled();
    const next = [begin('1', 'x', 'x'), begin('2', 'x', 'x'), begin('3', 'x', 'x')];
    expect(started).toEqual(['1', '2']);
    await endAll();
    expect(await Promise.all(next)).toEqual(['done', 'done', 'done']);
  });
});
