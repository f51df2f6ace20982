import { parentPort } from 'node:worker_threads';
import { isAppError, type AppError, type ErrorCode, type FieldErrors } from '#app/domain/errors.ts';

/** Messages to a reader's thread. */
export type ToReader =
  | { type: 'start'; input: unknown }
  /** The next bytes of the file; null after the last. */
  | { type: 'bytes'; bytes: Uint8Array | null }
  /** The last value was taken. */
  | { type: 'next' };

/** An `AppError` on its way out of a thread. */
export interface SentRefusal {
  code: Exclude<ErrorCode, 'CONFLICT'>;
  message: string;
  fields: FieldErrors | undefined;
}

/** Messages from a reader's thread. */
export type FromReader =
  /** It needs the next bytes. */
  | { type: 'need' }
  | { type: 'value'; value: unknown }
  | { type: 'end' }
  | { type: 'refusal'; refusal: SentRefusal }
  | { type: 'failure'; message: string };

/** Reads a file. @param bytes its pieces; nothing for an input that has the whole text */
type Read<Input, Value> = (
  input: Input,
  bytes: AsyncIterable<Uint8Array>,
) => AsyncIterable<Value> | Iterable<Value>;

const send = (message: FromReader): void => parentPort?.postMessage(message);

const refusalOf = ({ code, message, fields }: AppError): FromReader =>
  code === 'CONFLICT'
    ? { type: 'failure', message }
    : { type: 'refusal', refusal: { code, message, fields } };

const failureOf = (error: unknown): FromReader => ({
  type: 'failure',
  message: error instanceof Error ? (error.stack ?? error.message) : String(error),
});

/**
 * The whole program of a thread that reads one file: it asks for the bytes as it needs them and hands each value on when the one
 * before it was taken, so that it holds a small part of a large file.
 */
export function serveReader<Input, Value>(read: Read<Input, Value>): void {
  let onBytes: (bytes: Uint8Array | null) => void = () => undefined;
  let onNext: () => void = () => undefined;

  async function* arriving(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const bytes = await new Promise<Uint8Array | null>((resolve) => {
        onBytes = resolve;
        send({ type: 'need' });
      });
      if (bytes === null) return;
      yield bytes;
    }
  }

  async function readAll(input: Input): Promise<void> {
    for await (const value of read(input, arriving()))
      await new Promise<void>((resolve) => {
        onNext = resolve;
        send({ type: 'value', value });
      });
  }

  parentPort?.on('message', (message: ToReader) => {
    if (message.type === 'bytes') onBytes(message.bytes);
    else if (message.type === 'next') onNext();
    else
      readAll(message.input as Input).then(
        () => send({ type: 'end' }),
        (error: unknown) => send(isAppError(error) ? refusalOf(error) : failureOf(error)),
      );
  });
}
