import { spawn } from 'node:child_process';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Io } from '#cli/io.ts';
import { run } from '#cli/program.ts';
import { databaseEnv } from './named-deployment.ts';

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command's input besides its arguments. */
export interface CliWorld {
  readonly stdin?: string | Readable;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdinIsTerminal?: boolean;
  readonly stderrIsTerminal?: boolean;
  readonly stdoutIsTerminal?: boolean;
  readonly colour?: boolean;
}

/** A stream that records what is written to it. */
function collector(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}

/** Runs a command line in this process, with its own streams. */
export async function runCli(args: readonly string[], world: CliWorld = {}): Promise<CliResult> {
  const stdout = collector();
  const stderr = collector();
  const { stdin = '' } = world;
  const io: Io = {
    stdin: typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: databaseEnv(world.env ?? {}),
    stdinIsTerminal: world.stdinIsTerminal ?? false,
    stderrIsTerminal: world.stderrIsTerminal ?? false,
    stdoutIsTerminal: world.stdoutIsTerminal ?? false,
    colour: world.colour ?? false,
  };
  const code = await run(args, io);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** The built program. */
export const CLI_PATH = path.resolve('build/cli/main.js');

interface ProcessOptions {
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function runProcess(command: string, args: readonly string[], options: ProcessOptions): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: databaseEnv({ ...process.env, ...options.env }),
    });
    const stdout = collector();
    const stderr = collector();
    child.stdout.pipe(stdout.stream);
    child.stderr.pipe(stderr.stream);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, stdout: stdout.text(), stderr: stderr.text() }));
    // The program may end before it has read all of its input.
    child.stdin.on('error', () => {});
    child.stdin.end(options.stdin ?? '');
  });
}

/** Runs the built program as a separate process. */
export function spawnCli(
  args: readonly string[],
  options: ProcessOptions & { readonly nodeArgs?: readonly string[] } = {},
): Promise<CliResult> {
  return runProcess(process.execPath, [...(options.nodeArgs ?? []), CLI_PATH, ...args], options);
}

/** Runs a line of bash, for pipes. */
export function spawnShell(line: string, options: ProcessOptions = {}): Promise<CliResult> {
  return runProcess('bash', ['-c', line], options);
}

/** A reader that takes one chunk and then disconnects, like `head`. */
export function closingReader(): Writable {
  const stream = new PassThrough({ highWaterMark: 1 });
  stream.once('data', () => stream.destroy());
  return stream;
}
