import type { Readable } from 'node:stream';
import { AppError } from '#app/domain/errors.ts';

/** A line longer than this is no row of a batch; reading on would only fill the memory. */
const MAX_LINE_LENGTH = 1_000_000;

/** The lines of one chunk of input, without their line ends. */
export interface Lines {
  readonly lines: string[];
  /** Bytes read so far, for progress. */
  readonly bytes: number;
}

const withoutCarriageReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/**
 * Splits a stream of UTF-8 (a byte order mark is dropped) into lines, chunk by chunk: one step per line would cost
 * more than the arithmetic.
 * @throws AppError INVALID_INPUT on a line of more than a million characters
 */
export async function* readLines(input: Readable): AsyncGenerator<Lines> {
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_LENGTH) {
      throw new AppError('INVALID_INPUT', 'A line of the input is longer than a million characters.');
    }
    yield { lines: lines.map(withoutCarriageReturn), bytes };
  }
  rest += decoder.decode();
  if (rest !== '') yield { lines: [withoutCarriageReturn(rest)], bytes };
}
