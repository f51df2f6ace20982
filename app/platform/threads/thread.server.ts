import { createRequire } from 'node:module';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import { currentLog, logLines } from '#app/platform/log/log.server.ts';

/** The programs that run in threads of their own; `scripts/build-node.mjs` bundles each. */
export type ThreadName = 'pdf' | 'import' | 'catalogue' | 'measurements';

/**
 * Starts a program in a thread, whose memory is limited. It gets neither the server's environment, which contains secrets, nor its
 * flags, and what it prints is logged.
 */
export function startThread(name: ThreadName, limits: ResourceLimits): Worker {
  const worker = new Worker(createRequire(import.meta.url).resolve(`#threads/${name}`), {
    name,
    env: {},
    execArgv: [],
    resourceLimits: limits,
    stdout: true,
    stderr: true,
  });
  for (const stream of [worker.stdout, worker.stderr])
    logLines(stream, (line) => currentLog().warn({ source: name }, line));
  return worker;
}
