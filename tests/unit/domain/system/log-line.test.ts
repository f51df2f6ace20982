import { describe, expect, it } from 'vitest';
import { keptLine, messageText } from '#app/domain/system/log-line.ts';

const line = (more: object) => JSON.stringify({ level: 40, time: '2026-03-09T08:00:00.000Z', ...more });

describe('a stored log line', () => {
  it('has its level, source and only fields that identify nobody', () => {
    const kept = keptLine(
      line({ level: 50, msg: 'job failed', job: 'make-doses', userId: 'a'.repeat(24), token: 'x' }),
    );
    expect(kept).toEqual({
      at: new Date('2026-03-09T08:00:00.000Z'),
      level: 'error',
      message: 'job failed',
      source: 'worker',
      facts: { job: 'make-doses' },
    });
    expect(keptLine(line({ requestId: 'r', msg: 'request denied' }))?.source).toBe('web');
    expect(keptLine(line({ level: 30, msg: 'stopping' }))).toMatchObject({ level: 'info', source: 'server' });
  });

  it('is shown with its request', () => {
    const facts = { status: '403', method: 'GET', path: '/admin/dashboard' };
    expect(messageText({ message: 'request denied', facts })).toBe(
      '403 GET /admin/dashboard: request denied',
    );
    expect(messageText({ message: 'job failed', facts: { job: 'make-doses' } })).toBe('job failed');
  });

  it('contains no email address or account id anywhere', () => {
    const id = '65f0a1b2c3d4e5f601234567';
    const kept = keptLine(
      line({
        msg: `mail to ada@example.org`,
        path: `/admin/dashboard/users/${id}`,
        err: { type: 'Error', message: `E11000 dup key: { email: "ada@example.org" }`, stack: `at ${id}` },
      }),
    );
    const text = JSON.stringify(kept);
    expect(text).not.toContain('ada@example.org');
    expect(text).not.toContain(id);
    expect(kept?.facts['says']).toBe('E11000 dup key: { email: "[address]" }');
  });

  it('is not made from ordinary requests, debug lines or invalid entries', () => {
    expect(keptLine(line({ level: 30, msg: 'request' }))).toBeNull();
    expect(keptLine(line({ level: 20, msg: 'database open' }))).toBeNull();
    expect(keptLine('not json')).toBeNull();
    expect(keptLine(JSON.stringify({ level: 50, time: 'soon', msg: 'x' }))).toBeNull();
    expect(keptLine(line({ level: 50, msg: 'request' }))).not.toBeNull();
  });

  it('is shortened', () => {
    const kept = keptLine(line({ msg: 'x'.repeat(9000), err: { stack: 'y'.repeat(9000) } }));
    expect(kept?.message).toHaveLength(500);
    expect(kept?.facts['stack']).toHaveLength(2000);
  });
});
