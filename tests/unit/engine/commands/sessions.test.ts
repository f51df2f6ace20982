import { describe, expect, it } from 'vitest';
import { SESSION_TIMEOUT_MINUTES, Sessions, sessionIdOf } from '#models/engine/commands/sessions.ts';
import { Binary } from '#models/engine/values/types.ts';

function withLog(): { sessions: Sessions; ended: string[] } {
  const ended: string[] = [];
  return { sessions: new Sessions(({ id }) => ended.push(id)), ended };
}

describe('sessions', () => {
  it('are created on first use and found again', () => {
    const { sessions } = withLog();
    const session = sessions.use('a');
    expect(sessions.use('a')).toBe(session);
    expect(sessions.use('b')).not.toBe(session);
    expect(sessions.count).toBe(2);
    expect(sessions.use('c').id).toBe('c');
    expect(sessions.count).toBe(3);
  });

  it('end once', () => {
    const { sessions, ended } = withLog();
    sessions.use('a');
    sessions.end('a');
    sessions.end('a');
    expect([ended, sessions.count]).toEqual([['a'], 0]);
  });

  it('end when unused for the time that the handshake announces', () => {
    const { sessions, ended } = withLog();
    sessions.use('old').lastUse = Date.now() - SESSION_TIMEOUT_MINUTES * 60_000 - 1000;
    sessions.use('new');
    sessions.expire();
    expect(ended).toEqual(['old']);
  });

  it('end all at once', () => {
    const { sessions, ended } = withLog();
    for (const id of ['a', 'b', 'c']) sessions.use(id);
    sessions.endAll();
    expect(ended).toEqual(['a', 'b', 'c']);
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
