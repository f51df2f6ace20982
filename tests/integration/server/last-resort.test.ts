import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, expect, it } from 'vitest';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { ReaderTooSlow } from '#app/platform/http/file-response.server.ts';
import { createApp } from '#app/server/app.server.ts';

let server: http.Server | undefined;
afterEach(() => server?.close());

/** The server's log and whether the response arrived completely, when this error ends a response that has begun. */
async function brokenOff(error: Error) {
  const lines: { level: number; msg: string; err?: unknown }[] = [];
  const log = pino(
    { base: null },
    { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  const { handler } = createApp({
    settings: parseSettings({}),
    log,
    files: (_request, _response, next) => next(),
    answered: () => {},
    starting(_request, response, next) {
      response.write('the beginning of a file');
      next(error);
    },
  });
  server = http.createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outcome = await fetch(`http://127.0.0.1:${port}/file`)
    .then((answer) => answer.text())
    .then(
      () => 'whole',
      () => 'broken off',
    );
  return { outcome, told: lines.map(({ level, msg, err }) => ({ level, msg, err: err !== undefined })) };
}

it('a download whose client reads nothing is aborted with a warning', async () => {
  const { outcome, told } = await brokenOff(new ReaderTooSlow());
  expect(outcome).toBe('broken off');
  expect(told[0]).toEqual({
    level: 40,
    msg: 'a download was aborted because its client read nothing for too long',
    err: false,
  });
  expect(told.filter(({ level }) => level >= 50)).toEqual([]);
});

it('any other failure after a response has begun is logged as an error', async () => {
  const { outcome, told } = await brokenOff(new Error('the database went away'));
  expect(outcome).toBe('broken off');
  expect(told[0]).toEqual({ level: 50, msg: 'unhandled error', err: true });
});
