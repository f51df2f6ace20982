import { describe, expect, it } from 'vitest';
import {
  SESSION_TIMEOUT_MINUTES,
  Sessions,
  TRANSACTION_LIFETIME_MS,
  abortTransaction,
  sessionIdOf,
  type Session,
} from '#models/engine/commands/sessions.ts';
import { Binary } from '#models/engine/values/types.ts';
import type { StoreTransaction } from '#models/engine/storage/index.ts';

/** A transaction that only remembers how it ended. */
function openTransaction(session: Session, startedAt = Date.now()): { aborted: number } {
  const ended = { aborted: 0 };
  const store: Pick<StoreTransaction, 'abort' | 'state'> = {
    state: 'open',
    abort: () => {
      ended.aborted += 1;
    },
  };
  session.transaction = { number: 1n, state: 'open', store: store as StoreTransaction, startedAt };
  return ended;
}

function withLog(): { sessions: Sessions; ended: string[] } {
  const ended: string[] = [];
  return { sessions: new Sessions(({ id }) => ended.push(id)), ended };
}

describe('sessions', () => {
  it('are made at their first use and found again', () => {
    const { sessions } = withLog();
    const session = sessions.use('a');
    expect(sessions.use('a')).toBe(session);
    expect(sessions.use('b')).not.toBe(session);
    expect(sessions.count).toBe(2);
    expect(sessions.find('c')).toBeUndefined();
  });

  it('take their transaction and all else with them when they end', () => {
    const { sessions, ended } = withLog();
    const transaction = openTransaction(sessions.use('a'));
    sessions.end('a');
    sessions.end('a');
    expect([transaction.aborted, ended, sessions.count]).toEqual([1, ['a'], 0]);
  });

  it('end when nobody used them for the time the handshake tells', () => {
    const { sessions, ended } = withLog();
    sessions.use('old').lastUse = Date.now() - SESSION_TIMEOUT_MINUTES * 60_000 - 1000;
    sessions.use('new');
    sessions.expire();
    expect(ended).toEqual(['old']);
  });

  it('lose a transaction that takes longer than a minute, and live on', () => {
    const { sessions, ended } = withLog();
    const slow = openTransaction(sessions.use('slow'), Date.now() - TRANSACTION_LIFETIME_MS - 1);
    const quick = openTransaction(sessions.use('quick'), Date.now() - TRANSACTION_LIFETIME_MS + 5000);
    sessions.expire();
    expect([slow.aborted, quick.aborted, ended]).toEqual([1, 0, []]);
    expect(sessions.find('slow')?.transaction?.state).toBe('aborted');
  });

  it('end all at once', () => {
    const { sessions, ended } = withLog();
    for (const id of ['a', 'b', 'c']) sessions.use(id);
    sessions.endAll();
    expect(ended).toEqual(['a', 'b', 'c']);
  });

  it('abort a transaction once', () => {
    const session = withLog().sessions.use('a');
    const transaction = openTransaction(session);
    abortTransaction(session);
    abortTransaction(session);
    expect(transaction.aborted).toBe(1);
  });
});

describe('the id of a session', () => {
  it('is a UUID', () => {
    const bytes = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
    expect(sessionIdOf({ id: new Binary(bytes, 4) })).toBe('000102030405060708090a0b0c0d0e0f');
  });

  it.each([
    [{ id: new Binary(Buffer.alloc(16), 0) }, 207],
    [{ id: new Binary(Buffer.alloc(15), 4) }, 207],
    [{ id: 'text' }, 207],
    [{}, 40414],
    ['text', 14],
    [null, 14],
  ])('is nothing else: %j', (lsid, code) => {
    expect(() => sessionIdOf(lsid)).toThrow(expect.objectContaining({ code }));
  });
});
