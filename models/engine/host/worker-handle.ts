import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import type { LogEntry } from '../log.ts';
import { useForTemporaryFiles } from '../storage/env/temporary.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './protocol.ts';

/** How often a worker that ended unexpectedly is restarted at once; after that, it counts as lost for a while. */
const MOST_RESTARTS = 5;
/** Restarts longer ago than this no longer count. */
const RESTART_WINDOW_MS = 60_000;
/** Pause before a lost engine is restarted: the cause, such as a full disk, may have gone away. */
const LOST_PAUSE_MS = 5_000;

/** The engine could not start, or was lost. The message says what to do. */
export class EngineStartError extends Error {
  override name = 'EngineStartError';
  constructor(
    message: string,
    readonly codeName: string,
  ) {
    super(message);
  }
}

/** A worker thread that is restarted at the same address when it ends unexpectedly. */
export interface WorkerHandle {
  /** `127.0.0.1:port` or the socket's path. */
  address: string;
  close(): Promise<void>;
}

export interface HandleOptions {
  settings: WorkerSettings;
  log: (entry: LogEntry) => void;
  /** Called when the engine died too often or does not start; restarts are tried from time to time until it is closed. */
  onLost?: (error: Error) => void;
}

/** Starts the engine's worker; resolves once it is ready. @throws EngineStartError */
export async function startWorker(options: HandleOptions): Promise<WorkerHandle> {
  const host = new WorkerHost(options);
  const address = await host.start();
  return { address, close: () => host.close() };
}

class WorkerHost {
  readonly #options: HandleOptions;
  #settings: WorkerSettings;
  #worker: Worker | null = null;
  #exited: Promise<void> = Promise.resolve();
  #isClosing = false;
  #restarts: number[] = [];
  #isLost = false;
  #nextTry: NodeJS.Timeout | null = null;

  constructor(options: HandleOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  async start(): Promise<string> {
    useForTemporaryFiles(this.#settings.dir);
    const worker = new Worker(createRequire(import.meta.url).resolve('#engine-worker'), {
      workerData: this.#settings,
      name: 'engine',
      // The host's flags, such as --input-type or a loader, must not apply to the bundle.
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    // Node's own warnings go to the same log.
    for (const stream of [worker.stdout, worker.stderr])
      createInterface({ input: stream }).on('line', (message) =>
        this.#options.log({ level: 'warn', message, fields: { source: 'engine' } }),
      );
    this.#worker = worker;
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    const address = await this.#ready(worker);
    // The same port after a restart, because clients keep the address.
    if ('port' in this.#settings.where)
      this.#settings = { ...this.#settings, where: { port: Number(address.split(':')[1]) } };
    worker.once('exit', (code) => this.#onExit(code));
    return address;
  }

  #ready(worker: Worker): Promise<string> {
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') resolve(message.address);
        else if (message.type === 'failed') reject(new EngineStartError(message.message, message.codeName));
        else if (message.type === 'log') this.#options.log(message.entry);
      });
      worker.on('error', (error) => {
        this.#options.log({
          level: 'error',
          message: 'the engine failed',
          fields: { reason: error.stack ?? error.message },
        });
        reject(new EngineStartError(error.message, 'InternalError'));
      });
      worker.once('exit', () =>
        reject(new EngineStartError('the engine stopped before it was ready', 'InternalError')),
      );
    });
  }

  #onExit(code: number): void {
    if (this.#isClosing) return;
    const now = Date.now();
    this.#restarts = [...this.#restarts.filter((at) => now - at < RESTART_WINDOW_MS), now];
    if (this.#restarts.length > MOST_RESTARTS) return this.#lost(new Error('the engine stopped too often'));
    this.#options.log({
      level: 'error',
      message: 'the engine stopped unexpectedly; restarting it',
      fields: { code },
    });
    this.#startAgain();
  }

  #startAgain(): void {
    this.start().then(
      () => {
        if (this.#isLost) this.#options.log({ level: 'info', message: 'the engine is back', fields: {} });
        this.#isLost = false;
      },
      (error: unknown) => this.#lost(error instanceof Error ? error : new Error(String(error))),
    );
  }

  #lost(error: Error): void {
    if (this.#isClosing) return;
    this.#nextTry = setTimeout(() => this.#startAgain(), LOST_PAUSE_MS).unref();
    if (this.#isLost) return;
    this.#isLost = true;
    this.#options.log({ level: 'error', message: 'the engine is lost', fields: { reason: error.message } });
    this.#options.onLost?.(error);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#nextTry) clearTimeout(this.#nextTry);
    const message: ToWorker = { type: 'close' };
    this.#worker?.postMessage(message);
    await this.#exited;
  }
}
