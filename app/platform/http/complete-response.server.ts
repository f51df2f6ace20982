/**
 * Where a response stores its bytes. A shared symbol, because the server and the pages it loads are separate bundles.
 */
const BYTES = Symbol.for('vialbook.complete-body');

/**
 * A response with a complete body, which is sent by writing its bytes at once. A stream, which costs more than all of the
 * server's checks for a page, is created only on demand.
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

  /** False once reading has begun, because then the bytes are no longer exactly what is left. */
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

/** The complete body of a response, if available and unread; null if it is only a stream. */
export function completeBodyOf(response: Response): Uint8Array | null {
  const { [BYTES]: bytes, isWhole } = response as Partial<CompleteResponse>;
  return bytes !== undefined && isWhole === true ? bytes : null;
}
