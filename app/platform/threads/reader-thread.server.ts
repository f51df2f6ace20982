import type { Worker } from 'node:worker_threads';
import { AppError } from '#app/domain/errors.ts';
import { SECOND_MS } from '#app/domain/time/calendar.ts';
import { currentLog } from '#app/platform/log/log.server.ts';
import type { FromReader, ToReader } from './reader.server.ts';
import { startThread, type ThreadName } from './thread.server.ts';

/** What reading one file may cost. */
export interface ReadingLimits {
  megabytes: number;
  /** Time in which the thread works; not while it waits for bytes, or for what it read to be taken. */
  seconds: number;
}

/** For a file of the largest size on a busy machine: ten times what an honest one needs. */
const LIMITS: ReadingLimits = { megabytes: 160, seconds: 60 };

const PIECE = 256 * 1024;

/** The bytes in pieces that are worth a message. Copied, because a message takes the memory it is sent with. */
async function* piecesOf(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const chunks = bytes instanceof Uint8Array ? [bytes] : bytes;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.byteLength; at += PIECE)
      yield Uint8Array.from(chunk.subarray(at, at + PIECE));
}

const overLimits = (): AppError =>
  new AppError(
    'UNREADABLE_FILE',
    'This file takes too much memory or time to read. Check that it is the right file, or split it into smaller ones.',
  );

const isOutOfMemory = (error: Error): boolean => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

type Result = Exclude<FromReader, { type: 'need' }>;

/** One thread with one file. */
class ReaderThread {
  private readonly worker: Worker;
  private msLeft: number;
  private begunAt = 0;
  private deadline: NodeJS.Timeout | undefined;
  /** Requests of the thread that are not answered yet. */
  private open = 0;
  private failure: { error: unknown } | null = null;
  private waiting: { resolve: (result: Result) => void; reject: (error: unknown) => void } | null = null;

  constructor(
    private readonly name: ThreadName,
    private readonly pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
    { megabytes, seconds }: ReadingLimits,
  ) {
    this.msLeft = seconds * SECOND_MS;
    this.worker = startThread(name, {
      maxOldGenerationSizeMb: megabytes,
      maxYoungGenerationSizeMb: 16,
      stackSizeMb: 4,
    });
    this.worker.on('message', (message: FromReader) => this.receive(message));
    this.worker.on('error', (error) => (isOutOfMemory(error) ? this.refuse('memory') : this.fail(error)));
    this.worker.on('exit', () => this.fail(new Error(`the thread "${name}" ended`)));
  }

  /** Sends a message. @returns what it leads to @throws AppError UNREADABLE_FILE */
  ask(message: ToReader): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) return reject(this.failure.error);
      this.waiting = { resolve, reject };
      this.answer(message);
    });
  }

  async end(): Promise<void> {
    this.failure ??= { error: new Error('the file is no longer read') };
    this.stopClock();
    await this.worker.terminate();
  }

  /** Answers a request, or begins. */
  private answer(message: ToReader, transfer: ArrayBuffer[] = []): void {
    if (message.type !== 'start') this.open -= 1;
    this.worker.postMessage(message, transfer);
    if (this.open === 0) this.startClock();
  }

  private receive(message: FromReader): void {
    if (this.failure !== null) return;
    this.open += 1;
    this.stopClock();
    if (message.type === 'need') this.feed().catch((error: unknown) => this.fail(error));
    else this.waiting?.resolve(message);
  }

  private async feed(): Promise<void> {
    const { value, done } = await this.pieces.next();
    if (this.failure !== null) return;
    if (done === true) this.answer({ type: 'bytes', bytes: null });
    else this.answer({ type: 'bytes', bytes: value }, [value.buffer]);
  }

  private startClock(): void {
    this.begunAt = performance.now();
    this.deadline = setTimeout(() => this.refuse('time'), Math.max(0, this.msLeft));
  }

  private stopClock(): void {
    if (this.deadline === undefined) return;
    clearTimeout(this.deadline);
    this.deadline = undefined;
    this.msLeft -= performance.now() - this.begunAt;
  }

  private refuse(reason: 'memory' | 'time'): void {
    if (this.failure !== null) return;
    currentLog().warn({ source: this.name, reason }, 'a file was not read to its end');
    this.fail(overLimits());
  }

  private fail(error: unknown): void {
    if (this.failure !== null) return;
    this.failure = { error };
    this.stopClock();
    void this.worker.terminate();
    this.waiting?.reject(error);
  }
}

/**
 * Reads a file that comes from outside in a thread of its own, which ends with it. A file that takes too much memory or time is
 * refused; nobody else notices.
 * @param name the program, which calls `serveReader`
 * @param bytes the file; read only as fast as the thread needs them
 * @throws AppError UNREADABLE_FILE, and those of the program
 */
export async function* readInThread<Value>(
  name: ThreadName,
  input: unknown,
  bytes: Uint8Array | AsyncIterable<Uint8Array> = new Uint8Array(),
  limits: ReadingLimits = LIMITS,
): AsyncGenerator<Value> {
  const pieces = piecesOf(bytes);
  const thread = new ReaderThread(name, pieces, limits);
  try {
    let result = await thread.ask({ type: 'start', input });
    while (result.type === 'value') {
      yield result.value as Value;
      result = await thread.ask({ type: 'next' });
    }
    if (result.type === 'refusal') {
      const { code, message, fields } = result.refusal;
      throw new AppError(code, message, { ...(fields && { fields }) });
    }
    if (result.type === 'failure') throw new Error(`the thread "${name}" failed: ${result.message}`);
  } finally {
    await thread.end();
    await pieces.return(undefined);
  }
}

/** The one value that a program makes of a text; see {@link readInThread}. @throws AppError UNREADABLE_FILE */
export async function readTextInThread<Value>(name: ThreadName, input: unknown): Promise<Value> {
  for await (const value of readInThread<Value>(name, input)) return value;
  throw new Error(`the thread "${name}" read nothing`);
}
