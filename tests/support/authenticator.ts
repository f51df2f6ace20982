import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** CBOR (RFC 8949) for attestations: small integers, bytes, texts and maps. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number) => {
    if (n < 24) return Buffer.from([(major << 5) | n]);
    if (n < 256) return Buffer.from([(major << 5) | 24, n]);
    return Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item as Buffer)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url');

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** How an answer differs from an honest one. */
interface Deviation {
  /** The request comes from another site. */
  origin?: string;
  /** The device is not unlocked. */
  isVerified?: boolean;
  /** The counter to report, for a copy. */
  counter?: number;
}

/** A software authenticator with one passkey (WebAuthn Level 2, ES256, without attestation). */
export class Authenticator {
  readonly id = base64url(randomBytes(32));
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  });
  #counter = 0;
  #userHandle = '';

  constructor(private readonly origin: string) {}

  #clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authData(flags: number, counter: number, attested = Buffer.alloc(0)): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(new URL(this.origin).hostname), rest, attested]);
  }

  /** Answers `navigator.credentials.create()`, as JSON for a form. */
  make(options: { challenge: string; user: { id: string } }, deviation: Deviation = {}): string {
    const { origin = this.origin, isVerified = true } = deviation;
    this.#userHandle = options.user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const cose = new Map<number | string, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(cose)]);
    const flags = PRESENT | ATTESTED | (isVerified ? VERIFIED : 0);
    const attestation = new Map<number | string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', this.#authData(flags, 0, attested)],
    ]);
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', options.challenge, origin)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
      clientExtensionResults: {},
    });
  }

  /** Answers `navigator.credentials.get()`, as JSON for a form. */
  use(options: { challenge: string }, deviation: Deviation = {}): string {
    const { origin = this.origin, isVerified = true } = deviation;
    this.#counter += 1;
    const flags = PRESENT | (isVerified ? VERIFIED : 0);
    const authData = this.#authData(flags, deviation.counter ?? this.#counter);
    const clientData = this.#clientData('webauthn.get', options.challenge, origin);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
        userHandle: this.#userHandle,
      },
      clientExtensionResults: {},
    });
  }
}
