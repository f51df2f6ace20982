import { processIo } from './io.ts';
import { reportError } from './output.ts';
import { run } from './program.ts';

const io = processIo();

// When the reader closes the pipe (`| head`), no stack trace: `write` notices and stops the work.
io.stdout.on('error', () => {});
io.stderr.on('error', () => {});

const args = process.argv.slice(2);

try {
  process.exitCode = await run(args, io);
} catch (error) {
  if (args.includes('--json')) await reportError(io, error, { json: true });
  else
    io.stderr.write(`vialbook: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
