import { expect, it } from 'vitest';
import { isDatabaseAway, toDatabaseError } from '#models/store/database-errors.server.ts';

it.each(['EPIPE', 'ECONNRESET', 'ENOTFOUND'])(
  '%s from the connection means that the database is away',
  (code) => {
    const broken = Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });
    expect(isDatabaseAway(toDatabaseError(broken))).toBe(true);
  },
);

it('another error stays what it is', () => {
  const error = new Error('a mistake of our own');
  expect(toDatabaseError(error)).toBe(error);
});
