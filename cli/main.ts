import { processIo } from './io.ts';
import { run } from './program.ts';

const io = processIo();

// A reader that goes away (`| head`) must not end in a stack trace; `write` notices and stops the work.
io.stdout.on('error', () => {});
io.stderr.on('error', () => {});

try {
  process.exitCode = await run(process.argv.slice(2), io);
} catch (error) {
  io.stderr.write(`vialbook: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
