import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startServer } from '#tests/support/server.ts';

/** Makes the server throw, outside of any request, when it gets a signal. */
const failing = (statement: string) => `process.on('SIGUSR2', () => { ${statement} })`;

describe('an error that nobody caught', () => {
  it.each([
    ['thrown', `throw new Error('nobody catches this')`],
    ['of a promise', `void Promise.reject(new Error('nobody catches this'))`],
  ])('%s is logged, what runs is finished, and the process ends with 1', async (_, statement) => {
    const code = encodeURIComponent(failing(statement));
    const server = await startServer({ env: { NODE_OPTIONS: `--import=data:text/javascript,${code}` } });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const ended = once(server.process, 'exit');
    server.process.kill('SIGUSR2');
    expect((await ended)[0]).toBe(1);
    const fatal = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"level":60'));
    expect(fatal).toHaveLength(1);
    expect(JSON.parse(fatal[0] ?? '')).toMatchObject({ err: { message: 'nobody catches this' } });
    await server.stop();
  });
});
