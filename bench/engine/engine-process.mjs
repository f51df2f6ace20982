// The engine in a separate process, for benchmarks.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundleEngine } from '../../tests/support/rounds/bundle.mjs';

/** Starts it on a directory; the process ends when its input does. */
export async function startEngine(dir) {
  const program = `
    const { startEngine } = await import(${JSON.stringify(await bundleEngine())});
    const engine = await startEngine({ dir: ${JSON.stringify(dir)}, log: (entry) => entry.level === 'error' && console.error(entry) });
    console.log(engine.uri);
    process.stdin.resume().on('end', () => void engine.close());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [uri] = await once(child.stdout, 'data');
  return {
    uri: String(uri).trim(),
    pid: child.pid,
    close: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
