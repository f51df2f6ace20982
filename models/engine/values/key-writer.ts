const INITIAL_SIZE = 512;

/** A growing byte buffer for building keys; strings are escaped so that no key is a prefix of another. */
export class KeyWriter {
  private bytes: Buffer = Buffer.allocUnsafe(INITIAL_SIZE);
  at = 0;

  private room(count: number): void {
    const end = this.at + count;
    if (end <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(end, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  reset(): void {
    this.at = 0;
  }

  byte(value: number): void {
    this.room(1);
    this.bytes[this.at++] = value;
  }

  uint16(value: number): void {
    this.room(2);
    this.at = this.bytes.writeUInt16BE(value, this.at);
  }

  uint32(value: number): void {
    this.room(4);
    this.at = this.bytes.writeUInt32BE(value >>> 0, this.at);
  }

  raw(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** UTF-8 with 00 written as 00 FF, ended by 00 01: sorts like the text's bytes, shorter first. */
  text(value: string): void {
    this.room(value.length * 3 + 2);
    if (value.includes('\0')) this.escaped(value);
    else this.at += this.bytes.write(value, this.at, 'utf8');
    this.byte(0x00);
    this.byte(0x01);
  }

  private escaped(value: string): void {
    for (const byte of Buffer.from(value, 'utf8')) {
      this.byte(byte);
      if (byte === 0) this.byte(0xff);
    }
  }

  /** Inverts the bytes written since `from`, so that they sort in reverse. */
  invert(from: number): void {
    for (let i = from; i < this.at; i++) this.bytes[i] = (this.bytes[i] as number) ^ 0xff;
  }

  /** A copy of the bytes written. */
  take(from = 0): Buffer {
    const copy = Buffer.allocUnsafeSlow(this.at - from);
    this.bytes.copy(copy, 0, from, this.at);
    return copy;
  }
}
