import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#tests/support/server.ts';
import { isFullSize } from '#tests/support/size.ts';
import { hasNginx, startNginx } from '../../../scripts/nginx.mjs';
import { useOwnWeb } from '../routes/web.ts';
import { LONGEST_WAIT_SECONDS, longestWait } from './other-visitor.ts';

/** As many as nginx keeps connections to the server. */
const UPLOADS = 32;
const VISITORS = 20;
const BODY = Buffer.alloc(300_000, 'a');

/** Sends a body that is refused before it is read. @returns its status */
function upload(origin: string, path: string, type: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { origin, 'content-type': type, 'content-length': BODY.length, connection: 'close' };
    const sent = request(`${origin}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end(BODY);
  });
}

describe.runIf(isFullSize && hasNginx)('32 refused uploads behind nginx', () => {
  const web = useOwnWeb({ TRUST_PROXY: '1' });
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  beforeAll(async () => {
    nginx = await startNginx(await freePort(), [Number(new URL(web.url).port)]);
  });
  afterAll(() => nginx.stop());

  it.each([
    ['without a session', '/dashboard/calculator', 'text/plain', 302],
    ['to an address that does not exist', '/nowhere', 'application/x-www-form-urlencoded', 404],
    ['to the API without a token', '/api/compounds', 'application/json', 401],
  ])('%s make no other visitor wait', async (_name, path, type, status) => {
    const uploads = Array.from({ length: UPLOADS }, () => upload(nginx.url, path, type));
    expect(new Set(await Promise.all(uploads))).toEqual(new Set([status]));
    const visits = Array.from({ length: VISITORS }, () => longestWait(nginx, Promise.resolve()));
    expect(Math.max(...(await Promise.all(visits)))).toBeLessThan(LONGEST_WAIT_SECONDS);
  });
});
