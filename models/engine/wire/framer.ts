import { LIMITS } from './limits.ts';
import { WireError } from './message.ts';

const HEADER_BYTES = 16;

/**
 * Cuts a byte stream into messages. Holds at most one unfinished message and no more than its announced length,
 * so a connection costs at most `LIMITS.messageBytes` while it sends.
 */
export class Framer {
  #chunks: Buffer[] = [];
  #held = 0;

  /**
   * Adds bytes and gives the messages they complete.
   * @throws WireError when a header announces an impossible length.
   */
  *push(chunk: Buffer): Generator<Buffer> {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    for (let size = this.#announced(); size !== undefined && this.#held >= size; size = this.#announced()) {
      yield this.#take(size);
    }
  }

  /** Bytes waiting for the rest of their message. */
  get pending(): number {
    return this.#held;
  }

  #announced(): number | undefined {
    if (this.#held < 4) return undefined;
    const first = this.#joinUpTo(4);
    const size = first.readInt32LE(0);
    if (size < HEADER_BYTES || size > LIMITS.messageBytes)
      throw new WireError(`a message claims ${size} bytes`);
    return size;
  }

  /** Makes the first chunk at least `bytes` long. */
  #joinUpTo(bytes: number): Buffer {
    const first = this.#chunks[0];
    if (first && first.length >= bytes) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #take(size: number): Buffer {
    const all = this.#joinUpTo(size);
    const rest = all.subarray(size);
    this.#chunks = rest.length > 0 ? [rest, ...this.#chunks.slice(1)] : this.#chunks.slice(1);
    this.#held -= size;
    return all.subarray(0, size);
  }
}
