/**
 * Where a response keeps its bytes. By a name that all share, because the server and the pages that it loads are bundles of
 * their own.
 */
const BYTES = Symbol.for('vialbook.complete-body');

/**
 * A response whose body is there as a whole. Whoever sends it takes the bytes and writes them at once; a stream, which costs
 * more than a page's whole way through the server's checks, is made only for those who ask for one.
 */
export class CompleteResponse extends Response {
  readonly #init: ResponseInit;
  #streamed: Response | null = null;
  readonly [BYTES]: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(null, init);
    this.#init = init;
    this[BYTES] = bytes;
  }

  #asStream(): Response {
    this.#streamed ??= new Response(this[BYTES], this.#init);
    return this.#streamed;
  }

  /** False once somebody reads: then the bytes are no longer the whole of what is left. Looking for a body is no reading. */
  get isWhole(): boolean {
    return !this.bodyUsed && this.#streamed?.body?.locked !== true;
  }

  override get body() {
    return this.#asStream().body;
  }

  override get bodyUsed() {
    return this.#streamed?.bodyUsed ?? false;
  }

  override arrayBuffer() {
    return this.#asStream().arrayBuffer();
  }

  override blob() {
    return this.#asStream().blob();
  }

  override formData() {
    return this.#asStream().formData();
  }

  override json() {
    return this.#asStream().json();
  }

  override text() {
    return this.#asStream().text();
  }

  override clone(): Response {
    const { status, statusText, headers } = this;
    if (this.#streamed === null) return new CompleteResponse(this[BYTES], { status, statusText, headers });
    return new Response(this.#streamed.clone().body, { status, statusText, headers });
  }
}

/** The whole body of a response, where it is there and nobody reads it; null where only a stream has it. */
export function completeBodyOf(response: Response): Uint8Array | null {
  const { [BYTES]: bytes, isWhole } = response as Partial<CompleteResponse>;
  return bytes !== undefined && isWhole === true ? bytes : null;
}
